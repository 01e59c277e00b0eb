"""Values for the store, and the shortest ways to get them in. Not a test."""

from __future__ import annotations

from concurrent.futures import Future
from hashlib import sha256
from typing import TypeVar

from croupier_server.store import (
    FinishedMatch,
    ForfeitReason,
    Isolation,
    NewAttempt,
    NewCup,
    NewEntrant,
    SeatForfeit,
    SeatRow,
    Termination,
    Walkover,
    Writer,
    writes,
)

T = TypeVar("T")

DEADLINE_S = 60
SECRET = bytes(range(32))


def done(future: Future[T]) -> T:
    """The result of a write, in time."""
    return future.result(DEADLINE_S)


def new_cup(
    name: str = "first",
    *,
    entrants: tuple[str, ...] = ("ann", "ben"),
    schedule: tuple[int, ...] = (1, 1, 2, 2),
    seats: int = 2,
) -> NewCup:
    return NewCup(
        name=name,
        game="jekyll",
        file=b'name = "first"\r\n',
        secret=SECRET,
        isolation=Isolation.PROCESS,
        duplicate=True,
        seats=seats,
        entrants=tuple(NewEntrant(entrant) for entrant in entrants),
        schedule=schedule,
        created_unix_ms=1_000,
        version="0.1.0",
    )


def attempt(match_id: str, number: int = 1, *, cup: str = "first", redraw: int = 0) -> NewAttempt:
    return NewAttempt(match_id=match_id, cup=cup, number=number, redraw=redraw, started_unix_ms=2_000)


def seat(entrant: str, place: int | None, score: int | None = None, *, forfeit: SeatForfeit | None = None) -> SeatRow:
    return SeatRow(entrant, place, score, forfeit, turns=9, thinking_us=1_500_000, host_us=20)


SEATS = (seat("ann", 1, 12), seat("ben", 2, -3))
ABORTED_SEATS = (seat("ann", None), seat("ben", None))
WITHDRAWN = SeatForfeit(ForfeitReason.WITHDRAWN, decisions_before=0, instant=1, was_ready=False)
WALKOVER_SEATS = (seat("ann", 1), seat("ben", 2, forfeit=WITHDRAWN))


def record_of(match_id: str) -> bytes:
    """Bytes that belong to one attempt, large enough to fill pages of the database."""
    return match_id.encode() * 500


def finished(
    match_id: str,
    *,
    termination: Termination = Termination.NORMAL,
    seats: tuple[SeatRow, ...] = SEATS,
    detail: str = "",
) -> FinishedMatch:
    record = record_of(match_id)
    return FinishedMatch(
        match_id=match_id,
        termination=termination,
        seats=seats,
        play_hash=sha256(b"play" + record).digest(),
        record_hash=sha256(record).digest(),
        record=record,
        committed_unix_ms=3_000,
        detail=detail,
    )


def walkover(number: int, *, redraw: int = 0, seats: tuple[SeatRow, ...] = WALKOVER_SEATS) -> Walkover:
    return Walkover(cup="first", number=number, redraw=redraw, seats=seats, committed_unix_ms=3_000)


def play(writer: Writer, match_id: str, number: int, *, redraw: int = 0) -> None:
    """Begins an attempt in the cup "first" and commits it."""
    done(writer.submit(writes.begin_attempt, attempt(match_id, number, redraw=redraw)))
    done(writer.submit(writes.commit_match, finished(match_id)))
