"""What a write rests on: looked up, or refused in words. Changes nothing."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from croupier_server.store import reads, schema
from croupier_server.store.errors import AlreadyCommittedError, StoreError
from croupier_server.store.rows import AttemptState, NewCup, SeatRow, Termination

_cup, _attempt, _match, _block = schema.cups.c, schema.attempts.c, schema.matches.c, schema.blocks.c
_scheduled, _entrant = schema.scheduled_matches.c, schema.entrants.c

# Made once: to put a statement together costs as much as to run it.
_CUP = select(_cup.id, _cup.name, _cup.seats, _cup.closed_unix_ms).where(reads.CUP_NAMED)
_ATTEMPT = (
    select(_attempt.match_id, _attempt.number, _attempt.redraw, _attempt.state, _cup.name.label("cup"))
    .join(schema.cups, _cup.id == _attempt.cup_id)
    .where(_attempt.match_id == bindparam("match_id"))
)
_OUTCOME = select(_match.match_id).where(
    _match.cup_id == bindparam("cup"),
    _match.number == bindparam("number"),
    _match.redraw == bindparam("redraw"),
    _match.overridden == 0,
)
_BLOCK = (
    select(_block.number, _block.redraw)
    .select_from(schema.blocks.join(schema.scheduled_matches))
    .where(_scheduled.cup_id == bindparam("cup"), _scheduled.number == bindparam("number"))
)
_RUNNING = select(_attempt.match_id).where(
    _attempt.cup_id == bindparam("cup"),
    _attempt.number == bindparam("number"),
    _attempt.state == AttemptState.RUNNING,
)
_ENTRANTS = select(_entrant.name, _entrant.number).where(
    _entrant.cup_id == bindparam("cup"), _entrant.name.in_(bindparam("names", expanding=True))
)


class CupKey(NamedTuple):
    """A cup, as writes need it."""

    id: int
    name: str
    seats: int
    closed_unix_ms: int | None


class AttemptKey(NamedTuple):
    """An attempt, as writes need it."""

    match_id: str
    cup: str
    number: int
    redraw: int
    state: AttemptState


def check_new_cup(cup: NewCup) -> None:
    """Checks that entrants have names of their own and that blocks are numbered 1, 2, … without a gap."""
    names = [entrant.name for entrant in cup.entrants]
    if not names or len(set(names)) < len(names):
        raise StoreError(f"cup {cup.name!r}: expected entrants of different names, found {names}")
    if not cup.schedule or set(cup.schedule) != set(range(1, max(cup.schedule) + 1)):
        raise StoreError(f"cup {cup.name!r}: expected a schedule of blocks 1, 2, … without a gap")


def find_cup(connection: Connection, name: str) -> CupKey:
    """A cup."""
    return CupKey(**reads.of_cup(connection, _CUP, name)._asdict())


def find_open_cup(connection: Connection, name: str) -> CupKey:
    """A cup that is not closed."""
    cup = find_cup(connection, name)
    if cup.closed_unix_ms is not None:
        raise StoreError(f"cup {name!r}: is closed")
    return cup


def find_attempt(connection: Connection, match_id: str) -> AttemptKey:
    """An attempt."""
    row = connection.execute(_ATTEMPT, {"match_id": match_id}).one_or_none()
    if row is None:
        raise StoreError(f"match {match_id!r}: no such attempt was begun")
    return AttemptKey(**row._asdict())


def check_running(attempt: AttemptKey) -> None:
    """Checks that an attempt has not ended."""
    if attempt.state is not AttemptState.RUNNING:
        raise StoreError(f"match {attempt.match_id!r}: expected a running attempt, found it {attempt.state}")


def check_uncommitted(connection: Connection, cup: CupKey, number: int, redraw: int) -> None:
    """Checks that a match has no outcome in force."""
    match = {"cup": cup.id, "number": number, "redraw": redraw}
    outcome = connection.execute(_OUTCOME, match).one_or_none()
    if outcome is not None:
        source = "a walkover" if outcome.match_id is None else f"attempt {outcome.match_id!r}"
        raise AlreadyCommittedError(
            f"cup {cup.name!r}, match {number}, redraw {redraw}: has its outcome, from {source}"
        )


def check_playable(connection: Connection, cup: CupKey, number: int, redraw: int) -> None:
    """Checks that a match is in the schedule, at this redraw, without an outcome, and not being played."""
    where = f"cup {cup.name!r}, match {number}"
    match = {"cup": cup.id, "number": number}
    block = connection.execute(_BLOCK, match).one_or_none()
    if block is None:
        raise StoreError(f"{where}: is not in the schedule")
    check_uncommitted(connection, cup, number, redraw)
    if redraw != block.redraw:
        raise StoreError(f"{where}: expected redraw {block.redraw} of block {block.number}, found {redraw}")
    running = connection.scalar(_RUNNING, match)
    if running is not None:
        raise StoreError(f"{where}: is being played, as attempt {running!r}")


def check_seats(where: str, seats: tuple[SeatRow, ...], expected: int, termination: Termination) -> None:
    """Checks that there are as many seats as the cup has, with places and scores that fit the termination."""
    if len(seats) != expected:
        raise StoreError(f"{where}: expected {expected} seats, found {len(seats)}")
    places = [seat.place for seat in seats]
    scores = [seat.score for seat in seats]
    if termination is Termination.ABORTED:
        if any(value is not None for value in places + scores):
            raise StoreError(f"{where}: expected no places and scores in an aborted match, found {places} and {scores}")
        return
    if None in places:
        raise StoreError(f"{where}: expected a place for every seat, found {places}")
    if None in scores and any(score is not None for score in scores):
        raise StoreError(f"{where}: expected a score for every seat or for none, found {scores}")


def entrant_numbers(connection: Connection, cup: CupKey, names: Collection[str]) -> dict[str, int]:
    """The numbers of entrants, by name."""
    rows = connection.execute(_ENTRANTS, {"cup": cup.id, "names": list(names)})
    found = {row.name: row.number for row in rows}
    for name in names:
        if name not in found:
            raise StoreError(f"cup {cup.name!r}: has no entrant {name!r}")
    return found
