"""Leaks planted in luther: a pile whose order nobody may know, and silence where seats must hear that one passed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.secrecy.checks import LeakError, log_decides, nothing_interferes
from tests.secrecy.leaks import Leaky
from tests.support.worlds import Viewer

from croupier_server.games.luther import GAME
from croupier_server.games.luther_words import Abstained, Action, HandDealt, IndulgenceOpened, Observation, Phase
from croupier_server.rules import Entry, Seat

Check = Callable[..., None]


class ShowsTheTopOfThePile(Leaky):
    """The display holds what will be opened next."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        return dataclasses.replace(view, display=view.display + self.inner.pile[:1])


class ShowsTheTopToTheTaker(Leaky):
    """The view of the seat that chooses an indulgence, and no other one, holds what will be opened next."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        if view.phase is not Phase.TAKE or viewer != view.turn:
            return view
        return dataclasses.replace(view, opened_indulgences=view.opened_indulgences + self.inner.pile[:1])


class ShowsTheBottomInASize(Leaky):
    """A number in the view depends on the last indulgence of the pile."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        return dataclasses.replace(view, pile_size=view.pile_size + sum(self.inner.pile[-1:]))


class TellsOfThePile(Leaky):
    """That an indulgence is told twice depends on the one below it."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        opened = [entry for entry in entries if isinstance(entry.event, IndulgenceOpened)]
        return entries + [entry for entry in opened if self.inner.pile and self.inner.pile[0] < entry.event.indulgence]


class WarnsOfThePile(Leaky):
    """A legal list is in another order when a certain indulgence comes next."""

    def legal(self, seat: Seat) -> Sequence[Action]:
        actions: Sequence[Action] = self.inner.legal(seat)
        return actions[::-1] if self.inner.pile and self.inner.pile[0] % 2 else actions


class ExplainsTooMuch(Leaky):
    """The reason of a refusal depends on the hand of the next seat."""

    def broken_rule(self, seat: Seat, action: Action) -> str:
        hands = self.inner.hands
        return f"{self.inner.broken_rule(seat, action)} {hands[(seat + 1) % len(hands)][:1]}"


class TellsNobodyWhoPassed(Leaky):
    """The turn goes on, and nobody is told why."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [entry for entry in entries if not isinstance(entry.event, Abstained)]


class TellsSpectatorsAHand(Leaky):
    """The hand of seat 2 is announced."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [
            Entry(entry.event) if isinstance(entry.event, HandDealt) and entry.reader == 2 else entry
            for entry in entries
        ]


@pytest.mark.parametrize(
    ("check", "leak"),
    [
        (log_decides, ShowsTheTopOfThePile),
        (log_decides, ShowsTheTopToTheTaker),
        (log_decides, ShowsTheBottomInASize),
        (log_decides, WarnsOfThePile),
        (log_decides, ExplainsTooMuch),
        (nothing_interferes, ShowsTheTopOfThePile),
        (nothing_interferes, ShowsTheTopToTheTaker),
        (nothing_interferes, ShowsTheBottomInASize),
        (nothing_interferes, TellsOfThePile),
        (nothing_interferes, WarnsOfThePile),
        (nothing_interferes, ExplainsTooMuch),
        (nothing_interferes, TellsSpectatorsAHand),
    ],
)
def test_a_planted_leak_is_found(check: Check, leak: type[Leaky]) -> None:
    with pytest.raises(LeakError):
        check(leak.spoil(GAME), "standard", 3)


def test_a_silence_where_a_seat_passed_is_found() -> None:
    with pytest.raises(LeakError):
        log_decides(TellsNobodyWhoPassed.spoil(GAME), "easy-runs", 5, enough=10_000)
