"""Who is withdrawn, and what becomes of the matches left."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_server.match.spec import Forfeit, ForfeitReason, MatchResult, Termination
from croupier_tournament.pairing import ScheduledMatch, schedule
from croupier_tournament.played import Played
from croupier_tournament.withdrawal import WithdrawalRule, effective_results, standing, withdrawn_seats

NAMES = ["ann", "bob", "cid"]


def cup(players: int = 2, blocks: int = 4) -> list[ScheduledMatch]:
    return list(schedule(NAMES if players == 2 else [*NAMES, "dan"], players, blocks, seed=1))


def played(match: ScheduledMatch, failed: Iterable[str] = (), gone: Iterable[str] = ()) -> Played:
    """The match played to its end, but those in `failed` did not start, and those in `gone` were left out."""
    reasons = dict.fromkeys(failed, ForfeitReason.NOT_READY) | dict.fromkeys(gone, ForfeitReason.WITHDRAWN)
    forfeits = tuple(
        Forfeit(seat, reasons[name], 0, 1, was_ready=False)
        for seat, name in enumerate(match.entrants)
        if name in reasons
    )
    places = tuple(2 if name in reasons else 1 for name in match.entrants)
    nothing = (0,) * len(places)
    return Played(MatchResult(Termination.FORFEIT, places, forfeits=forfeits), nothing, nothing, "ab" * 32)


def aborted(match: ScheduledMatch) -> Played:
    nothing = (0,) * len(match.entrants)
    return Played(MatchResult(Termination.ABORTED), nothing, nothing, "cd" * 32)


def all_played(matches: Iterable[ScheduledMatch], broken: str) -> dict[int, Played]:
    return {match.number: played(match, {broken} & set(match.entrants)) for match in matches}


def numbers_of(matches: Iterable[ScheduledMatch], name: str) -> list[int]:
    return [match.number for match in matches if name in match.entrants]


def test_three_failed_starts_in_a_row_withdraw_an_entrant() -> None:
    matches = cup()
    third = numbers_of(matches, "bob")[2]
    assert WithdrawalRule(matches).withdrawn(all_played(matches, "bob")) == {"bob": third}


def test_a_start_that_succeeds_begins_the_row_anew() -> None:
    matches = cup(blocks=1)
    second = matches[numbers_of(matches, "bob")[1] - 1]
    results = all_played(matches, "bob") | {second.number: played(second)}
    assert WithdrawalRule(matches).withdrawn(results) == {}


def test_a_bot_that_crashes_after_its_start_is_not_withdrawn() -> None:
    matches = cup()
    results = {}
    for match in matches:
        crash = tuple(
            Forfeit(seat, ForfeitReason.CRASH, 3, 1, was_ready=True)
            for seat, name in enumerate(match.entrants)
            if name == "bob"
        )
        results[match.number] = Played(MatchResult(Termination.FORFEIT, (1, 2), forfeits=crash), (0, 0), (0, 0))
    assert WithdrawalRule(matches).withdrawn(results) == {}


def test_an_aborted_match_says_nothing_about_a_bot() -> None:
    matches = cup()
    mine = numbers_of(matches, "bob")
    results = all_played(matches, "bob") | {mine[1]: aborted(matches[mine[1] - 1])}
    assert WithdrawalRule(matches).withdrawn(results) == {"bob": mine[3]}


def test_nothing_is_decided_over_a_gap() -> None:
    matches = cup()
    results = all_played(matches, "bob")
    late = results.pop(numbers_of(matches, "bob")[0])
    rule = WithdrawalRule(matches)
    assert rule.withdrawn(results) == {}
    results[numbers_of(matches, "bob")[0]] = late
    assert rule.withdrawn(results) == {"bob": numbers_of(matches, "bob")[2]}


def test_walkovers_neither_break_nor_lengthen_a_row() -> None:
    matches = cup(blocks=6)
    results = {match.number: played(match, {"ann", "bob"} & set(match.entrants)) for match in matches}
    withdrawn = WithdrawalRule(matches).withdrawn(results)
    assert withdrawn.keys() == {"ann", "bob"}
    first, second = sorted(withdrawn, key=withdrawn.__getitem__)
    starts = [
        match.number
        for match in matches
        if second in match.entrants and not (first in match.entrants and match.number > withdrawn[first])
    ]
    assert withdrawn[second] == starts[2]


def test_a_match_of_a_withdrawn_entrant_is_a_walkover_for_the_other() -> None:
    matches = cup()
    match = next(match for match in matches if match.number > 8 and match.entrants == ("ann", "bob"))
    won = standing(match, {}, {"bob": 8})
    assert won is not None
    assert won.result == MatchResult(
        Termination.FORFEIT, (1, 2), forfeits=(Forfeit(1, ForfeitReason.WITHDRAWN, 0, 1, was_ready=False),)
    )
    assert (won.thinking_ms, won.turns, won.play_hash) == ((0, 0), (0, 0), "")


def test_two_withdrawn_entrants_are_tied() -> None:
    match = next(match for match in cup() if match.number > 8 and match.entrants == ("ann", "bob"))
    tied = standing(match, {}, {"ann": 7, "bob": 8})
    assert tied is not None
    assert tied.result.places == (1, 1)
    assert [(forfeit.seat, forfeit.instant) for forfeit in tied.result.forfeits] == [(0, 1), (1, 1)]


def test_the_match_that_decides_still_stands_as_it_was_played() -> None:
    matches = cup()
    results = all_played(matches, "bob")
    withdrawn = WithdrawalRule(matches).withdrawn(results)
    effective = effective_results(matches, results, withdrawn)
    assert effective[withdrawn["bob"]] is results[withdrawn["bob"]]


def test_a_match_played_out_of_order_is_overridden() -> None:
    match = next(match for match in cup() if match.number > 8 and match.entrants == ("ann", "bob"))
    own = played(match, failed=["ann"])  # bob started by chance and won
    assert standing(match, {match.number: own}, {}) is own
    overridden = standing(match, {match.number: own}, {"bob": 8})
    assert overridden is not None
    assert overridden.result.places == (1, 2)


def test_what_is_open_is_absent() -> None:
    matches = cup()
    effective = effective_results(matches, {2: played(matches[1])}, {})
    assert list(effective) == [2]


def test_at_a_larger_table_the_others_play_on() -> None:
    match = next(match for match in cup(players=3) if match.number > 8 and "bob" in match.entrants)
    assert withdrawn_seats(match, {"bob": 8}) == (match.entrants.index("bob"),)
    assert standing(match, {}, {"bob": 8}) is None
    assert standing(match, {match.number: played(match)}, {"bob": 8}) is None
    without = played(match, gone=["bob"])
    assert standing(match, {match.number: without}, {"bob": 8}) is without


def test_an_aborted_match_is_not_played_again_since_somebody_was_withdrawn() -> None:
    match = next(match for match in cup(players=3) if match.number > 8 and "bob" in match.entrants)
    fault = aborted(match)
    assert standing(match, {match.number: fault}, {"bob": 8}) is fault


def test_at_a_larger_table_the_last_one_left_wins_unplayed() -> None:
    match = next(match for match in cup(players=3) if set(match.entrants) == {"ann", "bob", "cid"} and match.number > 8)
    won = standing(match, {}, {"bob": 7, "ann": 8})
    assert won is not None
    assert dict(zip(match.entrants, won.result.places, strict=True)) == {"ann": 2, "bob": 2, "cid": 1}


def in_order(
    matches: list[ScheduledMatch], fates: Mapping[int, frozenset[str]]
) -> tuple[dict[str, int], dict[int, Played]]:
    """The cup played one match at a time."""
    rule, results = WithdrawalRule(matches), dict[int, Played]()
    withdrawn: dict[str, int] = {}
    for match in matches:
        if standing(match, results, withdrawn) is None:
            gone = {match.entrants[seat] for seat in withdrawn_seats(match, withdrawn)}
            results[match.number] = played(match, fates[match.number] - gone, gone)
        withdrawn = rule.withdrawn(results)
    return withdrawn, effective_results(matches, results, withdrawn)


@pytest.mark.parametrize("players", [2, 3])
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), parallel=st.integers(1, 12))
def test_the_order_of_completion_decides_nothing(players: int, seed: int, parallel: int) -> None:
    matches = cup(players, blocks=3)
    luck = random.Random(seed)
    fates = {
        match.number: frozenset(name for name in match.entrants if luck.random() < (0.8 if name == "bob" else 0.3))
        for match in matches
    }
    rule, results = WithdrawalRule(matches), dict[int, Played]()
    withdrawn: dict[str, int] = {}
    while True:
        waiting = [match for match in matches if standing(match, results, withdrawn) is None]
        if not waiting:
            break
        match = luck.choice(waiting[:parallel])
        gone = {match.entrants[seat] for seat in withdrawn_seats(match, withdrawn)}
        results[match.number] = played(match, fates[match.number] - gone, gone)
        before, withdrawn = withdrawn, rule.withdrawn(results)
        assert before.items() <= withdrawn.items()
    assert (withdrawn, effective_results(matches, results, withdrawn)) == in_order(matches, fates)
