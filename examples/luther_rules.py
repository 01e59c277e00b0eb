"""A rule-based bot for The Church vs Martin Luther: it wants red cards, and black ones only if it can cover them.

The strategy in four rules:

1. A trick is worth its red cards less its black ones. If it is worth something, the bot tries to win it with its
   strongest card; if not, it stays below with the strongest card that does not win for now.
2. It leads a low card, rather a red one.
3. Of the open indulgences it takes the one that covers most of its sins; one that covers none it discards.
4. It uses an indulgence as soon as this covers three sins, and in the last rounds whatever it can.

It does not try to be a Luther. It needs no luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import croupier
from croupier.v1.luther_pb2 import LutherAction, LutherEvent, LutherObservation

LutherTurn: TypeAlias = croupier.Turn[LutherObservation, LutherEvent, LutherAction]

SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
TRUMP = {SPADES: DIAMONDS, DIAMONDS: SPADES, CLUBS: HEARTS, HEARTS: CLUBS}  # by led suit
PRIMES, FIBONACCI = (2, 3, 5, 7, 11, 13), (1, 2, 3, 5, 8, 13)
ENOUGH = 3  # sins that are worth an indulgence before the end
LAST_ROUNDS = 8  # from here on nothing is saved for later
USUAL = 2  # sins that an indulgence over sums, pairs or runs covers, about


def suit(card: int) -> int:
    """Spades, hearts, diamonds, clubs: 0 to 3."""
    return (card - 1) // 13


def number(card: int) -> int:
    """What an indulgence sees: 1 to 13."""
    return (card - 1) % 13 + 1


def black(card: int) -> bool:
    """Whether it is a sin."""
    return suit(card) in (SPADES, CLUBS)


def strength(card: int, led: int) -> int:
    """Its strength in a trick: trump over the led suit over all others, the ace highest."""
    own, first = suit(card), suit(led)
    return 40 * (own == TRUMP[first]) + 20 * (own == first) + (number(card) - 2) % 13


def covered(indulgence: int, sins: Sequence[int]) -> int:
    """How many sins an indulgence covers, about; `indulgence` is its number in LutherIndulgence."""
    fits = {
        1: lambda card: suit(card) == SPADES,
        2: lambda card: suit(card) == CLUBS,
        3: lambda card: number(card) % 2 == 0,
        4: lambda card: number(card) % 2 == 1,
        5: lambda card: number(card) in PRIMES,
        6: lambda card: number(card) not in PRIMES,
        7: lambda card: number(card) >= 8,
        8: lambda card: number(card) <= 7,
        9: lambda card: number(card) in FIBONACCI,
    }.get(indulgence)
    return min(USUAL, len(sins) // 2) if fits is None else min(4, sum(map(fits, sins)))


class RulesBot(croupier.Bot):
    """See the module."""

    games = ("luther",)

    def act(self, turn: LutherTurn) -> LutherAction:
        """The action that is worth most; of equal ones the first."""
        self._view = turn.view
        before = sum(self._view.sin_counts[: self.match.seat])
        self._sins = list(self._view.sins[before : before + self._view.sin_counts[self.match.seat]])
        return max(turn.legal, key=self._worth)

    def _worth(self, action: LutherAction) -> float:
        if action.HasField("play"):
            return self._worth_of_play(action.play.card)
        if action.HasField("take_indulgence"):
            return covered(action.take_indulgence.indulgence, self._sins)
        if action.HasField("discard_indulgence"):
            return 0.5
        if action.HasField("use_indulgence"):
            return len(action.use_indulgence.cards)
        return 0 if self._view.round >= LAST_ROUNDS else ENOUGH - 0.5  # abstaining

    def _worth_of_play(self, card: int) -> float:
        table = list(self._view.table)
        if not table:
            return -strength(card, card) - black(card)
        power, best = strength(card, table[0]), max(strength(other, table[0]) for other in table)
        profit = sum(-1 if black(one) else 1 for one in (*table, card))
        if power > best:
            return 50 * profit + power
        return power - black(card) if profit <= 0 else -power


if __name__ == "__main__":
    croupier.play(RulesBot)
