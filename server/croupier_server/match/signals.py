"""What goes into the referee and what comes out of it: plain values, one class a kind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from croupier_server.match.spec import MatchResult
from croupier_server.rules import Seat


# In
@dataclass(frozen=True, slots=True)
class Joined:
    """A session plays this seat now: for the first time, or again after its connection was lost."""

    seat: Seat
    wants_updates: bool = False
    last_sequence: int | None = None  # of the last event it knows; None: it does not know the match


@dataclass(frozen=True, slots=True)
class Ready:
    """The bot is ready to play."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Answered:
    """The bot answered a turn: an index into the legal actions, an action, or None when it made no sense."""

    seat: Seat
    turn_id: int
    choice: Any
    note: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """The bot's connection was lost."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ProcessEnded:
    """The bot's process, launched for this cup, has ended."""

    seat: Seat
    detail: str


@dataclass(frozen=True, slots=True)
class Resigned:
    """The bot gave up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The entrant was withdrawn from its cup: nobody will play this seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HostDelay:
    """The host held up all seats (None), or made the process of one wait for a processor."""

    seat: Seat | None
    us: int


@dataclass(frozen=True, slots=True)
class Abort:
    """The match cannot go on, by a fault of the host."""

    reason: str


Input: TypeAlias = Joined | Ready | Answered | Left | ProcessEnded | Resigned | Withdrawn | HostDelay | Abort


# Out
class Refusal(Enum):
    """Why something was refused; numbered like ErrorCode in play_service.proto."""

    STALE_TURN = 7
    ILLEGAL_ACTION = 8
    TIMED_OUT = 10
    FORFEITED = 11


@dataclass(frozen=True, slots=True)
class Start:
    """The match is about to begin; what it is about stands in the spec."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A decision is asked."""

    turn_id: int
    view: Any
    events: tuple[Any, ...]
    last_sequence: int
    legal: tuple[Any, ...]
    remaining_us: int
    bank_us: int
    strikes: int


@dataclass(frozen=True, slots=True)
class News:
    """News between turns."""

    events: tuple[Any, ...]
    last_sequence: int
    view: Any


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer, or a seat, was refused."""

    refusal: Refusal
    text: str
    turn_id: int | None = None
    strikes: int | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The match is over."""

    result: MatchResult
    events: tuple[Any, ...]
    last_sequence: int
    view: Any | None  # None: the match never began, or was aborted


Message: TypeAlias = Start | Ask | News | Refused | End


@dataclass(frozen=True, slots=True)
class Send:
    """A message for the bot on a seat."""

    seat: Seat
    message: Message
