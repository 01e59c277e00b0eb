"""What can be asked of a store. Each function is handed to `Store.read`, which runs it on one snapshot.

All raise UnknownCupError for the name of a cup that is not there. They show everything: what may leave the host before
a block is over, the caller decides by `open_to_all`.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, select, tuple_

from croupier_server.store import schema
from croupier_server.store.embargo import BLOCK_COUNTS, BLOCK_OVER, MATCH_COUNTS, MATCH_CURRENT, MATCH_IN_BLOCK
from croupier_server.store.errors import UnknownCupError
from croupier_server.store.rows import (
    AttemptRow,
    AttemptState,
    BlockRow,
    CupRow,
    CupSetup,
    EntrantRow,
    MatchRow,
    RecordRow,
    SeatForfeit,
    SeatRow,
    StandingRow,
    Standings,
)

CUP_NAMED = schema.cups.c.name == bindparam("cup_name")
"""The condition that `of_cup` fills in."""


_cup, _match = schema.cups.c, schema.matches.c
_MATCHES_SCHEDULED = select(func.count()).where(schema.scheduled_matches.c.cup_id == _cup.id)
_MATCHES_OVER = select(func.count()).select_from(MATCH_IN_BLOCK).where(_match.cup_id == _cup.id, MATCH_CURRENT)
_CUPS = select(
    _cup.name,
    _cup.game,
    _cup.isolation,
    _cup.duplicate,
    _cup.seats,
    _cup.created_unix_ms,
    _cup.closed_unix_ms,
    _cup.version,
    _cup.file_sha256,
    _MATCHES_SCHEDULED.correlate(schema.cups).scalar_subquery().label("matches_scheduled"),
    _MATCHES_OVER.correlate(schema.cups).scalar_subquery().label("matches_over"),
)
_MATCHES = select(
    _match.id,
    _cup.name.label("cup"),
    _match.number,
    schema.scheduled_matches.c.block,
    _match.redraw,
    _match.match_id,
    _match.termination,
    _match.committed_unix_ms,
    _match.play_hash,
    _match.record_hash,
    MATCH_CURRENT.label("current"),
    MATCH_COUNTS.label("counted"),
    BLOCK_OVER.label("open_to_all"),
).select_from(MATCH_IN_BLOCK.join(schema.cups))


def cups(connection: Connection) -> tuple[CupRow, ...]:
    """All cups, in order of creation."""
    return tuple(CupRow(**row._asdict()) for row in connection.execute(_CUPS.order_by(schema.cups.c.id)))


def cup(connection: Connection, name: str) -> CupRow:
    """A cup."""
    return CupRow(**of_cup(connection, _CUPS.where(CUP_NAMED), name)._asdict())


def cup_setup(connection: Connection, name: str) -> CupSetup:
    """The file and the secret that a cup was made with."""
    query = select(schema.cups.c.file, schema.cups.c.secret).where(CUP_NAMED)
    return CupSetup(**of_cup(connection, query, name)._asdict())


def entrants(connection: Connection, cup: str) -> tuple[EntrantRow, ...]:
    """The entrants of a cup, in order of the cup file."""
    c = schema.entrants.c
    query = (
        select(c.number, c.name, c.remote, c.token_hash, c.withdrawn_after)
        .where(c.cup_id == _cup_id(connection, cup))
        .order_by(c.number)
    )
    return tuple(EntrantRow(**row._asdict()) for row in connection.execute(query))


def blocks(connection: Connection, cup: str) -> tuple[BlockRow, ...]:
    """The blocks of a cup's schedule, in order."""
    c = schema.blocks.c
    query = (
        select(c.number, c.redraw, BLOCK_OVER.label("over"), BLOCK_COUNTS.label("counted"))
        .join(schema.cups)
        .where(c.cup_id == _cup_id(connection, cup))
        .order_by(c.number)
    )
    return tuple(BlockRow(**row._asdict()) for row in connection.execute(query))


def attempts(connection: Connection, cup: str, *, state: AttemptState | None = None) -> tuple[AttemptRow, ...]:
    """All attempts at the matches of a cup, or those in one state; in schedule order, then as they were made."""
    c = schema.attempts.c
    query = (
        select(
            c.match_id,
            c.number,
            schema.scheduled_matches.c.block,
            c.redraw,
            c.attempt,
            c.started_unix_ms,
            c.state,
            c.detail,
        )
        .join(schema.scheduled_matches)
        .where(c.cup_id == _cup_id(connection, cup))
        .order_by(c.number, c.redraw, c.attempt)
    )
    if state is not None:
        query = query.where(c.state == state)
    return tuple(AttemptRow(**row._asdict()) for row in connection.execute(query))


def matches(
    connection: Connection, cup: str, *, after: tuple[int, int, int] = (0, 0, 0), limit: int | None = None
) -> tuple[MatchRow, ...]:
    """The outcomes of a cup's matches, in schedule order; of one match those that are not in force too, oldest first.

    Args:
        connection: Given by `Store.read`.
        cup: The cup's name.
        after: The position of the last one that the caller has.
        limit: At most so many; all by default.
    """
    c = schema.matches.c
    query = (
        _MATCHES.where(c.cup_id == _cup_id(connection, cup), tuple_(c.number, c.redraw, c.id) > after)
        .order_by(c.number, c.redraw, c.id)
        .limit(limit)
    )
    return _match_rows(connection, query)


def record(connection: Connection, match_id: str) -> RecordRow | None:
    """The record of an attempt, with its match; None when no such attempt was committed."""
    found = _match_rows(connection, _MATCHES.where(schema.matches.c.match_id == match_id))
    if not found:
        return None
    (match,) = found
    c = schema.records.c
    return RecordRow(match, connection.execute(select(c.record).where(c.match == match.id)).scalar_one())


def standings(connection: Connection, cup: str) -> Standings:
    """The table of a cup as last computed; without rows until then."""
    c = schema.standings.c
    counted = of_cup(connection, select(schema.cups.c.id, schema.cups.c.standings_blocks).where(CUP_NAMED), cup)
    query = (
        select(
            c.rank,
            schema.entrants.c.name.label("entrant"),
            c.elo,
            c.elo_margin,
            c.sequential_elo,
            c.matches,
            c.wins,
            c.draws,
            c.losses,
            c.forfeits,
            c.ms_per_turn,
        )
        .select_from(schema.standings.join(schema.entrants))
        .where(c.cup_id == counted.id)
        .order_by(c.position)
    )
    return Standings(counted.standings_blocks, tuple(StandingRow(**row._asdict()) for row in connection.execute(query)))


def of_cup(connection: Connection, query: Select[*tuple[Any, ...]], name: str) -> Row[*tuple[Any, ...]]:
    """The one row of a query that has the condition CUP_NAMED, for this package's own use."""
    row = connection.execute(query, {"cup_name": name}).one_or_none()
    if row is None:
        known = connection.scalars(select(schema.cups.c.name).order_by(schema.cups.c.id)).all()
        there = f"its cups are {', '.join(map(repr, known))}" if known else "it has no cups"
        raise UnknownCupError(f"no cup {name!r} in the store; {there}")
    return row


def _cup_id(connection: Connection, name: str) -> int:
    found: int = of_cup(connection, select(schema.cups.c.id).where(CUP_NAMED), name).id
    return found


def _match_rows(connection: Connection, query: Select[*tuple[Any, ...]]) -> tuple[MatchRow, ...]:
    """The matches that the query finds, with their seats."""
    c = schema.match_seats.c
    found = query.with_only_columns(schema.matches.c.id).subquery()
    seats = (
        select(schema.match_seats, schema.entrants.c.name)
        .select_from(schema.match_seats.join(schema.entrants))
        .join(found, c.match == found.c.id)
        .order_by(c.match, c.seat)
    )
    by_match = groupby(connection.execute(seats), key=lambda row: row.match)
    seats_of = {match: tuple(_seat_row(row) for row in rows) for match, rows in by_match}
    return tuple(MatchRow(**row._asdict(), seats=seats_of[row.id]) for row in connection.execute(query))


def _seat_row(row: Row[*tuple[Any, ...]]) -> SeatRow:
    forfeit = None
    if row.forfeit_reason is not None:
        forfeit = SeatForfeit(
            row.forfeit_reason, row.forfeit_decisions_before, row.forfeit_instant, row.forfeit_was_ready
        )
    return SeatRow(row.name, row.place, row.score, forfeit, row.turns, row.thinking_us, row.host_us)
