"""Attempts, outcomes and blocks: what is taken, once, and what is refused."""

from __future__ import annotations

import dataclasses

import pytest
from tests.store.samples import (
    ABORTED_SEATS,
    SEATS,
    WALKOVER_SEATS,
    attempt,
    done,
    finished,
    play,
    record_of,
    seat,
    walkover,
)

from croupier_server.store import (
    AlreadyCommittedError,
    AttemptState,
    FinishedMatch,
    ForfeitReason,
    NewAttempt,
    SeatForfeit,
    Store,
    StoreError,
    Termination,
    Writer,
    reads,
    writes,
)

# Attempts


def test_an_attempt_has_its_match_and_its_count(store: Store, writer: Writer, cup: str) -> None:
    assert done(writer.submit(writes.begin_attempt, attempt("m1", 3))) == 1
    (row,) = store.read(reads.attempts, cup)
    assert (row.match_id, row.number, row.block, row.redraw, row.attempt) == ("m1", 3, 2, 0, 1)
    assert (row.started_unix_ms, row.state, row.detail) == (2_000, AttemptState.RUNNING, "")


def test_a_match_is_played_by_one_attempt_at_a_time(writer: Writer, cup: str) -> None:
    done(writer.submit(writes.begin_attempt, attempt("m1")))
    with pytest.raises(StoreError, match="cup 'first', match 1: is being played, as attempt 'm1'"):
        done(writer.submit(writes.begin_attempt, attempt("m2")))


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (attempt("m1", 5), "cup 'first', match 5: is not in the schedule"),
        (attempt("m1", 3, redraw=1), "cup 'first', match 3: expected redraw 0 of block 2, found 1"),
    ],
)
def test_an_attempt_at_no_match_is_refused(writer: Writer, cup: str, new: NewAttempt, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        done(writer.submit(writes.begin_attempt, new))


def test_a_match_id_is_used_once(writer: Writer, cup: str) -> None:
    done(writer.submit(writes.begin_attempt, attempt("m1", 1)))
    with pytest.raises(StoreError, match=r"attempts\.match_id"):
        done(writer.submit(writes.begin_attempt, attempt("m1", 2)))


def test_interrupted_attempts_are_kept_and_their_matches_played_again(store: Store, writer: Writer, cup: str) -> None:
    done(writer.submit(writes.begin_attempt, attempt("m1", 1)))
    done(writer.submit(writes.begin_attempt, attempt("m2", 2)))
    done(writer.submit(writes.commit_match, finished("m1")))

    (interrupted,) = done(writer.submit(writes.mark_interrupted, cup, "the runner was killed"))
    assert (interrupted.match_id, interrupted.block) == ("m2", 1)
    assert done(writer.submit(writes.begin_attempt, attempt("m3", 2))) == 2
    states = [(row.match_id, row.attempt, row.state, row.detail) for row in store.read(reads.attempts, cup)]
    assert states == [
        ("m1", 1, AttemptState.COMMITTED, ""),
        ("m2", 1, AttemptState.INTERRUPTED, "the runner was killed"),
        ("m3", 2, AttemptState.RUNNING, ""),
    ]
    assert store.read(reads.attempts, cup, state=AttemptState.INTERRUPTED) == (interrupted,)


def test_an_aborted_attempt_leaves_its_match_to_be_played(store: Store, writer: Writer, cup: str) -> None:
    done(writer.submit(writes.begin_attempt, attempt("m1")))
    done(writer.submit(writes.abort_attempt, "m1", "the server fell over"))
    assert done(writer.submit(writes.begin_attempt, attempt("m2"))) == 2
    assert store.read(reads.matches, cup) == ()


def test_an_attempt_ends_once(writer: Writer, cup: str) -> None:
    done(writer.submit(writes.begin_attempt, attempt("m1")))
    done(writer.submit(writes.abort_attempt, "m1", "the server fell over"))
    for refused in (
        writer.submit(writes.abort_attempt, "m1", "again"),
        writer.submit(writes.commit_match, finished("m1")),
    ):
        with pytest.raises(StoreError, match="match 'm1': expected a running attempt, found it aborted"):
            done(refused)
    with pytest.raises(StoreError, match="match 'm2': no such attempt was begun"):
        done(writer.submit(writes.abort_attempt, "m2", "never was"))


# Outcomes


def test_an_outcome_comes_out_as_it_went_in(store: Store, writer: Writer, cup: str) -> None:
    late = SeatForfeit(ForfeitReason.TIMEOUT, decisions_before=7, instant=1, was_ready=True)
    seats = (seat("ben", 1), seat("ann", 2, forfeit=late))
    match = finished("m1", termination=Termination.FORFEIT, seats=seats)
    done(writer.submit(writes.begin_attempt, attempt("m1", 3)))
    done(writer.submit(writes.commit_match, match))

    (row,) = store.read(reads.matches, cup)
    assert (row.cup, row.number, row.block, row.redraw, row.match_id) == (cup, 3, 2, 0, "m1")
    assert (row.termination, row.seats, row.committed_unix_ms) == (Termination.FORFEIT, seats, 3_000)
    assert (row.play_hash, row.record_hash) == (match.play_hash, match.record_hash)
    found = store.read(reads.record, "m1")
    assert found is not None
    assert (found.match, found.record) == (row, record_of("m1"))


def test_a_second_commit_changes_nothing(store: Store, writer: Writer, cup: str) -> None:
    play(writer, "m1", 1)
    before = store.read(reads.matches, cup)
    other = finished("m1", seats=(seat("ann", 2, 0), seat("ben", 1, 1)))
    with pytest.raises(AlreadyCommittedError, match="match 1, redraw 0: has its outcome, from attempt 'm1'"):
        done(writer.submit(writes.commit_match, other))
    assert store.read(reads.matches, cup) == before


def test_an_attempt_that_was_given_up_cannot_commit_after_another(store: Store, writer: Writer, cup: str) -> None:
    done(writer.submit(writes.begin_attempt, attempt("m1")))
    done(writer.submit(writes.mark_interrupted, cup, "it seemed dead"))
    play(writer, "m2", 1)
    with pytest.raises(AlreadyCommittedError, match="from attempt 'm2'"):
        done(writer.submit(writes.commit_match, finished("m1")))
    assert store.read(reads.record, "m1") is None
    assert [row.match_id for row in store.read(reads.matches, cup)] == ["m2"]


def test_a_match_that_has_its_outcome_is_not_begun_again(writer: Writer, cup: str) -> None:
    play(writer, "m1", 1)
    with pytest.raises(AlreadyCommittedError):
        done(writer.submit(writes.begin_attempt, attempt("m2", 1)))


@pytest.mark.parametrize(
    ("match", "words"),
    [
        (finished("m1", seats=SEATS[:1]), "match 'm1': expected 2 seats, found 1"),
        (finished("m1", seats=(seat("ann", 1), seat("ben", None))), r"a place for every seat, found \[1, None\]"),
        (finished("m1", seats=(seat("ann", 1, 5), seat("ben", 2))), r"every seat or for none, found \[5, None\]"),
        (finished("m1", seats=(seat("ann", 1), seat("zoe", 2))), "cup 'first': has no entrant 'zoe'"),
        (finished("m1", seats=(seat("ann", 0), seat("ben", 1))), "place_from_1"),
        (finished("m1", termination=Termination.ABORTED), "no places and scores in an aborted match"),
        (dataclasses.replace(finished("m1"), play_hash=b"short"), "play_hash_bytes"),
    ],
)
def test_an_outcome_that_makes_no_sense_is_refused_whole(
    store: Store, writer: Writer, cup: str, match: FinishedMatch, words: str
) -> None:
    done(writer.submit(writes.begin_attempt, attempt("m1")))
    with pytest.raises(StoreError, match=words):
        done(writer.submit(writes.commit_match, match))
    assert store.read(reads.matches, cup) == ()
    assert [row.state for row in store.read(reads.attempts, cup)] == [AttemptState.RUNNING]


def test_an_aborted_outcome_ends_the_match_and_its_block_does_not_count(store: Store, writer: Writer, cup: str) -> None:
    done(writer.submit(writes.begin_attempt, attempt("m1", 1)))
    aborted = finished("m1", termination=Termination.ABORTED, seats=ABORTED_SEATS, detail="a bug")
    done(writer.submit(writes.commit_match, aborted))
    play(writer, "m2", 2)
    block = store.read(reads.blocks, cup)[0]
    assert (block.over, block.counted) == (True, False)
    assert [row.counted for row in store.read(reads.matches, cup)] == [False, False]
    assert [(row.state, row.detail) for row in store.read(reads.attempts, cup)] == [
        (AttemptState.ABORTED, "a bug"),
        (AttemptState.COMMITTED, ""),
    ]


def test_a_walkover_has_no_attempt_and_no_record(store: Store, writer: Writer, cup: str) -> None:
    done(writer.submit(writes.commit_walkover, walkover(1)))
    (row,) = store.read(reads.matches, cup)
    assert (row.match_id, row.play_hash, row.record_hash) == (None, None, None)
    assert (row.termination, row.seats) == (Termination.FORFEIT, WALKOVER_SEATS)
    assert store.read(reads.attempts, cup) == ()
    with pytest.raises(AlreadyCommittedError, match="from a walkover"):
        done(writer.submit(writes.commit_walkover, walkover(1)))


def test_a_walkover_needs_a_withdrawn_seat_and_a_match_that_is_not_played(writer: Writer, cup: str) -> None:
    with pytest.raises(StoreError, match="expected a walkover with a withdrawn seat and no scores"):
        done(writer.submit(writes.commit_walkover, walkover(1, seats=SEATS)))
    done(writer.submit(writes.begin_attempt, attempt("m1", 1)))
    with pytest.raises(StoreError, match="is being played, as attempt 'm1'"):
        done(writer.submit(writes.commit_walkover, walkover(1)))


# Blocks


def test_a_block_drawn_anew_is_played_again_and_its_old_outcomes_stay_uncounted(
    store: Store, writer: Writer, cup: str
) -> None:
    play(writer, "m1", 1)
    assert done(writer.submit(writes.redraw_block, cup, 1)) == 1
    play(writer, "m2", 1, redraw=1)
    play(writer, "m3", 2, redraw=1)
    outcomes = [
        (row.match_id, row.number, row.redraw, row.current, row.counted) for row in store.read(reads.matches, cup)
    ]
    assert outcomes == [("m1", 1, 0, False, False), ("m2", 1, 1, True, True), ("m3", 2, 1, True, True)]
    assert store.read(reads.cup, cup).matches_over == 2


def test_a_block_is_not_drawn_anew_when_it_is_over_or_played_or_unknown(writer: Writer, cup: str) -> None:
    play(writer, "m1", 1)
    play(writer, "m2", 2)
    done(writer.submit(writes.begin_attempt, attempt("m3", 3)))
    with pytest.raises(StoreError, match="cup 'first', block 1: is over and cannot be drawn anew"):
        done(writer.submit(writes.redraw_block, cup, 1))
    with pytest.raises(StoreError, match=r"block 2: cannot be drawn anew while it is played, in attempts \['m3'\]"):
        done(writer.submit(writes.redraw_block, cup, 2))
    with pytest.raises(StoreError, match="block 3: is not in the schedule"):
        done(writer.submit(writes.redraw_block, cup, 3))
