"""How an outcome becomes rows, and how it goes out of force. Checks nothing that its callers have checked."""

from __future__ import annotations

from sqlalchemy import Connection, func, insert, select, update

from croupier_server.store import schema
from croupier_server.store.checks import CupKey, entrant_numbers
from croupier_server.store.embargo import MATCH_CURRENT, MATCH_IN_BLOCK
from croupier_server.store.errors import StoreError
from croupier_server.store.rows import SeatRow


def insert_outcome(
    connection: Connection, cup: CupKey, number: int, redraw: int, seats: tuple[SeatRow, ...], **columns: object
) -> int:
    """Gives a match its outcome, with these columns of `matches`, and returns the outcome's id."""
    numbers = entrant_numbers(connection, cup, [seat.entrant for seat in seats])
    match = {"cup_id": cup.id, "number": number, "redraw": redraw, "overridden": 0} | columns
    key: int = connection.execute(insert(schema.matches).returning(schema.matches.c.id), match).scalar_one()
    connection.execute(
        insert(schema.match_seats),
        [
            {"match": key, "seat": seat, "cup_id": cup.id, "entrant": numbers[row.entrant]} | _seat_columns(row)
            for seat, row in enumerate(seats)
        ],
    )
    return key


def _seat_columns(row: SeatRow) -> dict[str, object]:
    forfeit = row.forfeit
    return {
        "place": row.place,
        "score": row.score,
        "forfeit_reason": forfeit and forfeit.reason,
        "forfeit_decisions_before": forfeit and forfeit.decisions_before,
        "forfeit_instant": forfeit and forfeit.instant,
        "forfeit_was_ready": forfeit and forfeit.was_ready,
        "turns": row.turns,
        "thinking_us": row.thinking_us,
        "host_us": row.host_us,
    }


def override_outcome(connection: Connection, cup: CupKey, number: int) -> None:
    """Takes the outcome of a match out of force, and keeps it."""
    c = schema.matches.c
    query = select(c.id, c.redraw).select_from(MATCH_IN_BLOCK).where(c.cup_id == cup.id, c.number == number)
    outcome = connection.execute(query.where(MATCH_CURRENT)).one_or_none()
    if outcome is None:
        raise StoreError(f"cup {cup.name!r}: match {number} has no outcome in force to override")
    outcomes = select(func.count()).where(c.cup_id == cup.id, c.number == number, c.redraw == outcome.redraw)
    rank = connection.execute(outcomes).scalar_one()
    connection.execute(update(schema.matches).where(c.id == outcome.id).values(overridden=rank))
