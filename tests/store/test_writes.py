"""What writes do to cups, entrants and standings, and what they refuse."""

from __future__ import annotations

import dataclasses
from concurrent.futures import Future
from typing import Any

import pytest
from tests.store.samples import (
    WITHDRAWN,
    attempt,
    done,
    finished,
    new_cup,
    play,
    seat,
    walkover,
)

from croupier_server.store import (
    CupExistsError,
    EntrantRow,
    NewCup,
    NewEntrant,
    StandingRow,
    Standings,
    Store,
    StoreError,
    UnknownCupError,
    Writer,
    reads,
    writes,
)

# Cups


def test_a_cup_comes_out_as_it_went_in(store: Store, writer: Writer) -> None:
    token_hash = bytes(32)
    remote = NewEntrant("cyd", remote=True, token_hash=token_hash)
    cup = new_cup(schedule=(1, 1, 2))
    done(writer.submit(writes.create_cup, dataclasses.replace(cup, entrants=(*cup.entrants, remote))))

    row = store.read(reads.cup, "first")
    assert (row.name, row.game, row.isolation, row.duplicate, row.seats) == (
        cup.name,
        cup.game,
        cup.isolation,
        cup.duplicate,
        cup.seats,
    )
    assert (row.created_unix_ms, row.closed, row.version) == (cup.created_unix_ms, False, cup.version)
    assert (row.matches_scheduled, row.matches_over) == (3, 0)
    setup = store.read(reads.cup_setup, "first")
    assert (setup.file, setup.secret) == (cup.file, cup.secret)
    assert store.read(reads.entrants, "first") == (
        EntrantRow(1, "ann", remote=False, token_hash=None, withdrawn_after=None),
        EntrantRow(2, "ben", remote=False, token_hash=None, withdrawn_after=None),
        EntrantRow(3, "cyd", remote=True, token_hash=token_hash, withdrawn_after=None),
    )


def test_no_secret_shows_when_a_value_is_printed(store: Store, writer: Writer, cup: str) -> None:
    secret = repr(new_cup().secret)
    assert secret not in repr(new_cup())
    assert secret not in repr(store.read(reads.cup_setup, cup))


def test_a_cup_is_made_once(store: Store, writer: Writer, cup: str) -> None:
    with pytest.raises(CupExistsError, match=r"cup 'first': there is a cup of that name in the store"):
        done(writer.submit(writes.create_cup, new_cup(entrants=("x", "y"))))
    assert [entrant.name for entrant in store.read(reads.entrants, cup)] == ["ann", "ben"]


@pytest.mark.parametrize(
    ("cup", "words"),
    [
        (new_cup(entrants=("ann", "ann")), r"expected entrants of different names, found \['ann', 'ann'\]"),
        (new_cup(entrants=()), "expected entrants of different names"),
        (new_cup(schedule=(1, 3)), "expected a schedule of blocks 1, 2, … without a gap"),
        (new_cup(schedule=(0, 1)), "expected a schedule of blocks 1, 2, … without a gap"),
        (new_cup(schedule=()), "expected a schedule of blocks 1, 2, … without a gap"),
        (dataclasses.replace(new_cup(), secret=b"short"), "secret_bytes"),
    ],
)
def test_a_cup_that_makes_no_sense_is_refused_whole(store: Store, writer: Writer, cup: NewCup, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        done(writer.submit(writes.create_cup, cup))
    assert store.read(reads.cups) == ()


def test_an_unknown_cup_is_named_with_those_that_there_are(store: Store, writer: Writer) -> None:
    with pytest.raises(UnknownCupError, match="no cup 'frist' in the store; it has no cups"):
        store.read(reads.cup, "frist")
    done(writer.submit(writes.create_cup, new_cup()))
    with pytest.raises(UnknownCupError, match="no cup 'frist' in the store; its cups are 'first'"):
        store.read(reads.matches, "frist")
    with pytest.raises(UnknownCupError):
        done(writer.submit(writes.begin_attempt, attempt("m1", cup="frist")))


def test_a_closed_cup_takes_nothing_but_standings(store: Store, writer: Writer, cup: str) -> None:
    done(writer.submit(writes.close_cup, cup, closed_unix_ms=9_000))
    assert store.read(reads.cup, cup).closed_unix_ms == 9_000
    refusals: list[Future[Any]] = [
        writer.submit(writes.begin_attempt, attempt("m1")),
        writer.submit(writes.commit_walkover, walkover(1)),
        writer.submit(writes.mark_interrupted, cup, "power"),
        writer.submit(writes.redraw_block, cup, 1),
        writer.submit(writes.withdraw_entrant, cup, "ben", after_match=1, overridden=()),
        writer.submit(writes.close_cup, cup, closed_unix_ms=9_001),
    ]
    for refused in refusals:
        with pytest.raises(StoreError, match="cup 'first': is closed"):
            done(refused)
    done(writer.submit(writes.replace_standings, cup, Standings(blocks=1)))
    assert store.read(reads.standings, cup) == Standings(blocks=1)


def test_a_cup_is_not_closed_while_it_is_played(writer: Writer, cup: str) -> None:
    done(writer.submit(writes.begin_attempt, attempt("m1")))
    with pytest.raises(StoreError, match=r"cannot be closed while it is played, in attempts \['m1'\]"):
        done(writer.submit(writes.close_cup, cup, closed_unix_ms=9_000))


# Entrants


def test_a_withdrawal_overrides_what_was_played_out_of_order(store: Store, writer: Writer, cup: str) -> None:
    play(writer, "m4", 4)
    done(writer.submit(writes.withdraw_entrant, cup, "ben", after_match=2, overridden=[4]))
    assert [entrant.withdrawn_after for entrant in store.read(reads.entrants, cup)] == [None, 2]
    done(writer.submit(writes.commit_walkover, walkover(4)))

    outcomes = [(row.match_id, row.number, row.redraw, row.current) for row in store.read(reads.matches, cup)]
    assert outcomes == [("m4", 4, 0, False), (None, 4, 0, True)]
    assert store.read(reads.record, "m4") is not None
    assert store.read(reads.cup, cup).matches_over == 1


def test_a_match_can_be_overridden_and_played_again_more_than_once(store: Store, writer: Writer) -> None:
    done(writer.submit(writes.create_cup, new_cup(entrants=("ann", "ben", "cyd", "dan"), seats=4)))

    def outcome(match_id: str, *withdrawn: str) -> None:
        forfeits = dict.fromkeys(withdrawn, WITHDRAWN)
        seats = tuple(seat(name, 1, forfeit=forfeits.get(name)) for name in ("ann", "ben", "cyd", "dan"))
        done(writer.submit(writes.begin_attempt, attempt(match_id, 4)))
        done(writer.submit(writes.commit_match, finished(match_id, seats=seats)))

    outcome("m1")
    done(writer.submit(writes.withdraw_entrant, "first", "ben", after_match=2, overridden=[4]))
    outcome("m2", "ben")
    done(writer.submit(writes.withdraw_entrant, "first", "cyd", after_match=3, overridden=[4]))
    outcome("m3", "ben", "cyd")
    outcomes = [(row.match_id, row.current) for row in store.read(reads.matches, "first")]
    assert outcomes == [("m1", False), ("m2", False), ("m3", True)]
    assert [row.attempt for row in store.read(reads.attempts, "first")] == [1, 2, 3]


def test_a_withdrawal_that_makes_no_sense_is_refused_whole(store: Store, writer: Writer, cup: str) -> None:
    play(writer, "m1", 1)
    with pytest.raises(StoreError, match="match 3 has no outcome in force to override"):
        done(writer.submit(writes.withdraw_entrant, cup, "ben", after_match=2, overridden=[3]))
    with pytest.raises(StoreError, match="match 1 came before 'ben' was withdrawn, after 2"):
        done(writer.submit(writes.withdraw_entrant, cup, "ben", after_match=2, overridden=[1]))
    with pytest.raises(StoreError, match="cup 'first': has no entrant 'zoe'"):
        done(writer.submit(writes.withdraw_entrant, cup, "zoe", after_match=2, overridden=()))
    assert not any(entrant.withdrawn for entrant in store.read(reads.entrants, cup))

    done(writer.submit(writes.withdraw_entrant, cup, "ben", after_match=2, overridden=()))
    with pytest.raises(StoreError, match="entrant 'ben' is withdrawn already"):
        done(writer.submit(writes.withdraw_entrant, cup, "ben", after_match=3, overridden=()))


# Standings


def standing(entrant: str, rank: int, margin: float | None = 12.25) -> StandingRow:
    return StandingRow(
        rank=rank,
        entrant=entrant,
        elo=1500.1 + 1 / 3,
        elo_margin=margin,
        sequential_elo=1501.5,
        matches=4,
        wins=2,
        draws=1,
        losses=1,
        forfeits=0,
        ms_per_turn=None if margin is None else 3.5,
    )


def test_standings_replace_the_last_ones_and_keep_their_order(store: Store, writer: Writer, cup: str) -> None:
    assert store.read(reads.standings, cup) == Standings(blocks=0, rows=())
    done(writer.submit(writes.replace_standings, cup, Standings(1, (standing("ann", 1), standing("ben", 2)))))
    last = Standings(2, (standing("ben", 1), standing("ann", 1, margin=None)))
    done(writer.submit(writes.replace_standings, cup, last))
    assert store.read(reads.standings, cup) == last


def test_standings_of_strangers_leave_the_last_ones(store: Store, writer: Writer, cup: str) -> None:
    last = Standings(1, (standing("ann", 1),))
    done(writer.submit(writes.replace_standings, cup, last))
    with pytest.raises(StoreError, match="has no entrant 'zoe'"):
        done(writer.submit(writes.replace_standings, cup, Standings(2, (standing("zoe", 1),))))
    with pytest.raises(StoreError, match=r"standings\.entrant"):
        done(writer.submit(writes.replace_standings, cup, Standings(2, (standing("ann", 1), standing("ann", 2)))))
    assert store.read(reads.standings, cup) == last
