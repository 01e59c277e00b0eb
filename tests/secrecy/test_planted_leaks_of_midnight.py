"""Secrets planted in midnight, which has none, are found; without them the same wrapper passes."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from tests.secrecy import open_books
from tests.secrecy.checks import LeakError
from tests.secrecy.leaks import Leaky
from tests.secrecy.open_books import nothing_is_hidden
from tests.support.worlds import Viewer

from croupier_server.games.midnight import GAME
from croupier_server.games.midnight_words import DieRolled, GuestsCaptured, Observation
from croupier_server.rules import Entry


class WhispersTheRoll(Leaky):
    """What a seat rolls is told to it alone."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [
            Entry(entry.event, entry.event.seat) if isinstance(entry.event, DieRolled) else entry for entry in entries
        ]


class TellsNoRoll(Leaky):
    """What a seat rolls is told to nobody."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return [entry for entry in entries if not isinstance(entry.event, DieRolled)]


class TellsOneSeatMore(Leaky):
    """One seat is told of captures twice."""

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        return entries + [Entry(entry.event, 1) for entry in entries if isinstance(entry.event, GuestsCaptured)]


class ShowsSpectatorsLess(Leaky):
    """Spectators do not see the scores."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        return dataclasses.replace(view, scores=()) if viewer is None else view


class ShowsOneSeatLess(Leaky):
    """One seat does not see what was rolled."""

    def view(self, viewer: Viewer) -> Observation:
        view: Observation = self.inner.view(viewer)
        return dataclasses.replace(view, rolled=None) if viewer == 1 else view


@pytest.mark.parametrize(
    "leak", [WhispersTheRoll, TellsNoRoll, TellsOneSeatMore, ShowsSpectatorsLess, ShowsOneSeatLess]
)
@pytest.mark.parametrize("variant", ["standard", "new"])
def test_a_planted_secret_is_found(leak: type[Leaky], variant: str) -> None:
    with pytest.raises(LeakError):
        nothing_is_hidden(leak.spoil(GAME), variant, 3)


def test_the_wrapper_itself_hides_nothing() -> None:
    nothing_is_hidden(Leaky.spoil(GAME), "standard", 2, enough=200)


def test_a_check_that_compares_too_little_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_books, "MOST_WORLDS", 1)
    with pytest.raises(AssertionError, match=r"only .* not 100000"):
        nothing_is_hidden(GAME, "new", 2, enough=100_000)
