"""A rule-based bot for the 21-count witch hunt: it looks at the counts after every card that it may play.

The strategy in four rules:

1. A play that ends the game is judged as the rules judge it: with a victory it is the best of all, else the worst.
2. Otherwise the bot wants its witch to stand above one of the others, so that she is favoured when the third is hunted,
   but not so high that the next informer takes her to 21.
3. It gets rid of its fives early, since whoever holds one at the end loses; in a trade it gives one away.
4. It keeps alibis and hushes for later, and takes the faction that its neighbours have left.

It needs no luck.
"""

from __future__ import annotations

from typing import TypeAlias

import croupier
from croupier.v1.witch21_pb2 import Witch21Action, Witch21Event, Witch21Observation, Witch21Play

Witch21Turn: TypeAlias = croupier.Turn[Witch21Observation, Witch21Event, Witch21Action]

INFORMERS = 15  # cards 1 to 15: red, blue and green 1 to 5
ALIBI = 16
LIMIT = 21
END = 100.0  # more than any position is worth


def witch_of(card: int) -> int:
    """The witch that an informer names, as an index into the counts."""
    return (card - 1) // 5


def value_of(card: int) -> int:
    """The value of an informer, 1 to 5; 0 for a strategy card."""
    return (card - 1) % 5 + 1 if card <= INFORMERS else 0


class RulesBot(croupier.Bot):
    """See the module."""

    games = ("witch21",)

    def act(self, turn: Witch21Turn) -> Witch21Action:
        """The action that is worth most; of equal ones the first."""
        self._view = turn.view
        return max(turn.legal, key=self._worth)

    def _worth(self, action: Witch21Action) -> float:
        if action.HasField("choose"):
            return -sum(witch == action.choose.witch for witch in self._view.factions)
        if action.HasField("give"):
            return value_of(action.give.card)
        return self._worth_of_play(action.play)

    def _worth_of_play(self, play: Witch21Play) -> float:
        card, value, counts = play.card, value_of(play.card), list(self._view.counts)
        mine = self._view.faction - 1
        fives = sum(value_of(other) == 5 for other in self._view.hand) - (value == 5)
        if not value:
            if card == ALIBI:
                counts[play.witch - 1] = max(0, counts[play.witch - 1] - 2)
            return self._standing(counts, mine) - fives - 0.5
        accused = witch_of(card)
        counts[accused] += value
        if counts[accused] < LIMIT:
            return self._standing(counts, mine) - fives
        if accused == mine:
            won = counts[mine] == LIMIT and value <= 3
        else:
            (other,) = {0, 1, 2} - {accused, mine}
            won = counts[mine] > counts[other]
        return END if won and not fives else -END

    def _standing(self, counts: list[int], mine: int) -> float:
        """How well the own witch stands while the game goes on."""
        first, second = sorted([count for witch, count in enumerate(counts) if witch != mine], reverse=True)
        danger = max(0, counts[mine] - (LIMIT - 5))
        return min(counts[mine] - second, 4) + 0.3 * (first - counts[mine]) - 2 * danger


if __name__ == "__main__":
    croupier.play(RulesBot)
