"""Leaks planted in brujas, where three or more seats and twins make other ones possible than in a game of two."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.secrecy.checks import LeakError, log_decides, nothing_interferes
from tests.secrecy.leaks import Leaky
from tests.support.worlds import Viewer

from croupier_server.games.brujas import DECK, GAME, Action, CardPlayed, HandDealt, Observation
from croupier_server.rules import Entry, Seat

Check = Callable[..., None]


class ShowsOneSeatANeighboursCard(Leaky):
    """The view of seat 2, and no other one, holds a card of seat 0."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        return dataclasses.replace(view, hand=view.hand + self.inner.hands[0][:1]) if viewer == 2 else view


class ShowsTheCardLeftOver(Leaky):
    """A size in the view depends on the card that nobody knows."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        if view.played_cards:
            return view
        (left,) = (Counter(DECK) - Counter([card for hand in self.inner.hands for card in hand])).elements()
        return dataclasses.replace(view, hand_sizes=(*view.hand_sizes, left))


class TellsOneSeatTheNextHand(Leaky):
    """The hand of seat 1 is whispered to seat 0 as well."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        more = [Entry(entry.event, 0) for entry in entries if isinstance(entry.event, HandDealt) and entry.reader == 1]
        return entries + more


class TellsOfTwinsToCome(Leaky):
    """That a card is told twice depends on who holds its twin."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        played = [entry for entry in entries if isinstance(entry.event, CardPlayed)]
        return entries + [entry for entry in played if entry.event.card in self.inner.hands[0]]


class WarnsOfTwins(Leaky):
    """A legal list is in another order when the next seat holds a twin of its first card."""

    def legal(self, seat: Seat) -> Sequence[Action]:
        actions: Sequence[Action] = self.inner.legal(seat)
        hands = self.inner.hands
        return actions[::-1] if hands[seat] and hands[seat][0] in hands[(seat + 1) % len(hands)] else actions


@pytest.mark.parametrize(
    ("check", "leak"),
    [
        (log_decides, ShowsOneSeatANeighboursCard),
        (log_decides, ShowsTheCardLeftOver),
        (log_decides, WarnsOfTwins),
        (nothing_interferes, ShowsOneSeatANeighboursCard),
        (nothing_interferes, ShowsTheCardLeftOver),
        (nothing_interferes, TellsOneSeatTheNextHand),
        (nothing_interferes, TellsOfTwinsToCome),
        (nothing_interferes, WarnsOfTwins),
    ],
)
def test_a_planted_leak_is_found(check: Check, leak: type[Leaky]) -> None:
    with pytest.raises(LeakError):
        check(leak.spoil(GAME), "standard", 3)
