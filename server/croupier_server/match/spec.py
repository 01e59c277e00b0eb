"""A match as it is ordered, and how it ended. Plain values named like the messages in match.proto; no I/O."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from croupier_server.rules import AnyGame


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a seat may think; all in milliseconds."""

    start_up_ms: int = 20_000  # from the opening of the match to Ready
    bank_ms: int = 10_000  # for the whole match
    increment_ms: int = 500  # added to the bank at the start of every turn
    turn_cap_ms: int = 5_000  # the most for one turn
    disconnect_grace_ms: int = 10_000  # without a connection, while the clock runs on


@dataclass(frozen=True, slots=True)
class Policy:
    """What misbehaviour costs."""

    strikes: int = 3  # a seat forfeits at its last strike


class Termination(Enum):
    """Why a match ended, which is not who won."""

    NORMAL = 1
    FORFEIT = 2
    ABORTED = 3


class ForfeitReason(Enum):
    """Why a seat forfeited."""

    TIMEOUT = 1
    ILLEGAL_ACTION = 2
    DISCONNECT = 3
    CRASH = 4
    NOT_READY = 5
    RESIGNED = 6
    WITHDRAWN = 7


@dataclass(frozen=True, slots=True)
class Forfeit:
    """One seat gave up, or was made to."""

    seat: int
    reason: ForfeitReason
    decisions_before: int  # decisions of all seats that had taken effect
    instant: int  # order among the match's forfeits from 1; equal means tied
    was_ready: bool


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended."""

    termination: Termination
    places: tuple[int, ...] = ()  # by seat, from 1; empty when aborted
    scores: tuple[int, ...] = ()  # by seat; empty unless the game reached its end
    forfeits: tuple[Forfeit, ...] = ()  # in order


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """A seat as the match was ordered."""

    entrant: str
    bot_seed: int  # 64 bits; secret but to its seat


@dataclass(frozen=True, slots=True)
class ScheduleIdentity:
    """Where a match stands in its cup's schedule; never told to a bot."""

    cup: str
    block: int  # among the blocks of the same entrants, from 0
    seating: int  # within the block, from 0
    redraw: int = 0  # how many times the block was drawn anew
    duplicate: bool = True  # whether all seatings of a block share one deal


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """A match as ordered: with the block key, all that the referee needs."""

    game: AnyGame
    options: Any  # of the game's options class
    behavior: int
    seats: tuple[SeatSpec, ...]
    identity: ScheduleIdentity
    clock: Clock
    policy: Policy
