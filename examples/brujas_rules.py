"""A rule-based bot for Brujas del Sabado: it counts points as if the game ended now.

The strategy in three rules:

1. In the draft it takes the card that gives it the most points more than the others have on average, and moves the
   witch where that is most; a card of the favourite colour, or of a number that it has already, counts a little more.
2. Who wins a trick chooses first. So it plays the card with which it wins for now, if one does, and the weakest such
   card in the last place.
3. If it cannot win, it plays the card that would be worth least to the others.

It needs no luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import croupier
from croupier.v1.brujas_pb2 import (
    BRUJAS_DIRECTION_UP,
    BRUJAS_RULE_COLOUR,
    BRUJAS_RULE_NUMBER,
    BrujasAction,
    BrujasEvent,
    BrujasObservation,
)

BrujasTurn: TypeAlias = croupier.Turn[BrujasObservation, BrujasEvent, BrujasAction]

SLOTS = (5, 3, 2, 1)  # points, from the top of the track
MAJORITY = 2  # points for most cards of a number
PROMISE = 0.3  # what one card more of a colour or number is worth before it scores


def colour(card: int) -> int:
    """Its number in BrujasColour."""
    return (card + 4) // 5


def number(card: int) -> int:
    """1 to 5."""
    return (card - 1) % 5 + 1


def points(taken: Sequence[Sequence[int]], track: Sequence[int], seat: int) -> float:
    """What a seat would score now, with a little for what may score later; `taken` has the cards by seat."""
    colours = [colour(card) for card in taken[seat]]
    counts = [colours.count(witch) for witch in track]
    total = SLOTS[counts.index(max(counts))] + PROMISE * max(counts) if colours else 0.0
    for value in range(1, 6):
        most = [sum(number(card) == value for card in cards) for cards in taken]
        if most[seat]:
            total += MAJORITY * (most[seat] == max(most)) + PROMISE * most[seat]
    return total


class RulesBot(croupier.Bot):
    """See the module."""

    games = ("brujas",)

    def act(self, turn: BrujasTurn) -> BrujasAction:
        """The action that is worth most; of equal ones the first."""
        self._view = view = turn.view
        self._taken: list[list[int]] = [[] for _ in view.hand_sizes]
        for card, seat in zip(view.taken_cards, view.taken_by, strict=True):
            self._taken[seat].append(card)
        return max(turn.legal, key=self._worth)

    def _worth(self, action: BrujasAction) -> float:
        if action.HasField("take"):
            return self._lead(self._with_card(action.take.card), self._view.track)
        if action.HasField("move_witch"):
            return self._after_move(up=action.move_witch.direction == BRUJAS_DIRECTION_UP)
        return self._worth_of_play(action.play.card)

    def _with_card(self, card: int) -> list[list[int]]:
        """All that is taken, if the bot takes a card."""
        return [[*cards, card] if seat == self.match.seat else cards for seat, cards in enumerate(self._taken)]

    def _lead(self, taken: Sequence[Sequence[int]], track: Sequence[int]) -> float:
        """How many points the bot has more than the others on average."""
        all_points = [points(taken, track, seat) for seat in range(len(taken))]
        mine = all_points.pop(self.match.seat)
        return mine - sum(all_points) / len(all_points)

    def _after_move(self, *, up: bool) -> float:
        """The lead after a move of the witch of the winning card, which is the bot's own, and the best draft then."""
        view, seats = self._view, len(self._taken)
        card = dict(zip(view.played_by[-seats:], view.played_cards[-seats:], strict=True))[self.match.seat]
        track: list[int] = list(view.track)
        at = track.index(colour(card))
        other = at - 1 if up else at + 1
        track[at], track[other] = track[other], track[at]
        return max(self._lead(self._with_card(one), track) for one in view.table)

    def _worth_of_play(self, card: int) -> float:
        table, last = list(self._view.table), len(self._view.table) == len(self._taken) - 1
        strength = self._strength(card, table[0] if table else card)
        if table and strength <= max(self._strength(other, table[0]) for other in table):
            return -self._lead(self._with_card(card), self._view.track)
        return 100 + (-strength if last else strength)

    def _strength(self, card: int, led: int) -> float:
        """How strong a card is in the trick: -1 when it cannot win."""
        track: list[int] = list(self._view.track)
        height = 4 - track.index(colour(card))
        rule = self._view.rule if self._view.table else 0
        same_colour, same_number = colour(card) == colour(led), number(card) == number(led)
        if same_colour and rule != BRUJAS_RULE_NUMBER:
            return number(card) + (card == led) / 2
        if same_number and rule != BRUJAS_RULE_COLOUR:
            return height + (card == led) / 2
        return -1


if __name__ == "__main__":
    croupier.play(RulesBot)
