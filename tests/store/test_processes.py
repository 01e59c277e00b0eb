"""Several processes at one store: killed writers, readers beside a writer, and one runner a cup."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from sqlalchemy import Connection
from tests.store.processes import Program
from tests.store.samples import DEADLINE_S, SEATS, new_cup, record_of

from croupier_server.store import Access, AttemptState, CupBusyError, Store, StoreError, open_store, reads, writes

MATCHES = 1_000
Start = Callable[..., Program]


@pytest.fixture
def cup(store: Store) -> str:
    schedule = tuple(1 + number // 2 for number in range(MATCHES))
    with store.writer() as writer:
        writer.submit(writes.create_cup, new_cup(schedule=schedule)).result(DEADLINE_S)
    return "first"


def check_whole(connection: Connection) -> set[str]:
    """Checks that every outcome has its seats, its record and its attempt; returns the match_ids."""
    matches = connection.exec_driver_sql("SELECT id, match_id FROM matches").all()
    attempts = {row.match_id: row.state for row in reads.attempts(connection, "first")}
    for row in reads.matches(connection, "first"):
        assert row.match_id is not None
        assert row.seats == SEATS
        assert attempts[row.match_id] is AttemptState.COMMITTED
    records: dict[int, bytes] = dict(connection.exec_driver_sql("SELECT match, record FROM records").all())
    assert records == {key: record_of(match_id) for key, match_id in matches}
    return {match_id for _, match_id in matches}


@pytest.mark.slow
def test_killing_a_writer_loses_nothing_that_was_told_and_leaves_no_half(store: Store, cup: str, start: Start) -> None:
    luck = random.Random(2)
    told: set[str] = set()
    kills = 0
    committed: set[str] = set()
    url = f"sqlite:///{store.path}"
    store.close()  # so that it is a reader who first sees what the killed writer left
    while len(committed) < MATCHES:
        program = start("commit_until_killed", url)
        told.update(program.line() for _ in range(luck.randrange(1, 200)))
        told.update(program.kill())
        kills += program.was_killed
        with open_store(url) as reader:
            committed = reader.read(check_whole)
        assert told - {""} <= committed
    assert kills >= 5
    assert all(block.over and block.counted for block in store.read(reads.blocks, cup))


def test_readers_beside_a_writer_see_only_whole_matches(store: Store, cup: str, start: Start) -> None:
    writer = start("commit_until_killed", f"sqlite:///{store.path}")
    assert writer.line()
    seen: list[int] = []
    with open_store(f"sqlite:///{store.path}") as reader:
        while MATCHES not in seen:
            running = writer.runs()
            seen.append(len(reader.read(check_whole)))
            assert running or seen[-1] == MATCHES
    assert seen == sorted(seen)
    assert any(0 < count < MATCHES for count in seen), "the writer was done before it could be watched"


def test_a_cup_is_run_by_one_process(store: Store, cup: str, start: Start) -> None:
    holder = start("hold_run_lock", f"sqlite:///{store.path}")
    assert holder.line() == "held"
    other = start("hold_run_lock", f"sqlite:///{store.path}")
    assert other.line() == f"cup 'first' of store {store.path} is being run already, by process {holder.pid}"


def test_the_right_to_run_a_cup_ends_with_the_death_of_its_holder(store: Store, cup: str, start: Start) -> None:
    holder = start("hold_run_lock", f"sqlite:///{store.path}")
    assert holder.line() == "held"
    holder.kill()
    with store.run_lock(cup):
        pass


def test_the_right_to_run_a_cup_does_not_pass_to_a_child(store: Store, cup: str, start: Start) -> None:
    with store.run_lock(cup):
        child = start("make_store")
        assert child.line() == "ready"
    with store.run_lock(cup):
        assert child.runs()


def test_other_cups_of_a_store_may_run_beside_it(store: Store, cup: str) -> None:
    with store.run_lock(cup), store.run_lock("a/b: ?"), store.run_lock("a/b: !"):
        pass


def test_a_cup_is_run_once_within_a_process_too_whatever_the_way_to_the_store(store: Store, cup: str) -> None:
    link = store.path.with_name("link.db")
    link.symlink_to(store.path)
    with (
        store.run_lock(cup),
        open_store(f"sqlite:///{link}", Access.WRITE) as other,
        pytest.raises(CupBusyError),
        other.run_lock(cup),
    ):
        pass


def test_a_lock_that_cannot_be_made_says_so(store: Store) -> None:
    with pytest.raises(StoreError, match="cannot make the lock of cup 'xxx"), store.run_lock("x" * 300):
        pass
