"""What can be done to a store. Each function is handed to `Writer.submit`, which runs it whole or not at all.

All check what they rest on and raise StoreError in words, UnknownCupError for the name of a cup that is not there. A
closed cup takes nothing but `replace_standings`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import asdict, replace

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update

from croupier_server.store import reads, schema
from croupier_server.store.checks import (
    check_new_cup,
    check_playable,
    check_running,
    check_seats,
    check_uncommitted,
    entrant_numbers,
    find_attempt,
    find_cup,
    find_open_cup,
)
from croupier_server.store.embargo import BLOCK_OVER
from croupier_server.store.errors import CupExistsError, StoreError
from croupier_server.store.outcomes import insert_outcome, override_outcome
from croupier_server.store.rows import (
    AttemptRow,
    AttemptState,
    FinishedMatch,
    ForfeitReason,
    NewAttempt,
    NewCup,
    Standings,
    Termination,
    Walkover,
)

_ATTEMPTS_MADE = select(func.count()).where(
    schema.attempts.c.cup_id == bindparam("cup_id"),
    schema.attempts.c.number == bindparam("number"),
    schema.attempts.c.redraw == bindparam("redraw"),
)
_END_ATTEMPT = (
    update(schema.attempts)
    .where(schema.attempts.c.match_id == bindparam("ended"))
    .values(state=bindparam("state"), detail=bindparam("detail"))
)


def create_cup(connection: Connection, cup: NewCup) -> None:
    """Puts a cup with its entrants and its schedule into the store.

    Raises:
        CupExistsError: There is one of that name.
        StoreError: No matches, blocks that are not 1, 2, … without a gap, or entrants of one name.
    """
    check_new_cup(cup)
    if connection.scalar(select(exists().where(schema.cups.c.name == cup.name))):
        raise CupExistsError(f"cup {cup.name!r}: there is a cup of that name in the store")
    row = {
        "name": cup.name,
        "game": cup.game,
        "file": cup.file,
        "file_sha256": hashlib.sha256(cup.file).digest(),
        "secret": cup.secret,
        "isolation": cup.isolation,
        "duplicate": cup.duplicate,
        "seats": cup.seats,
        "version": cup.version,
        "created_unix_ms": cup.created_unix_ms,
        "standings_blocks": 0,
    }
    key = {"cup_id": connection.execute(insert(schema.cups).returning(schema.cups.c.id), row).scalar_one()}
    connection.execute(
        insert(schema.entrants),
        [key | {"number": number} | asdict(entrant) for number, entrant in enumerate(cup.entrants, 1)],
    )
    connection.execute(
        insert(schema.blocks), [key | {"number": number, "redraw": 0} for number in sorted(set(cup.schedule))]
    )
    connection.execute(
        insert(schema.scheduled_matches),
        [key | {"number": number, "block": block} for number, block in enumerate(cup.schedule, 1)],
    )


def begin_attempt(connection: Connection, new: NewAttempt) -> int:
    """Notes that a match is about to be opened; returns which attempt at it, in this redraw, this is, from 1.

    Raises:
        AlreadyCommittedError: The match has its outcome.
        StoreError: It is not in the schedule, its block is at another redraw, or an attempt at it is running.
    """
    cup = find_open_cup(connection, new.cup)
    check_playable(connection, cup, new.number, new.redraw)
    match = {"cup_id": cup.id, "number": new.number, "redraw": new.redraw}
    attempt: int = 1 + connection.execute(_ATTEMPTS_MADE, match).scalar_one()
    state = {"attempt": attempt, "state": AttemptState.RUNNING, "detail": ""}
    started = {"match_id": new.match_id, "started_unix_ms": new.started_unix_ms}
    connection.execute(insert(schema.attempts), match | state | started)
    return attempt


def commit_match(connection: Connection, match: FinishedMatch) -> None:
    """Makes the outcome of a running attempt that of its match, with its record.

    Raises:
        AlreadyCommittedError: The match has its outcome, from this attempt or another.
        StoreError: The attempt is unknown or not running, or the seats do not fit cup and termination.
    """
    attempt = find_attempt(connection, match.match_id)
    cup = find_open_cup(connection, attempt.cup)
    check_uncommitted(connection, cup, attempt.number, attempt.redraw)
    check_running(attempt)
    check_seats(f"match {match.match_id!r}", match.seats, cup.seats, match.termination)
    key = insert_outcome(
        connection,
        cup,
        attempt.number,
        attempt.redraw,
        match.seats,
        match_id=match.match_id,
        termination=match.termination,
        committed_unix_ms=match.committed_unix_ms,
        play_hash=match.play_hash,
        record_hash=match.record_hash,
    )
    connection.execute(insert(schema.records), {"match": key, "record": match.record})
    aborted = match.termination is Termination.ABORTED
    _end_attempt(connection, match.match_id, AttemptState.ABORTED if aborted else AttemptState.COMMITTED, match.detail)


def commit_walkover(connection: Connection, walkover: Walkover) -> None:
    """Gives a match that is not played its outcome.

    Raises:
        AlreadyCommittedError: The match has its outcome.
        StoreError: It is not in the schedule, its block is at another redraw, an attempt at it is running, or the
            seats do not fit: one at least is forfeited as withdrawn, and none has a score.
    """
    cup = find_open_cup(connection, walkover.cup)
    check_playable(connection, cup, walkover.number, walkover.redraw)
    where = f"cup {walkover.cup!r}, match {walkover.number}"
    seats = walkover.seats
    check_seats(where, seats, cup.seats, Termination.FORFEIT)
    withdrawn = any(seat.forfeit and seat.forfeit.reason is ForfeitReason.WITHDRAWN for seat in seats)
    if not withdrawn or any(seat.score is not None for seat in seats):
        raise StoreError(f"{where}: expected a walkover with a withdrawn seat and no scores, found {seats}")
    insert_outcome(
        connection,
        cup,
        walkover.number,
        walkover.redraw,
        seats,
        termination=Termination.FORFEIT,
        committed_unix_ms=walkover.committed_unix_ms,
    )


def abort_attempt(connection: Connection, match_id: str, detail: str) -> None:
    """Ends a running attempt that has no outcome, through a fault of ours; its match stays to be played.

    Raises:
        StoreError: The attempt is unknown or not running.
    """
    check_running(find_attempt(connection, match_id))
    _end_attempt(connection, match_id, AttemptState.ABORTED, detail)


def mark_interrupted(connection: Connection, cup: str, detail: str) -> tuple[AttemptRow, ...]:
    """Ends all running attempts of a cup, whose host has died, and returns them; their matches stay to be played."""
    find_open_cup(connection, cup)
    running = reads.attempts(connection, cup, state=AttemptState.RUNNING)
    for attempt in running:
        _end_attempt(connection, attempt.match_id, AttemptState.INTERRUPTED, detail)
    return tuple(replace(attempt, state=AttemptState.INTERRUPTED, detail=detail) for attempt in running)


def redraw_block(connection: Connection, cup: str, block: int) -> int:
    """Draws a block anew and returns how many times that was done; its matches are all to be played again.

    Raises:
        StoreError: There is no such block, it is over (its records may have been read), or an attempt in it is running.
    """
    key = find_open_cup(connection, cup).id
    c = schema.blocks.c
    where = f"cup {cup!r}, block {block}"
    query = select(c.redraw, BLOCK_OVER.label("over")).join(schema.cups).where(c.cup_id == key, c.number == block)
    found = connection.execute(query).one_or_none()
    if found is None:
        raise StoreError(f"{where}: is not in the schedule")
    if found.over:
        raise StoreError(f"{where}: is over and cannot be drawn anew")
    running = reads.attempts(connection, cup, state=AttemptState.RUNNING)
    here = [attempt.match_id for attempt in running if attempt.block == block]
    if here:
        raise StoreError(f"{where}: cannot be drawn anew while it is played, in attempts {here}")
    redraw: int = found.redraw + 1
    connection.execute(update(schema.blocks).where(c.cup_id == key, c.number == block).values(redraw=redraw))
    return redraw


def withdraw_entrant(
    connection: Connection, cup: str, entrant: str, *, after_match: int, overridden: Collection[int]
) -> None:
    """Notes that an entrant is out of the cup, by the outcome of the match of number `after_match`.

    `overridden` are the numbers of the matches whose outcomes, got before that was known, no longer stand: they are
    kept, and the matches get another.

    Raises:
        StoreError: There is no such entrant, it is out already, or a match to override has no outcome in force or
            does not come after `after_match`.
    """
    key = find_open_cup(connection, cup)
    number = entrant_numbers(connection, key, [entrant])[entrant]
    c = schema.entrants.c
    withdrawn = connection.execute(
        update(schema.entrants)
        .where(c.cup_id == key.id, c.number == number, c.withdrawn_after.is_(None))
        .values(withdrawn_after=after_match)
    )
    if withdrawn.rowcount == 0:
        raise StoreError(f"cup {cup!r}: entrant {entrant!r} is withdrawn already")
    for match in overridden:
        if match <= after_match:
            raise StoreError(f"cup {cup!r}: match {match} came before {entrant!r} was withdrawn, after {after_match}")
        override_outcome(connection, key, match)


def replace_standings(connection: Connection, cup: str, standings: Standings) -> None:
    """Puts a table in the place of the last one, also in a closed cup.

    Raises:
        StoreError: A row is of no entrant of the cup, or two are of one.
    """
    key = find_cup(connection, cup)
    numbers = entrant_numbers(connection, key, [row.entrant for row in standings.rows])
    connection.execute(delete(schema.standings).where(schema.standings.c.cup_id == key.id))
    rows = [
        asdict(row) | {"cup_id": key.id, "position": position, "entrant": numbers[row.entrant]}
        for position, row in enumerate(standings.rows, 1)
    ]
    if rows:
        connection.execute(insert(schema.standings), rows)
    connection.execute(update(schema.cups).where(schema.cups.c.id == key.id).values(standings_blocks=standings.blocks))


def close_cup(connection: Connection, cup: str, *, closed_unix_ms: int) -> None:
    """Ends a cup: nothing will be played in it any more, and all its records are open to all.

    Raises:
        StoreError: It is closed already, or an attempt is running.
    """
    key = find_open_cup(connection, cup).id
    running = [attempt.match_id for attempt in reads.attempts(connection, cup, state=AttemptState.RUNNING)]
    if running:
        raise StoreError(f"cup {cup!r}: cannot be closed while it is played, in attempts {running}")
    connection.execute(update(schema.cups).where(schema.cups.c.id == key).values(closed_unix_ms=closed_unix_ms))


def _end_attempt(connection: Connection, match_id: str, state: AttemptState, detail: str) -> None:
    connection.execute(_END_ATTEMPT, {"ended": match_id, "state": state, "detail": detail})
