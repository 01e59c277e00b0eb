"""What the author of a bot writes: a class with one method. No I/O, no protobuf at import."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from croupier._turn import AnyEnd, AnyUpdate, Match, Move, Turn

if TYPE_CHECKING:
    from random import Random


class Resign(Enum):
    """The type of `RESIGN`."""

    RESIGN = "resign"


RESIGN: Final = Resign.RESIGN
"""What `act` returns to give up the match for good."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A move with a note for the bot's owner alone, kept with the record: 4,096 bytes, the rest is cut off."""

    move: Move
    note: str = ""


Choice: TypeAlias = "Move | Answer | Resign"
"""What `act` may return."""


class Bot(ABC):
    """A bot. Subclass it and write `act`, as a plain or an `async` method; the other methods may stay as they are.

    Every match gets a bot object of its own. A plain method runs in the event loop's thread: whatever else the session
    does waits for it, which costs nothing unless several matches are played at a time.
    """

    games: ClassVar[tuple[str, ...]] = ()
    """The ids of the games that the bot can play; empty means every game that this library knows."""

    match: Match
    """The match that this bot plays; there from `start` on."""

    luck: Random
    """The bot's own luck, seeded for this match. A bot that takes all its luck from here can be played again alike."""

    def start(self, match: Match) -> Awaitable[None] | None:  # noqa: B027  # a hook: may stay as it is
        """Prepares for a match; the server waits for it no longer than `match.clock.start_up_ms`."""

    @abstractmethod
    def act(self, turn: Turn[Any, Any, Any]) -> Choice | Awaitable[Choice]:
        """Decides a turn. An exception ends the session: a crash is a crash."""

    def update(self, update: AnyUpdate) -> Awaitable[None] | None:  # noqa: B027
        """Hears news between its own turns; the server sends them to bots that have this method of their own."""

    def end(self, end: AnyEnd) -> Awaitable[None] | None:  # noqa: B027
        """Hears how the match ended."""
