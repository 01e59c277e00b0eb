"""What rules may touch besides the state: luck in, news out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from croupier_server.rules.chance import Chance

EventT = TypeVar("EventT")


@dataclass(frozen=True, slots=True)
class Entry(Generic[EventT]):
    """One piece of news and who may read it (None: everyone, spectators too)."""

    event: EventT
    reader: int | None = None


@dataclass(slots=True)
class Table(Generic[EventT]):
    """Handed to `deal` and `play`; whoever runs the match empties `news` after each call."""

    chance: Chance
    news: list[Entry[EventT]] = field(default_factory=list)

    def announce(self, event: EventT) -> None:
        """Tells everyone."""
        self.news.append(Entry(event))

    def whisper(self, seat: int, event: EventT) -> None:
        """Tells one seat only."""
        self.news.append(Entry(event, seat))
