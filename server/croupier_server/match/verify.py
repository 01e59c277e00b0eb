"""Checks a record without trusting whoever wrote it: no server, no store, no network.

Each check is a function that raises `Fault` with the place, what was found and what was expected. They run in an order
in which each may rely on those before it, and stop at the first fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from croupier.v1 import record_pb2
from croupier_server.match import codec
from croupier_server.match.audit_clock import check_incidents, check_turns
from croupier_server.match.audit_play import check_decisions, check_outcome, check_strikes
from croupier_server.match.faults import Fault, require
from croupier_server.match.keys import commitment
from croupier_server.match.record import Hashes, MatchClock, MatchNotes, MatchPlay, part_hash, record_hash


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verified record holds, and what was checked, in words."""

    play: MatchPlay
    clock: MatchClock
    notes: MatchNotes | None  # None: they were removed
    hashes: Hashes
    checked: tuple[str, ...]


def verify(data: bytes) -> Verified:
    """Checks the bytes of a record from a file or a store; raises Fault at the first thing that is wrong."""
    try:
        record = codec.read_record(data)
        hashes = _check_hashes(record)
        play, clock = codec.read_play(record.play), codec.read_clock(record.clock)
        notes = codec.read_notes(record.notes) if record.HasField("notes") else None
    except ValueError as error:
        raise Fault(str(error)) from error
    checked = [f"hashes: play, clock, {'notes' if notes else 'notes (removed)'} and record {hashes.record.hex()}"]
    checked += [check(play, clock) for check in _CHECKS]
    return Verified(play, clock, notes, hashes, tuple(checked))


def _check_hashes(record: record_pb2.MatchRecord) -> Hashes:
    for part in ("play", "clock", "notes"):
        if part == "notes" and not record.HasField("notes"):
            continue
        found = getattr(record, f"{part}_hash")
        expected = part_hash(part, getattr(record, part))
        require(found == expected, f"{part}_hash is {found.hex()}, the {part} gives {expected.hex()}")
    expected = record_hash(record.play_hash, record.clock_hash, record.notes_hash)
    found = record.record_hash
    require(found == expected, f"record_hash is {found.hex()}, the three hashes give {expected.hex()}")
    return Hashes(record.play_hash, record.clock_hash, record.notes_hash, record.record_hash)


def _check_spec(play: MatchPlay, clock: MatchClock) -> str:
    spec = play.spec
    require(spec.behavior == spec.game.behavior, f"{spec.game.id} behavior {spec.behavior} is not known here")
    seats = len(spec.seats)
    require(seats in spec.game.seats, f"{seats} seats: {spec.game.id} is for {spec.game.seats}")
    try:
        spec.game.check(spec.options, seats)
    except ValueError as error:
        raise Fault(f"options: {error}") from error
    require(spec.policy.strikes >= 1, "policy: strikes must be at least 1")
    return f"spec: {spec.game.id}, {seats} seats, attempt {clock.attempt}"


def _check_commitment(play: MatchPlay, clock: MatchClock) -> str:
    expected = commitment(clock.match_id, clock.salt, play.block_key)
    require(clock.commitment == expected, f"commitment is {clock.commitment.hex()}, the key gives {expected.hex()}")
    return f"commitment: {expected.hex()}"


_CHECKS: tuple[Callable[[MatchPlay, MatchClock], str], ...] = (
    _check_spec,
    _check_commitment,
    check_decisions,
    check_strikes,
    check_turns,
    check_incidents,
    check_outcome,
)


def describe(verified: Verified) -> Iterator[str]:
    """One line for each thing that was checked."""
    for line in verified.checked:
        yield f"ok  {line}"
