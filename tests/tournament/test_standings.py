"""The table: which matches count, and what is counted."""

from __future__ import annotations

import pytest

from croupier_server.match.spec import Forfeit, ForfeitReason, MatchResult, Termination
from croupier_tournament.pairing import ScheduledMatch, schedule
from croupier_tournament.played import Played
from croupier_tournament.rating import RatedMatch, elo_margins, fit_elo, sequential_elo
from croupier_tournament.standings import complete_blocks, compute_standings

NAMES = ("bob", "ann", "cid")  # in the order of a cup file
STRENGTH = {"ann": 2, "bob": 1, "cid": 0}


def cup(blocks: int = 2) -> list[ScheduledMatch]:
    return list(schedule(NAMES, 2, blocks, seed=1))


def normal(match: ScheduledMatch) -> Played:
    """The stronger one wins; seat 0 took 30 ms over 10 turns and seat 1 took 80 ms over 20."""
    first_wins = STRENGTH[match.entrants[0]] > STRENGTH[match.entrants[1]]
    places = (1, 2) if first_wins else (2, 1)
    return Played(MatchResult(Termination.NORMAL, places, places[::-1]), (30, 80), (10, 20), "ab" * 32)


def test_a_whole_cup_is_ranked_and_counted() -> None:
    matches = cup()
    table = compute_standings(NAMES, matches, {match.number: normal(match) for match in matches})
    assert table.blocks == 6
    assert [(row.rank, row.bot) for row in table.rows] == [(1, "ann"), (2, "bob"), (3, "cid")]
    assert [(row.matches, row.wins, row.draws, row.losses) for row in table.rows] == [
        (8, 8, 0, 0),
        (8, 4, 0, 4),
        (8, 0, 0, 8),
    ]
    assert [row.ms_per_turn for row in table.rows] == [pytest.approx(110 / 30)] * 3


def test_ratings_are_those_of_the_matches_that_count() -> None:
    matches = cup()
    effective = {match.number: normal(match) for match in matches if match.number != 2}
    rated = [
        RatedMatch(match.block_number, match.entrants, effective[match.number].result.places)
        for match in matches
        if match.block_number != 1
    ]
    margins = elo_margins(NAMES, rated)
    assert margins is not None
    for row in compute_standings(NAMES, matches, effective).rows:
        assert row.elo == pytest.approx(fit_elo(NAMES, rated)[row.bot], abs=1e-6)
        assert row.elo_margin == pytest.approx(margins[row.bot], abs=1e-6)
        assert row.sequential_elo == pytest.approx(sequential_elo(NAMES, rated)[row.bot], abs=1e-6)


def test_a_block_with_an_open_match_does_not_count() -> None:
    matches = cup()
    effective = {match.number: normal(match) for match in matches[:5]}
    assert complete_blocks(matches, effective) == {1, 2}
    assert sum(row.matches for row in compute_standings(NAMES, matches, effective).rows) == 8


def test_a_block_with_an_aborted_match_does_not_count() -> None:
    matches = cup()
    effective = {match.number: normal(match) for match in matches}
    effective[4] = Played(MatchResult(Termination.ABORTED), (5, 5), (1, 1))
    assert complete_blocks(matches, effective) == {1, 3, 4, 5, 6}


def test_before_any_block_all_share_the_first_rank_in_the_order_of_the_file() -> None:
    table = compute_standings(NAMES, cup(), {})
    assert [(row.rank, row.bot, row.elo, row.elo_margin) for row in table.rows] == [
        (1, name, 1500.0, None) for name in NAMES
    ]
    assert {row.ms_per_turn for row in table.rows} == {None}


def test_equal_ratings_share_a_rank_and_the_next_is_skipped() -> None:
    matches = cup()
    effective = {
        match.number: Played(
            MatchResult(Termination.NORMAL, tuple(1 + (name == "cid") for name in match.entrants)), (0, 0), (0, 0)
        )
        for match in matches
    }
    rows = compute_standings(NAMES, matches, effective).rows
    assert [(row.rank, row.bot) for row in rows] == [(1, "bob"), (1, "ann"), (3, "cid")]
    assert rows[0].elo == rows[1].elo
    assert [row.draws for row in rows] == [4, 4, 0]


def test_forfeits_are_counted_once_a_match() -> None:
    matches = cup(blocks=1)
    effective = {match.number: normal(match) for match in matches}
    crash = (Forfeit(0, ForfeitReason.CRASH, 3, 1, was_ready=True),)
    loser = matches[0].entrants[0]
    effective[1] = Played(MatchResult(Termination.FORFEIT, (2, 1), forfeits=crash), (1, 1), (2, 2))
    forfeits = {row.bot: row.forfeits for row in compute_standings(NAMES, matches, effective).rows}
    assert forfeits == {name: int(name == loser) for name in NAMES}


def test_at_a_larger_table_every_opponent_is_won_or_lost_against() -> None:
    matches = list(schedule(NAMES, 3, 1, seed=1))
    places = {"ann": 1, "bob": 2, "cid": 2}
    effective = {
        match.number: Played(
            MatchResult(Termination.NORMAL, tuple(places[name] for name in match.entrants)), (0,) * 3, (1,) * 3
        )
        for match in matches
    }
    rows = {row.bot: row for row in compute_standings(NAMES, matches, effective).rows}
    assert [(rows[name].wins, rows[name].draws, rows[name].losses) for name in ("ann", "bob", "cid")] == [
        (12, 0, 0),
        (0, 6, 6),
        (0, 6, 6),
    ]
    assert [rows[name].rank for name in ("ann", "bob", "cid")] == [1, 2, 2]
