"""Leaks planted in witch21, which has secrets of two seats, a pile, cards set aside, and secret factions."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.secrecy.checks import LeakError, log_decides, nothing_interferes
from tests.secrecy.leaks import Leaky
from tests.support.worlds import Viewer

from croupier_server.games.witch21 import FIVES, GAME
from croupier_server.games.witch21_words import (
    Action,
    CardsDealt,
    FactionJoined,
    GameJudged,
    Observation,
    Phase,
    SwapSeen,
)
from croupier_server.rules import Entry, Seat

Check = Callable[..., None]


class TellsAllTheSwap(Leaky):
    """What two of the seats may know is announced."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [Entry(entry.event) if isinstance(entry.event, SwapSeen) else entry for entry in entries]


class TellsTheActorAloneTheSwap(Leaky):
    """The other seat of a swap is not told how its hand has changed."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        swaps = [entry for entry in entries if isinstance(entry.event, SwapSeen)]
        return [entry for entry in entries if entry not in swaps[1:]]


class ShowsTheFirstChoice(Leaky):
    """While the two of a trade choose, the view of a seat depends on the hand of the other one."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        if view.phase is not Phase.TRADE:
            return view
        return dataclasses.replace(view, received_cards=(*view.received_cards, self.inner.hands[view.turn][0]))


class ShowsTheNextCard(Leaky):
    """A size in the view depends on the card on top of the pile."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        return dataclasses.replace(view, pile_size=view.pile_size + sum(self.inner.pile[:1]))


class TellsAllTheDrawnCard(Leaky):
    """What is drawn from the pile is announced."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [
            Entry(entry.event) if isinstance(entry.event, CardsDealt) and len(entry.event.cards) == 1 else entry
            for entry in entries
        ]


class ShowsACardSetAside(Leaky):
    """A size in the view depends on the cards that did not go round."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        if view.phase is Phase.CHOOSE:
            return view
        known = Counter([*view.played_cards, *(card for hand in self.inner.hands for card in hand)])
        aside = Counter(self.inner.options.deck) - known
        return dataclasses.replace(view, pile_size=max(aside))


class ShowsANeighboursFaction(Leaky):
    """In the blind game a view names the faction of another seat."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        return dataclasses.replace(view, factions=self.inner.factions[:1])


class TellsAllTheFactions(Leaky):
    """In the blind game factions are announced."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [Entry(entry.event) if isinstance(entry.event, FactionJoined) else entry for entry in entries]


class RevealsTooEarly(Leaky):
    """Hands are shown before the game is over, as soon as it may be over with the next card."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        if max(view.counts) < 16:
            return view
        return dataclasses.replace(view, last_hands=tuple([c for hand in self.inner.hands for c in sorted(hand)]))


class JudgesTooEarly(Leaky):
    """Who would win now is announced before the game is over."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        if not self.inner.played or self.inner.outcome():
            return entries
        return [*entries, Entry(GameJudged((), (), (), *self.inner.verdict()))]


class ExplainsTooMuch(Leaky):
    """The reason of a refusal depends on the fives of the next hand."""

    def broken_rule(self, seat: Seat, action: Action) -> str:
        fives = FIVES.intersection(self.inner.hands[(seat + 1) % len(self.inner.hands)])
        return f"{self.inner.broken_rule(seat, action)} ({len(fives)})"


@pytest.mark.parametrize(
    ("check", "leak", "variant", "seats"),
    [
        (nothing_interferes, TellsAllTheSwap, "standard", 4),
        (nothing_interferes, TellsAllTheSwap, "draw3-first", 6),
        (log_decides, TellsTheActorAloneTheSwap, "standard", 3),
        (log_decides, ShowsTheFirstChoice, "standard", 3),
        (nothing_interferes, ShowsTheFirstChoice, "standard", 3),
        (log_decides, ShowsTheNextCard, "draw3", 4),
        (nothing_interferes, ShowsTheNextCard, "draw3", 4),
        (nothing_interferes, ShowsTheNextCard, "draw3-first", 4),
        (nothing_interferes, TellsAllTheDrawnCard, "draw3", 3),
        (nothing_interferes, TellsAllTheDrawnCard, "blind-draw3", 6),
        (log_decides, ShowsACardSetAside, "own-deck", 3),
        (nothing_interferes, ShowsACardSetAside, "own-deck", 4),
        (log_decides, ShowsANeighboursFaction, "blind", 3),
        (nothing_interferes, ShowsANeighboursFaction, "blind", 4),
        (nothing_interferes, TellsAllTheFactions, "blind", 6),
        (log_decides, RevealsTooEarly, "standard", 3),
        (nothing_interferes, RevealsTooEarly, "blind", 3),
        (nothing_interferes, JudgesTooEarly, "blind", 4),
        (log_decides, ExplainsTooMuch, "standard", 3),
        (nothing_interferes, ExplainsTooMuch, "standard", 6),
    ],
)
def test_a_planted_leak_is_found(check: Check, leak: type[Leaky], variant: str, seats: int) -> None:
    with pytest.raises(LeakError):
        check(leak.spoil(GAME), variant, seats)


@pytest.mark.parametrize("check", [log_decides, nothing_interferes])
def test_the_wrapper_itself_does_not_leak(check: Check) -> None:
    check(Leaky.spoil(GAME), "blind-draw3", 4, enough=200)
