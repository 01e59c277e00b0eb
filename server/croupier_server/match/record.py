"""The record of a match as plain values, and its hashes. No protobuf: the codec beside it turns these into bytes.

The three parts are kept and hashed as bytes. Their split is what makes two runs of one cup comparable: `play` is equal
when the same things were done, `clock` differs with every attempt, `notes` can be taken away.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum
from typing import Any

from croupier_server.match.spec import MatchResult, MatchSpec
from croupier_server.rules import Draw

FORMAT = 1


class DecisionSource(Enum):
    """Who made a decision."""

    BOT = 1
    TIMEOUT = 2  # the fallback, at the cost of a strike
    FORFEITED = 3  # the fallback, for a seat that had forfeited


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision that took effect."""

    step: int  # from 1; simultaneous decisions share one
    seat: int
    turn_id: int | None  # None: the seat had forfeited before it was asked
    action: Any
    source: DecisionSource


@dataclass(frozen=True, slots=True)
class IllegalAnswer:
    """An answer that broke a rule."""

    seat: int
    turn_id: int
    broken_rule: str
    action: Any | None  # None: the answer named none, or an index outside the list


@dataclass(frozen=True, slots=True)
class TurnStamp:
    """The time of one turn; microseconds since the match was opened."""

    seat: int
    turn_id: int
    asked_us: int
    ended_us: int
    host_us: int
    allowed_us: int
    ignored_answers: int

    @property
    def own_us(self) -> int:
        """The bot's own part of the turn."""
        return max(self.ended_us - self.asked_us - self.host_us, 0)


class IncidentKind(Enum):
    """What happened to a seat beside its turns."""

    READY = 1
    DISCONNECTED = 2
    RESUMED = 3
    FORFEITED = 4


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that happened to a seat beside its turns."""

    seat: int
    kind: IncidentKind
    at_us: int
    detail: str


@dataclass(frozen=True, slots=True)
class Note:
    """A note of a bot for its owner."""

    seat: int
    turn_id: int
    text: str


@dataclass(frozen=True, slots=True)
class MatchPlay:
    """What two runs of one cup with the same secret have in common."""

    spec: MatchSpec
    block_key: bytes
    draws: tuple[Draw, ...]
    decisions: tuple[Decision, ...]
    illegal_answers: tuple[IllegalAnswer, ...]
    result: MatchResult


@dataclass(frozen=True, slots=True)
class MatchClock:
    """What differs between attempts."""

    match_id: str
    attempt: int
    salt: bytes
    commitment: bytes
    opened_unix_ms: int
    turns: tuple[TurnStamp, ...]  # by seat, then by turn
    incidents: tuple[Incident, ...]  # in order
    over_us: int


@dataclass(frozen=True, slots=True)
class MatchNotes:
    """What the owners' bots wrote, under a salt so that a removed note cannot be guessed from its hash."""

    salt: bytes
    notes: tuple[Note, ...]  # by seat, then by turn


@dataclass(frozen=True, slots=True)
class Hashes:
    """The four hashes of a record, 32 bytes each."""

    play: bytes
    clock: bytes
    notes: bytes
    record: bytes


def part_hash(part: str, data: bytes) -> bytes:
    """The hash of the bytes of "play", "clock" or "notes"."""
    return hashlib.sha256(f"croupier {part} {FORMAT}".encode() + data).digest()


def record_hash(play: bytes, clock: bytes, notes: bytes) -> bytes:
    """The hash over the three hashes."""
    return part_hash("record", play + clock + notes)


def hashes(play: bytes, clock: bytes, notes: bytes) -> Hashes:
    """The hashes of a record from the bytes of its parts."""
    parts = part_hash("play", play), part_hash("clock", clock), part_hash("notes", notes)
    return Hashes(*parts, record=record_hash(*parts))
