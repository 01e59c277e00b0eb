"""Games that leak on purpose: a wrapper around a real game, for subclasses to say more than they may."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from tests.support.worlds import Viewer

from croupier_server.rules import AnyGame, AnyState, Entry, Outcome, Seat, Table


@dataclass(frozen=True)
class Leaky:
    """A position of the real game. Subclasses override one method."""

    inner: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def to_act(self) -> tuple[Seat, ...]:
        """As the real game."""
        seats: tuple[Seat, ...] = self.inner.to_act()
        return seats

    def legal(self, seat: Seat) -> Sequence[Any]:
        """As the real game."""
        actions: Sequence[Any] = self.inner.legal(seat)
        return actions

    def broken_rule(self, seat: Seat, action: Any) -> str:
        """As the real game."""
        reason: str = self.inner.broken_rule(seat, action)
        return reason

    def view(self, viewer: Viewer) -> Any:
        """As the real game."""
        return self.inner.view(viewer)

    def outcome(self) -> Outcome | None:
        """As the real game."""
        result: Outcome | None = self.inner.outcome()
        return result

    def news(self, entries: list[Entry[Any]]) -> list[Entry[Any]]:
        """What is told on the way to this position; as the real game."""
        return entries

    def play(self, actions: Mapping[Seat, Any], table: Table[Any]) -> Self:
        """As the real game, with its news passed through `news`."""
        real: Table[Any] = Table(table.chance)
        after = type(self)(self.inner.play(actions, real))
        table.news += after.news(real.news)
        return after

    @classmethod
    def spoil(cls, game: AnyGame) -> AnyGame:
        """The game with this leak."""

        def deal(options: Any, seats: int, table: Table[Any]) -> AnyState:
            real: Table[Any] = Table(table.chance)
            first = cls(game.deal(options, seats, real))
            table.news += first.news(real.news)
            return first

        return dataclasses.replace(game, deal=deal)
