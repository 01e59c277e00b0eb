"""The values that go into a store and come out of it. Plain and immutable; no SQL, and nothing of games or the wire.

Times of day are milliseconds since 1970-01-01T00:00Z, spans are microseconds. Matches and blocks count from 1 in
schedule order, seats stand in order from seat 0, entrants are known by their names. Enum values are the words stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Isolation(StrEnum):
    """What keeps the bots of a cup apart."""

    SESSION = "session"
    PROCESS = "process"
    SANDBOX = "sandbox"


class AttemptState(StrEnum):
    """Where an attempt at a match stands."""

    RUNNING = "running"
    COMMITTED = "committed"  # its outcome is the match's
    INTERRUPTED = "interrupted"  # the host died
    ABORTED = "aborted"  # a fault of ours, not of a bot


class Termination(StrEnum):
    """Why a match ended; the members are named like those of the match's own enum."""

    NORMAL = "normal"
    FORFEIT = "forfeit"
    ABORTED = "aborted"


class ForfeitReason(StrEnum):
    """Why a seat forfeited; the members are named like those of the match's own enum."""

    TIMEOUT = "timeout"
    ILLEGAL_ACTION = "illegal_action"
    DISCONNECT = "disconnect"
    CRASH = "crash"
    NOT_READY = "not_ready"
    RESIGNED = "resigned"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class NewEntrant:
    """A bot's entry in a new cup."""

    name: str  # unique in the cup
    remote: bool = False
    token_hash: bytes | None = field(default=None, repr=False)  # SHA-256, 32 bytes


@dataclass(frozen=True, slots=True)
class NewCup:
    """A cup with its whole schedule."""

    name: str  # unique in the store
    game: str
    file: bytes  # the cup file, byte for byte
    secret: bytes = field(repr=False)  # 32 bytes; the root of all luck
    isolation: Isolation
    duplicate: bool
    seats: int  # of every match
    entrants: tuple[NewEntrant, ...]  # in order of the cup file
    schedule: tuple[int, ...]  # the block of every match, in schedule order; blocks are 1, 2, … without a gap
    created_unix_ms: int
    version: str  # of the Croupier that makes the cup


@dataclass(frozen=True, slots=True)
class NewAttempt:
    """A match about to be opened."""

    match_id: str  # opaque, new for every attempt
    cup: str
    number: int
    redraw: int  # the block's, as the caller knows it
    started_unix_ms: int


@dataclass(frozen=True, slots=True)
class SeatForfeit:
    """A seat gave up, or was made to."""

    reason: ForfeitReason
    decisions_before: int  # decisions of all seats that had taken effect
    instant: int  # order among the match's forfeits from 1; equal means tied
    was_ready: bool


@dataclass(frozen=True, slots=True)
class SeatRow:
    """What a match was for one seat."""

    entrant: str
    place: int | None  # finishing rank from 1; none when the match was aborted
    score: int | None  # the rules' points; all seats have one or none has
    forfeit: SeatForfeit | None
    turns: int
    thinking_us: int  # over all turns, the host's part left out
    host_us: int  # the host's part


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """The outcome of a running attempt. Aborted means that the match will not be played again and never counts."""

    match_id: str
    termination: Termination
    seats: tuple[SeatRow, ...]
    play_hash: bytes  # 32 bytes
    record_hash: bytes  # 32 bytes
    record: bytes = field(repr=False)
    committed_unix_ms: int
    detail: str = ""  # what went wrong; for the attempt


@dataclass(frozen=True, slots=True)
class Walkover:
    """The outcome of a match that is not played, since entrants were withdrawn before it."""

    cup: str
    number: int
    redraw: int
    seats: tuple[SeatRow, ...]
    committed_unix_ms: int


@dataclass(frozen=True, slots=True)
class CupRow:
    """A cup as anybody may see it."""

    name: str
    game: str
    isolation: Isolation
    duplicate: bool
    seats: int
    created_unix_ms: int
    closed_unix_ms: int | None  # set once all its matches are over, or it was stopped
    version: str
    file_sha256: bytes
    matches_scheduled: int
    matches_over: int  # with an outcome in force, walkovers and aborted matches included

    @property
    def closed(self) -> bool:
        """Whether nothing will be played in it any more."""
        return self.closed_unix_ms is not None


@dataclass(frozen=True, slots=True)
class CupSetup:
    """What only the host of a cup may see."""

    file: bytes
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """An entrant."""

    number: int  # from 1, in order of the cup file
    name: str
    remote: bool
    token_hash: bytes | None = field(repr=False)
    withdrawn_after: int | None  # the number of the match whose outcome withdrew it

    @property
    def withdrawn(self) -> bool:
        """Whether it is out of the cup."""
        return self.withdrawn_after is not None


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A block of the schedule."""

    number: int
    redraw: int  # how many times it was drawn anew
    over: bool  # each of its matches has an outcome in force, or the cup is closed
    counted: bool  # each of its matches has an outcome in force, and none was aborted


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An attempt at a match; every one is kept."""

    match_id: str
    number: int
    block: int
    redraw: int
    attempt: int  # at this match in this redraw, from 1
    started_unix_ms: int
    state: AttemptState
    detail: str  # what went wrong; empty when nothing did


@dataclass(frozen=True, slots=True)
class MatchRow:
    """An outcome of a match. Until it is open to all, only places, scores and time use may be told."""

    id: int  # of the outcome within the store, in order of commitment
    cup: str
    number: int
    block: int
    redraw: int
    match_id: str | None  # none for a walkover
    termination: Termination
    committed_unix_ms: int
    play_hash: bytes | None  # none for a walkover
    record_hash: bytes | None  # none for a walkover
    current: bool  # in force: its block was not drawn anew since, and it was not overridden
    counted: bool  # it is current and its block counts
    open_to_all: bool  # its block is over, as it stands now
    seats: tuple[SeatRow, ...]

    @property
    def position(self) -> tuple[int, int, int]:
        """Where it stands among all outcomes of its cup; for reading on from there."""
        return self.number, self.redraw, self.id


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A match with its record, as the bytes that were committed."""

    match: MatchRow
    record: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One row of a table."""

    rank: int  # from 1; equal ratings share one
    entrant: str
    elo: float
    elo_margin: float | None  # half the width of the 95 % interval
    sequential_elo: float
    matches: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    ms_per_turn: float | None


@dataclass(frozen=True, slots=True)
class Standings:
    """A table as last computed, best first."""

    blocks: int = 0  # complete blocks that it rests on
    rows: tuple[StandingRow, ...] = ()
