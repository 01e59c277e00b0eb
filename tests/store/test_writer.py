"""The writing thread: order, batches, failures. On a real file, with functions of SQL and without."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, wait
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import Connection
from tests.store.samples import DEADLINE_S, attempt, finished, new_cup

from croupier_server.store import Access, Store, StoreError, Writer, open_store, reads, sqlite, writer, writes


@pytest.fixture
def cup(writer: Writer) -> str:
    writer.submit(writes.create_cup, new_cup(schedule=tuple(range(1, 101)))).result(DEADLINE_S)
    return "first"


class Gate:
    """A write that holds the writing thread until it is opened, so that what is submitted behind it is one batch."""

    def __init__(self) -> None:
        self.reached = Event()
        self.opened = Event()

    def __call__(self, connection: Connection) -> None:
        self.reached.set()
        assert self.opened.wait(DEADLINE_S)


@pytest.fixture
def gate(writer: Writer) -> Gate:
    gate = Gate()
    writer.submit(gate)
    assert gate.reached.wait(DEADLINE_S)
    return gate


def test_writes_happen_in_the_order_in_which_they_were_submitted(store: Store, writer: Writer, cup: str) -> None:
    futures: list[Future[int] | Future[None]] = []
    for number in range(1, 101):
        futures.append(writer.submit(writes.begin_attempt, attempt(f"m{number}", number)))
        futures.append(writer.submit(writes.commit_match, finished(f"m{number}")))
    for future in futures:
        future.result(DEADLINE_S)
    assert len(store.read(reads.matches, cup)) == 100


def test_nothing_of_a_batch_is_told_or_seen_before_all_of_it_is_durable(
    store: Store, writer: Writer, cup: str, gate: Gate
) -> None:
    second = Gate()
    first = writer.submit(writes.begin_attempt, attempt("m1", 1))
    writer.submit(second)
    gate.opened.set()
    assert second.reached.wait(DEADLINE_S)
    assert not first.done()
    assert store.read(reads.attempts, cup) == ()
    second.opened.set()
    assert first.result(DEADLINE_S) == 1
    assert len(store.read(reads.attempts, cup)) == 1


def test_a_refused_write_leaves_the_others_of_its_batch_alone(
    store: Store, writer: Writer, cup: str, gate: Gate
) -> None:
    def half_a_write(connection: Connection) -> None:
        writes.begin_attempt(connection, attempt("half", 50))
        raise ZeroDivisionError

    good = writer.submit(writes.begin_attempt, attempt("m1", 1))
    refused = writer.submit(writes.begin_attempt, attempt("m2", 1))
    broken = writer.submit(writes.begin_attempt, attempt("m1", 2))  # the database's own complaint: the id is taken
    half = writer.submit(half_a_write)
    last = writer.submit(writes.begin_attempt, attempt("m3", 3))
    gate.opened.set()
    assert good.result(DEADLINE_S) == last.result(DEADLINE_S) == 1
    for future in (refused, broken):
        assert isinstance(future.exception(DEADLINE_S), StoreError)
    assert isinstance(half.exception(DEADLINE_S), ZeroDivisionError)
    assert [row.match_id for row in store.read(reads.attempts, cup)] == ["m1", "m3"]


def test_what_was_submitted_cannot_be_cancelled(writer: Writer, cup: str, gate: Gate) -> None:
    future = writer.submit(writes.begin_attempt, attempt("m1"))
    assert not future.cancel()
    gate.opened.set()
    assert future.result(DEADLINE_S) == 1


def test_closing_waits_for_all_that_was_submitted(store: Store) -> None:
    with store.writer() as writer:
        writer.submit(writes.create_cup, new_cup())
        futures = [writer.submit(writes.begin_attempt, attempt(f"m{number}", number)) for number in (1, 2, 3, 4)]
    assert all(future.done() for future in futures)
    assert len(store.read(reads.attempts, "first")) == 4
    with pytest.raises(StoreError, match="its writer is closed"):
        writer.submit(writes.begin_attempt, attempt("m5", 1))


def test_a_full_queue_makes_the_next_wait(writer: Writer, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier_server.store.writer.MOST_WAITING", 2)
    for number in (1, 2):
        writer.submit(writes.create_cup, new_cup(f"cup {number}"))
    late: list[Future[None]] = []
    thread = Thread(target=lambda: late.append(writer.submit(writes.create_cup, new_cup("late"))))
    thread.start()
    thread.join(0.2)
    assert thread.is_alive()
    gate.opened.set()
    thread.join(DEADLINE_S)
    late[0].result(DEADLINE_S)


def test_many_threads_may_submit(store: Store, writer: Writer, cup: str) -> None:
    def run(numbers: range) -> None:
        for number in numbers:
            writer.submit(writes.begin_attempt, attempt(f"m{number}", number)).result(DEADLINE_S)

    threads = [Thread(target=run, args=(range(first, 101, 4),)) for first in (1, 2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
    assert len(store.read(reads.attempts, cup)) == 100


def test_two_writers_take_turns_and_lose_nothing(store: Store, writer: Writer, cup: str) -> None:
    with store.writer() as other:
        futures = [
            (writer, other)[number % 2].submit(writes.begin_attempt, attempt(f"m{number}", number))
            for number in range(1, 101)
        ]
        wait(futures, DEADLINE_S)
    assert [future.result() for future in futures] == [1] * 100
    assert len(store.read(reads.attempts, cup)) == 100


def test_a_store_locked_by_another_program_fails_the_batch_and_not_the_writer(
    store: Store, writer: Writer, cup: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_S", 0.05)
    with open_store(f"sqlite:///{store.path}", Access.WRITE) as impatient, impatient.writer() as writing:
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"is locked by another program \(waited 0.05 s\)"):
            writing.submit(writes.begin_attempt, attempt("m1")).result(DEADLINE_S)
        other.execute("ROLLBACK")
        other.close()
        assert writing.submit(writes.begin_attempt, attempt("m1")).result(DEADLINE_S) == 1


def test_a_full_disk_fails_the_batch_whole_and_not_the_writer(
    store: Store, writer: Writer, cup: str, gate: Gate
) -> None:
    def with_pages(change: Callable[[int], int]) -> Callable[[Connection], None]:
        def limit(connection: Connection) -> None:
            used = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={change(used)}")

        return limit

    writer.submit(with_pages(lambda used: used))
    small = writer.submit(writes.begin_attempt, attempt("m1", 1))
    large = writer.submit(writes.create_cup, new_cup("second", schedule=tuple(range(1, 5_000))))
    gate.opened.set()
    for future in (small, large):
        with pytest.raises(StoreError, match="the disk is full"):
            future.result(DEADLINE_S)
    assert store.read(reads.attempts, cup) == ()
    writer.submit(with_pages(lambda used: used + 10_000)).result(DEADLINE_S)
    assert writer.submit(writes.begin_attempt, attempt("m1", 1)).result(DEADLINE_S) == 1


def test_nothing_is_taken_away_from_under_what_refers_to_it(store: Store, writer: Writer, cup: str) -> None:
    def forget_entrants(connection: Connection) -> None:
        connection.exec_driver_sql("DELETE FROM entrants")

    writer.submit(writes.begin_attempt, attempt("m1")).result(DEADLINE_S)
    writer.submit(writes.commit_match, finished("m1")).result(DEADLINE_S)
    with pytest.raises(StoreError, match="FOREIGN KEY constraint failed"):
        writer.submit(forget_entrants).result(DEADLINE_S)
    assert len(store.read(reads.entrants, cup)) == 2


def test_a_store_opened_for_reading_has_no_writer(store: Store) -> None:
    with open_store(f"sqlite:///{store.path}") as reading, pytest.raises(StoreError, match="for reading only"):
        reading.writer()


def test_a_file_that_is_gone_fails_every_write(store: Store, tmp_path: Path) -> None:
    store.path.unlink()
    with store.writer() as writer, pytest.raises(StoreError, match=f"store {store.path}: cannot be opened"):
        writer.submit(writes.create_cup, new_cup()).result(DEADLINE_S)


def test_batches_are_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MOST_IN_A_BATCH", 3)
    with store.writer() as writing:
        gate = Gate()
        writing.submit(gate)
        assert gate.reached.wait(DEADLINE_S)
        first = [writing.submit(writes.create_cup, new_cup(f"cup {number}")) for number in (1, 2, 3)]
        second = Gate()
        writing.submit(second)
        gate.opened.set()
        assert second.reached.wait(DEADLINE_S)
        assert all(future.done() for future in first)
        second.opened.set()
