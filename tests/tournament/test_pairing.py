"""Designs, seatings and the schedule."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_tournament.pairing import ScheduledMatch, match_count, schedule, seating_count, seatings, tables

SIZES = [(n, k) for k in range(2, 7) for n in range(k, 12)]
NAMES = ["ann", "bob", "cid", "dan", "eve", "fay", "gus"]


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_a_design_has_every_table_exactly_once(n: int, k: int) -> None:
    assert sorted(tuple(sorted(table)) for table in tables(n, k)) == list(combinations(range(n), k))


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_every_prefix_of_a_design_is_nearly_balanced(n: int, k: int) -> None:
    bound = (1 if n % 2 == 0 else 2) if k == 2 else k
    sat = Counter(dict.fromkeys(range(n), 0))
    for table in tables(n, k):
        sat.update(table)
        assert max(sat.values()) - min(sat.values()) <= bound


def test_in_a_round_of_the_circle_everyone_plays_once() -> None:
    pairs = list(tables(6, 2))
    assert len(pairs) == 15
    for start in range(0, 15, 3):
        assert sorted(seat for pair in pairs[start : start + 3] for seat in pair) == list(range(6))


@pytest.mark.parametrize(("n", "k"), [(3, 1), (3, 4), (0, 2)])
def test_a_table_larger_than_the_field_is_refused(n: int, k: int) -> None:
    with pytest.raises(ValueError, match="expected 2 <= players <= entrants"):
        tables(n, k)


@pytest.mark.parametrize("k", [2, 3])
def test_small_tables_sit_in_every_order(k: int) -> None:
    assert set(seatings(NAMES[:k])) == set(permutations(NAMES[:k]))


@pytest.mark.parametrize("k", [4, 5, 6, 7])
def test_in_large_tables_everyone_has_every_seat_exactly_once(k: int) -> None:
    orders = seatings(NAMES[:k])
    assert len(orders) == seating_count(k) == k
    for seat in range(k):
        assert sorted(order[seat] for order in orders) == NAMES[:k]


def test_an_index_means_the_same_seating_whatever_the_order_of_names() -> None:
    assert seatings(["bob", "ann"]) == seatings(["ann", "bob"]) == (("ann", "bob"), ("bob", "ann"))


def _identity(match: ScheduledMatch) -> tuple[object, ...]:
    return match.entrants, match.block, match.seating


cups = st.integers(2, 5).flatmap(
    lambda k: st.tuples(st.integers(k, 7).map(lambda n: NAMES[:n]), st.just(k), st.integers(1, 3))
)
seeds = st.integers(0, 2**64 - 1)


@settings(max_examples=40, deadline=None)
@given(cup=cups, seed=seeds, other=seeds)
def test_the_seed_permutes_the_order_and_changes_no_match(
    cup: tuple[list[str], int, int], seed: int, other: int
) -> None:
    one, two = list(schedule(*cup, seed)), list(schedule(*cup, other))
    assert set(map(_identity, one)) == set(map(_identity, two))
    assert len(set(map(_identity, one))) == len(one) == match_count(len(cup[0]), cup[1], cup[2])


@settings(max_examples=40, deadline=None)
@given(cup=cups, seed=seeds)
def test_matches_are_numbered_and_blocks_are_neighbours_with_all_seatings(
    cup: tuple[list[str], int, int], seed: int
) -> None:
    matches = list(schedule(*cup, seed))
    per_block = seating_count(cup[1])
    assert [match.number for match in matches] == list(range(1, len(matches) + 1))
    assert [match.block_number for match in matches] == [1 + i // per_block for i in range(len(matches))]
    for start in range(0, len(matches), per_block):
        block = matches[start : start + per_block]
        assert tuple(match.entrants for match in block) == seatings(block[0].entrants)
        assert [match.seating for match in block] == list(range(per_block))
        assert len({match.block for match in block}) == 1


@settings(max_examples=40, deadline=None)
@given(cup=cups, seed=seeds)
def test_every_prefix_of_blocks_gives_everyone_nearly_as_many(cup: tuple[list[str], int, int], seed: int) -> None:
    names, k, blocks = cup
    played = Counter(dict.fromkeys(names, 0))
    for match in schedule(names, k, blocks, seed):
        if match.seating == 0:
            played.update(match.entrants)
            assert max(played.values()) - min(played.values()) <= max(k, 2)


def test_each_pass_has_every_table_once_under_the_next_block_index() -> None:
    matches = list(schedule(NAMES[:5], 2, 3, seed=7))
    for block in range(3):
        one_pass = matches[20 * block : 20 * block + 20]
        assert {match.block for match in one_pass} == {block}
        assert {frozenset(match.entrants) for match in one_pass} == {
            frozenset(pair) for pair in combinations(NAMES[:5], 2)
        }


def test_a_cup_with_more_blocks_begins_like_one_with_fewer() -> None:
    short, long = list(schedule(NAMES, 2, 2, seed=3)), list(schedule(NAMES, 2, 5, seed=3))
    assert long[: len(short)] == short


def test_the_order_of_entrants_in_the_file_does_not_matter() -> None:
    assert list(schedule(NAMES, 3, 2, seed=3)) == list(schedule(NAMES[::-1], 3, 2, seed=3))


def test_the_schedule_of_a_seed_never_changes() -> None:
    first_seatings = [match for match in schedule(["a", "b", "c"], 2, 2, seed=1) if match.seating == 0]
    assert ["".join(match.entrants) for match in first_seatings] == ["bc", "ac", "ab", "ab", "ac", "bc"]
