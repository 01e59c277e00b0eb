"""Steps of a runner that are one write: whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier_server.store import (
    Access,
    AttemptState,
    ForfeitReason,
    Isolation,
    NewAttempt,
    NewCup,
    NewEntrant,
    SeatForfeit,
    SeatRow,
    Store,
    StoreError,
    Walkover,
    Writer,
    open_store,
    reads,
    writes,
)
from croupier_tournament import bookkeeping

DEADLINE_SECONDS = 20


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/store.sqlite", Access.CREATE) as store:
        yield store


@pytest.fixture
def writer(store: Store) -> Iterator[Writer]:
    """A cup of two blocks of two matches, whose matches 1 and 3 are being played."""
    cup = NewCup(
        name="small",
        game="pick",
        file=b"",
        secret=bytes(32),
        isolation=Isolation.PROCESS,
        duplicate=True,
        seats=2,
        entrants=(NewEntrant("ann", False, None), NewEntrant("bob", False, None)),
        schedule=(1, 1, 2, 2),
        created_unix_ms=0,
        version="0",
    )
    with store.writer() as writer:
        writer.submit(writes.create_cup, cup).result(DEADLINE_SECONDS)
        for number in (1, 3):
            writer.submit(writes.begin_attempt, NewAttempt(f"m{number}", "small", number, 0, 0)).result(
                DEADLINE_SECONDS
            )
        yield writer


def walkover(number: int) -> Walkover:
    gone = SeatForfeit(ForfeitReason.WITHDRAWN, 0, 1, False)
    seats = tuple(
        SeatRow(entrant=name, place=place, score=None, forfeit=forfeit, turns=0, thinking_us=0, host_us=0)
        for name, place, forfeit in (("ann", 1, None), ("bob", 2, gone))
    )
    return Walkover("small", number, 0, seats, 0)


def withdrawal(given_up: set[int]) -> bookkeeping.Withdrawal:
    return bookkeeping.Withdrawal("bob", 0, frozenset(given_up), (), tuple(walkover(number) for number in (1, 2, 3)))


def states(store: Store) -> list[AttemptState]:
    return [attempt.state for attempt in store.read(reads.attempts, "small")]


def test_a_withdrawal_ends_attempts_and_puts_walkovers_in_their_place(store: Store, writer: Writer) -> None:
    writer.submit(bookkeeping.withdraw, "small", withdrawal({1, 3})).result(DEADLINE_SECONDS)
    assert states(store) == [AttemptState.ABORTED] * 2
    assert [row.number for row in store.read(reads.matches, "small")] == [1, 2, 3]
    assert store.read(reads.entrants, "small")[1].withdrawn_after == 0


def test_of_a_withdrawal_that_fails_in_the_middle_nothing_is_left(store: Store, writer: Writer) -> None:
    with pytest.raises(StoreError, match="is being played, as attempt 'm3'"):
        writer.submit(bookkeeping.withdraw, "small", withdrawal({1})).result(DEADLINE_SECONDS)
    assert states(store) == [AttemptState.RUNNING] * 2
    assert store.read(reads.matches, "small") == ()
    assert not store.read(reads.entrants, "small")[1].withdrawn


def test_only_blocks_that_bots_have_seen_are_drawn_anew(store: Store, writer: Writer) -> None:
    redraws = writer.submit(bookkeeping.take_up, "small", lambda attempt: attempt.number == 3).result(DEADLINE_SECONDS)
    assert redraws == {2: 1}
    assert states(store) == [AttemptState.INTERRUPTED] * 2
    assert [block.redraw for block in store.read(reads.blocks, "small")] == [0, 1]
