"""Leaks of every kind, planted in jekyll, are found; without them the same wrapper passes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.secrecy import checks
from tests.secrecy.checks import LeakError, log_decides, nothing_interferes
from tests.secrecy.leaks import Leaky
from tests.secrecy.rightful import NOBODY, RIGHTFUL, Rightful
from tests.support.worlds import Viewer

from croupier_server.games.jekyll import (
    CARDS,
    DECK,
    FIRST_POTION,
    GAME,
    Action,
    CardPlayed,
    HandDealt,
    Observation,
    Phase,
    RoundBegan,
    SwapSeen,
)
from croupier_server.rules import AnyGame, Entry, Seat

Check = Callable[..., None]


class ShowsTheOtherHand(Leaky):
    """A view holds a card of the other seat."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        hand = self.inner.hands[1 - (viewer or 0)]
        return dataclasses.replace(view, received_cards=view.received_cards + hand[:1])


class CountsPotionsInASize(Leaky):
    """A size in the view depends on cards that are hidden."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        mine, others = view.hand_sizes
        return dataclasses.replace(view, hand_sizes=(mine + len(_potions(self.inner.hands[0])), others))


class ShowsACardSetAside(Leaky):
    """A number in the view depends on the five cards aside."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        return dataclasses.replace(view, marker=self._aside()[0]) if view.phase is Phase.EXCHANGE else view

    def _aside(self) -> list[int]:
        return [card for card in DECK if card not in self.inner.hands[0] + self.inner.hands[1]]


class TellsNobodyWhichCardsWereSwapped(Leaky):
    """Hands change, and their owners are not told how."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [entry for entry in entries if not isinstance(entry.event, SwapSeen)]


class TellsEverybodyTheHands(Leaky):
    """What should be whispered is announced."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [Entry(entry.event) if isinstance(entry.event, HandDealt) else entry for entry in entries]


class TellsTheWrongSeat(Leaky):
    """A whisper goes to the other seat."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [
            Entry(entry.event, 1 - entry.reader) if isinstance(entry.event, HandDealt) and entry.reader else entry
            for entry in entries
        ]


class TellsSpectatorsTheSwap(Leaky):
    """What two seats may know is announced."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [Entry(entry.event) if isinstance(entry.event, SwapSeen) else entry for entry in entries]


class TellsACardSetAside(ShowsACardSetAside):
    """An event names one of the five cards aside, and no view does."""

    def view(self, viewer: Viewer) -> Any:
        return self.inner.view(viewer)

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        began = any(isinstance(entry.event, RoundBegan) for entry in entries)
        return [*entries, Entry(CardPlayed(0, self._aside()[0], None))] if began else entries


class TellsThingsTwice(Leaky):
    """How many events there are depends on cards that are hidden; what they say does not."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return entries * 2 if CARDS.parse("5+") in self.inner.hands[1] else entries


class ExplainsTooMuch(Leaky):
    """The reason of a refusal depends on the other hand."""

    def broken_rule(self, seat: Seat, action: Action) -> str:
        return f"{self.inner.broken_rule(seat, action)} ({len(_potions(self.inner.hands[1 - seat]))})"


class WarnsOfPotions(Leaky):
    """A legal list is longer when the other seat holds a certain card."""

    def legal(self, seat: Seat) -> Sequence[Action]:
        actions: Sequence[Action] = self.inner.legal(seat)
        return [*actions, *actions] if CARDS.parse("5+") in self.inner.hands[1 - seat] else actions


def _potions(hand: tuple[int, ...]) -> list[int]:
    return [card for card in hand if card >= FIRST_POTION]


@pytest.mark.parametrize(
    ("check", "leak"),
    [
        (log_decides, ShowsTheOtherHand),
        (log_decides, CountsPotionsInASize),
        (log_decides, ShowsACardSetAside),
        (log_decides, TellsNobodyWhichCardsWereSwapped),
        (log_decides, ExplainsTooMuch),
        (log_decides, WarnsOfPotions),
        (nothing_interferes, ShowsTheOtherHand),
        (nothing_interferes, CountsPotionsInASize),
        (nothing_interferes, ShowsACardSetAside),
        (nothing_interferes, TellsEverybodyTheHands),
        (nothing_interferes, TellsTheWrongSeat),
        (nothing_interferes, TellsSpectatorsTheSwap),
        (nothing_interferes, TellsACardSetAside),
        (nothing_interferes, TellsThingsTwice),
        (nothing_interferes, ExplainsTooMuch),
        (nothing_interferes, WarnsOfPotions),
    ],
)
@pytest.mark.parametrize("variant", ["standard", "greed-random"])
def test_a_planted_leak_is_found(check: Check, leak: type[Leaky], variant: str) -> None:
    with pytest.raises(LeakError):
        check(leak.spoil(GAME), variant, 2)


@pytest.mark.parametrize("check", [log_decides, nothing_interferes])
def test_the_wrapper_itself_does_not_leak(check: Check) -> None:
    check(Leaky.spoil(GAME), "standard", 2, enough=200)


@pytest.mark.parametrize("check", [log_decides, nothing_interferes])
def test_a_check_that_compares_too_little_fails(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MOST_WORLDS", 1)
    with pytest.raises(AssertionError, match=r"only .* not 1000"):
        check(GAME, "standard", 2)


def test_what_a_viewer_may_know_is_noticed_when_the_check_takes_it_for_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_known = Rightful(lambda _options, _seats, _label, size: (NOBODY,) * size, RIGHTFUL["jekyll"].shown)
    monkeypatch.setitem(RIGHTFUL, "jekyll", nothing_known)
    with pytest.raises(LeakError, match="by what it is told"):
        nothing_interferes(GAME, "standard", 2)


def test_a_game_without_a_list_of_what_may_be_known_fails() -> None:
    nameless: AnyGame = dataclasses.replace(GAME, id="nameless")
    with pytest.raises(KeyError, match="nameless"):
        nothing_interferes(nameless, "standard", 2)
