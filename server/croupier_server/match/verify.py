"""Checks a record without trusting whoever wrote it: no server, no store, no network.

Each check is a function that raises `Fault` with the place, what was found and what was expected. They run in an order
in which each may rely on those before it, and stop at the first fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from croupier.v1 import record_pb2
from croupier_server.match import codec
from croupier_server.match.audit_clock import check_turns
from croupier_server.match.audit_forfeits import check_asked, check_forfeits, check_strikes
from croupier_server.match.audit_order import check_order
from croupier_server.match.audit_play import check_decisions, check_notes, check_outcome, check_refusals
from croupier_server.match.case import Case, lay_out
from croupier_server.match.faults import Fault, require
from croupier_server.match.keys import KEY_BYTES, SALT_BYTES, commitment
from croupier_server.match.record import Hashes, MatchClock, MatchNotes, MatchPlay, part_hash, record_hash
from croupier_server.match.replay import Position


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verified record holds, and what was checked, in words."""

    play: MatchPlay
    clock: MatchClock
    notes: MatchNotes | None  # None: they were removed
    hashes: Hashes
    positions: tuple[Position, ...]  # from the deal to the end; empty when the match never began
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
    _check_form(record, play, clock, notes)
    first = f"hashes: play, clock, {'notes' if notes else 'notes (removed)'} and record {hashes.record.hex()}"
    case, checked = audit(play, clock, notes)
    return Verified(play, clock, notes, hashes, tuple([step.position for step in case.steps]), (first, *checked))


def audit(play: MatchPlay, clock: MatchClock, notes: MatchNotes | None) -> tuple[Case, tuple[str, ...]]:
    """Checks what a record says, whatever bytes it came from; returns the case and what was checked, in words.

    Raises Fault. The work is bounded by the length of the record and of the game.
    """
    checked = [_check_spec(play, clock, notes), _check_commitment(play, clock), check_order(play, clock, notes)]
    case = lay_out(play, clock, notes)
    return case, (*checked, *[check(case) for check in _CHECKS])


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


def _check_form(record: record_pb2.MatchRecord, play: MatchPlay, clock: MatchClock, notes: MatchNotes | None) -> None:
    """The parts hold what was read from them and nothing else, so one match has one play_hash."""
    again = codec.seal(play, clock, notes or MatchNotes(b"", ()))
    for part in ("play", "clock", "notes")[: 2 if notes is None else 3]:
        same = getattr(record, part) == getattr(again, part)
        require(same, f"the {part} holds what belongs to no field of it, or is written otherwise than records are")


def _check_spec(play: MatchPlay, clock: MatchClock, notes: MatchNotes | None) -> str:
    spec = play.spec
    require(spec.behavior == spec.game.behavior, f"{spec.game.id} behavior {spec.behavior} is not known here")
    seats = len(spec.seats)
    require(seats in spec.game.seats, f"{seats} seats: {spec.game.id} is for {spec.game.seats}")
    try:
        spec.game.check(spec.options, seats)
    except ValueError as error:
        raise Fault(f"options: {error}") from error
    require(spec.policy.strikes >= 1, "policy: strikes must be at least 1")
    require(clock.attempt >= 1, "attempt: must be at least 1")
    sizes = [("block key", play.block_key, KEY_BYTES), ("salt", clock.salt, SALT_BYTES)]
    if notes is not None:
        sizes.append(("salt of the notes", notes.salt, SALT_BYTES))
    for name, found, expected in sizes:  # of other sizes, parts of the one could be passed off as the other
        require(len(found) == expected, f"{name}: {len(found)} bytes, expected {expected}")
    return f"spec: {spec.game.id}, {seats} seats, attempt {clock.attempt}"


def _check_commitment(play: MatchPlay, clock: MatchClock) -> str:
    expected = commitment(clock.match_id, clock.salt, play.block_key)
    require(clock.commitment == expected, f"commitment is {clock.commitment.hex()}, the key gives {expected.hex()}")
    return f"commitment: {expected.hex()}"


_CHECKS: tuple[Callable[[Case], str], ...] = (
    check_decisions,
    check_refusals,
    check_forfeits,
    check_turns,
    check_asked,
    check_strikes,
    check_notes,
    check_outcome,
)


def describe(verified: Verified) -> Iterator[str]:
    """One line for each thing that was checked."""
    for line in verified.checked:
        yield f"ok  {line}"
