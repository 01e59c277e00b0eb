"""What reads show, in what order, and when a record is open to all."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection
from tests.store.samples import ABORTED_SEATS, attempt, done, finished, new_cup, play, walkover

from croupier_server.store import MatchRow, Store, Termination, Writer, reads, writes


def open_matches(store: Store) -> list[str | None]:
    return [row.match_id for row in store.read(reads.matches, "first") if row.open_to_all]


def test_cups_come_in_order_of_creation(store: Store, writer: Writer) -> None:
    for name in ("zebra", "ant", "mole"):
        done(writer.submit(writes.create_cup, new_cup(name)))
    assert [cup.name for cup in store.read(reads.cups)] == ["zebra", "ant", "mole"]


def test_matches_come_in_schedule_order_whatever_the_order_of_their_commits(
    store: Store, writer: Writer, cup: str
) -> None:
    for number in (3, 1, 4, 2):
        play(writer, f"m{number}", number)
    assert [row.number for row in store.read(reads.matches, cup)] == [1, 2, 3, 4]


def test_pages_show_each_outcome_once(store: Store, writer: Writer, cup: str) -> None:
    play(writer, "m1", 1)
    done(writer.submit(writes.redraw_block, cup, 1))
    play(writer, "m2", 1, redraw=1)
    play(writer, "m4", 4)
    done(writer.submit(writes.withdraw_entrant, cup, "ben", after_match=2, overridden=[4]))
    done(writer.submit(writes.commit_walkover, walkover(4)))

    pages: list[tuple[MatchRow, ...]] = []
    while not pages or pages[-1]:
        after = pages[-1][-1].position if pages else (0, 0, 0)
        pages.append(store.read(reads.matches, cup, after=after, limit=2))
    assert [len(page) for page in pages] == [2, 2, 0]
    assert tuple(row for page in pages for row in page) == store.read(reads.matches, cup)


def test_matches_of_one_cup_are_not_those_of_another(store: Store, writer: Writer, cup: str) -> None:
    done(writer.submit(writes.create_cup, new_cup("second")))
    play(writer, "m1", 1)
    play(writer, "m2", 2)
    done(writer.submit(writes.begin_attempt, attempt("m3", 1, cup="second")))
    done(writer.submit(writes.commit_match, finished("m3")))
    assert [row.match_id for row in store.read(reads.matches, "second")] == ["m3"]
    assert [block.over for block in store.read(reads.blocks, "first")] == [True, False]
    assert [block.over for block in store.read(reads.blocks, "second")] == [False, False]
    assert [row.match_id for row in store.read(reads.attempts, "second")] == ["m3"]


def test_a_record_is_open_to_all_when_the_last_match_of_its_block_is_over(
    store: Store, writer: Writer, cup: str
) -> None:
    play(writer, "m1", 1)
    play(writer, "m3", 3)
    assert open_matches(store) == []
    play(writer, "m2", 2)
    assert open_matches(store) == ["m1", "m2"]
    found = store.read(reads.record, "m3")
    assert found is not None
    assert not found.match.open_to_all


def test_the_last_match_of_a_block_may_be_a_walkover_or_aborted(store: Store, writer: Writer, cup: str) -> None:
    play(writer, "m1", 1)
    done(writer.submit(writes.commit_walkover, walkover(2)))
    play(writer, "m3", 3)
    done(writer.submit(writes.begin_attempt, attempt("m4", 4)))
    aborted = finished("m4", termination=Termination.ABORTED, seats=ABORTED_SEATS)
    done(writer.submit(writes.commit_match, aborted))
    assert open_matches(store) == ["m1", None, "m3", "m4"]


def test_records_of_an_earlier_redraw_wait_for_the_current_one(store: Store, writer: Writer, cup: str) -> None:
    play(writer, "m1", 1)
    done(writer.submit(writes.redraw_block, cup, 1))
    play(writer, "m2", 2, redraw=1)
    assert open_matches(store) == []
    play(writer, "m3", 1, redraw=1)
    assert open_matches(store) == ["m1", "m3", "m2"]


def test_an_overridden_outcome_closes_its_block_until_there_is_another(store: Store, writer: Writer, cup: str) -> None:
    play(writer, "m3", 3)
    play(writer, "m4", 4)
    done(writer.submit(writes.withdraw_entrant, cup, "ben", after_match=2, overridden=[3, 4]))
    assert open_matches(store) == []
    done(writer.submit(writes.commit_walkover, walkover(3)))
    done(writer.submit(writes.commit_walkover, walkover(4)))
    assert open_matches(store) == ["m3", None, "m4", None]


def test_all_records_of_a_closed_cup_are_open_to_all_but_only_complete_blocks_count(
    store: Store, writer: Writer, cup: str
) -> None:
    for number in (1, 2, 3):
        play(writer, f"m{number}", number)
    done(writer.submit(writes.close_cup, cup, closed_unix_ms=9_000))
    assert open_matches(store) == ["m1", "m2", "m3"]
    assert [row.counted for row in store.read(reads.matches, cup)] == [True, True, False]
    assert [(block.over, block.counted) for block in store.read(reads.blocks, cup)] == [(True, True), (True, False)]


@pytest.mark.parametrize("match_id", ["m2", "", "m1'--"])
def test_there_is_no_record_of_a_match_that_was_not_committed(
    store: Store, writer: Writer, cup: str, match_id: str
) -> None:
    done(writer.submit(writes.begin_attempt, attempt("m2")))
    assert store.read(reads.record, match_id) is None


def test_a_read_sees_one_moment(store: Store, writer: Writer, cup: str) -> None:
    def before_and_after_a_commit(connection: Connection) -> tuple[object, object]:
        before = reads.matches(connection, cup)
        play(writer, "m1", 1)
        return before, reads.matches(connection, cup)

    assert store.read(before_and_after_a_commit) == ((), ())
    assert len(store.read(reads.matches, cup)) == 1
