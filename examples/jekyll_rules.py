"""A rule-based bot for Jekyll vs. Hyde: it forecasts the round and takes the action with the best forecast.

The strategy in four rules:

1. Hyde wants a round to end as uneven as can be, won or lost; Jekyll wants it even.
2. A card's power is the share of the cards not seen yet that it would beat.
3. The forecast is how many tricks more than the other the bot will have won at the end of the round: the difference
   now, and for every card left in its hand +1 for full power down to -1 for none.
4. So every action can be weighed, whatever it is: giving or playing a card changes the hand that is left, and playing
   one also wins or loses a trick. An answer decides its trick at once; of a lead the bot imagines every answer that may
   come. Hyde takes the action with the largest forecast, either way; Jekyll the one nearest to zero.

So Hyde with a strong hand hoards its strong cards, and with a weak one gets rid of them, without a rule that says so.
It knows how tricks are won, and of the other's hand only what is left over; it never guesses, so it needs no luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import croupier
from croupier.v1.jekyll_pb2 import JekyllAction, JekyllEvent, JekyllObservation

JekyllTurn: TypeAlias = croupier.Turn[JekyllObservation, JekyllEvent, JekyllAction]

DECK = range(1, 26)  # the numbers of JekyllCard: purple, red and green 1 to 7, then the four potions
PURPLE, POTIONS = 1, 22
HYDE = 1
CARDS_A_ROUND = 20


def colour(card: int) -> int:
    """Its number in JekyllColour; 0 for a potion."""
    return 0 if card >= POTIONS else (card + 6) // 7


def number(card: int) -> float:
    """What is compared: 1 to 7, and 2.5 to 5.5 for the potions."""
    return card - POTIONS + 2.5 if card >= POTIONS else (card - 1) % 7 + 1


def beats(card: int, other: int, row: Sequence[int]) -> bool:
    """Whether a card wins against another one, as the colours are ranked; among unranked colours the number decides."""
    mine, theirs = colour(card), colour(other)
    if mine != theirs and mine in row and theirs in row:
        return row.index(mine) > row.index(theirs)
    return number(card) > number(other)


def ranked(row: Sequence[int], *cards: int) -> Sequence[int]:
    """The rank row after cards were played: a new colour gets the lowest free rank, and with the second the third."""
    for new in map(colour, cards):
        if new and new not in row:
            row = (*row, new) if not row else (row[0], new, 6 - row[0] - new)
    return row


class RulesBot(croupier.Bot):
    """See the module."""

    games = ("jekyll",)

    def act(self, turn: JekyllTurn) -> JekyllAction:
        """The action with the best forecast; of equal ones the first."""
        self._view = turn.view
        self._row = tuple(self._view.rank_row)
        gone = self._view.played_cards[CARDS_A_ROUND * (self._view.round - 1) :]
        self._unseen = [card for card in DECK if card not in self._view.hand and card not in gone]
        self._power = {card: self._share_beaten(card) for card in self._view.hand}
        return max(turn.legal, key=self._worth)

    def _share_beaten(self, card: int) -> float:
        return sum(beats(card, other, self._row) for other in self._unseen) / len(self._unseen)

    def _worth(self, action: JekyllAction) -> float:
        if action.HasField("give"):
            return self._value(0, action.give.cards)
        card, me = action.play.card, self.match.seat
        if self._view.HasField("led_card"):
            return self._value(self._change(self._view.led_card, card, 1 - me), [card])
        wanted = action.play.colour or colour(card)
        answers = [other for other in self._unseen if colour(other) == wanted] or self._unseen
        return sum(self._value(self._change(card, other, me), [card]) for other in answers) / len(answers)

    def _change(self, lead: int, answer: int, leader: int) -> int:
        """By how many tricks a finished trick changes the difference between the bot and the other."""
        winner = leader if beats(lead, answer, ranked(self._row, lead, answer)) else 1 - leader
        purple = PURPLE in (colour(lead), colour(answer)) and max(lead, answer) >= POTIONS
        change = 2 if purple and self._view.tricks[1 - winner] else 1
        return change if winner == self.match.seat else -change

    def _value(self, change: int, spent: Iterable[int]) -> float:
        """How good the forecast is when the difference changes and the hand loses some cards."""
        me, tricks = self.match.seat, self._view.tricks
        left = [2 * power - 1 for card, power in self._power.items() if card not in spent]
        forecast = tricks[me] - tricks[1 - me] + change + sum(left)
        return abs(forecast) if me == HYDE else -abs(forecast)


if __name__ == "__main__":
    croupier.play(RulesBot)
