"""The order-free fit, its intervals and the sequential Elo."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize, root
from scipy.stats import t as student

from croupier_tournament.rating import RatedMatch, elo_margins, fit_elo, sequential_elo

NAMES = ["ann", "bob", "cid", "dan", "eve"]
NAT = 400 / math.log(10)


def duel(block: int, winner: str, loser: str) -> RatedMatch:
    return RatedMatch(block, (winner, loser), (1, 2))


def surplus(matches: Sequence[RatedMatch], strengths: Mapping[str, float]) -> dict[str, float]:
    """Points above expectation of each entrant, the virtual draw's included, match by match and pair by pair."""
    over = {name: 1 / 2 - 1 / (1 + math.exp(-x)) for name, x in strengths.items()}
    for match in matches:
        for one, two in combinations(range(len(match.places)), 2):
            a, b = match.entrants[one], match.entrants[two]
            points = (1 + np.sign(match.places[two] - match.places[one])) / 2
            gain = (points - 1 / (1 + math.exp(strengths[b] - strengths[a]))) / (len(match.places) - 1)
            over[a] += gain
            over[b] -= gain
    return over


def naive_fit(entrants: Sequence[str], matches: Sequence[RatedMatch]) -> dict[str, float]:
    """The maximum of the likelihood as it is defined, found by a general optimiser."""

    def cost(x: NDArray[np.float64]) -> float:
        strengths = dict(zip(entrants, x, strict=True))
        total = sum(math.log(1 + math.exp(s)) - s / 2 for s in x)
        for match in matches:
            for one, two in combinations(range(len(match.places)), 2):
                points = (1 + np.sign(match.places[two] - match.places[one])) / 2
                edge = strengths[match.entrants[one]] - strengths[match.entrants[two]]
                total += (math.log(1 + math.exp(edge)) - points * edge) / (len(match.places) - 1)
        return float(total)

    def slope(x: NDArray[np.float64]) -> list[float]:
        return [-over for over in surplus(matches, dict(zip(entrants, x, strict=True))).values()]

    near = minimize(cost, np.zeros(len(entrants)), jac=slope, method="BFGS").x
    found = root(slope, near, tol=1e-13).x  # comparing costs cannot tell strengths apart beyond 1e-8
    return dict(zip(entrants, 1500 + NAT * (found - found.mean()), strict=True))


@st.composite
def fields(draw: st.DrawFn) -> list[RatedMatch]:
    """Some blocks of some of NAMES, with ties."""
    matches = []
    for block in range(draw(st.integers(1, 6))):
        table = draw(st.permutations(NAMES))[: draw(st.integers(2, 4))]
        for _ in range(draw(st.integers(1, 3))):
            places = tuple(draw(st.integers(1, len(table))) for _ in table)
            matches.append(RatedMatch(block, tuple(table), places))
    return matches


def test_nobody_has_played_and_all_have_the_mean() -> None:
    assert fit_elo(NAMES, []) == dict.fromkeys(NAMES, 1500.0)


@pytest.mark.parametrize(("won", "lost"), [(1, 0), (3, 1), (10, 0), (7, 7), (1000, 0), (100_000, 0)])
def test_two_entrants_have_the_rating_of_the_closed_form(won: int, lost: int) -> None:
    matches = [duel(0, "ann", "bob")] * won + [duel(0, "bob", "ann")] * lost
    ratings = fit_elo(["ann", "bob"], matches)
    half = (ratings["ann"] - ratings["bob"]) / 2 / NAT
    # By symmetry they are +half and -half, and the gradient in ann's strength is nought there.
    expected_points = (won + lost) / (1 + math.exp(-2 * half)) + 1 / (1 + math.exp(-half))
    assert expected_points == pytest.approx(won + 1 / 2, rel=1e-12)
    assert sum(ratings.values()) == pytest.approx(3000, abs=1e-9)


def test_one_win_of_one_match_is_worth_what_the_sum_by_hand_says() -> None:
    # 1 - s(2x) = s(x) - 1/2 for the logistic s; with y = e^x: 1/(1 + y^2) = (y - 1) / (2 (y + 1)),
    # so y^3 - y^2 - y - 3 = 0, whose real root is 2.1304; 400 log10 of it is 131.384.
    root = next(r.real for r in np.roots([1, -1, -1, -3]) if abs(r.imag) < 1e-12)
    ratings = fit_elo(["ann", "bob"], [duel(0, "ann", "bob")])
    assert ratings["ann"] == pytest.approx(1500 + NAT * math.log(root), abs=1e-9)
    assert ratings["ann"] == pytest.approx(1631.3841, abs=1e-3)


def test_a_perfect_score_is_finite_and_grows_with_matches() -> None:
    tops = [fit_elo(["ann", "bob"], [duel(0, "ann", "bob")] * n)["ann"] for n in (1, 10, 100, 1000)]
    assert all(math.isfinite(top) for top in tops)
    assert tops == sorted(tops)


@settings(max_examples=30, deadline=None)
@given(matches=fields())
def test_the_fit_agrees_with_a_slow_optimiser_of_the_definition(matches: list[RatedMatch]) -> None:
    slow = naive_fit(NAMES, matches)
    for name, rating in fit_elo(NAMES, matches).items():
        assert rating == pytest.approx(slow[name], abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(matches=fields())
def test_at_the_fit_nobody_scores_above_expectation(matches: list[RatedMatch]) -> None:
    ratings = fit_elo(NAMES, matches)

    def moved(shift: float) -> dict[str, float]:
        return surplus(matches, {name: (rating - 1500) / NAT + shift for name, rating in ratings.items()})

    shift = brentq(lambda by: sum(moved(by).values()), -20, 20, xtol=1e-14)  # what the centring took away
    assert max(map(abs, moved(shift).values())) < 1e-10


@settings(max_examples=60, deadline=None)
@given(matches=fields(), seed=st.integers(0, 999))
def test_the_order_of_completion_changes_no_bit(matches: list[RatedMatch], seed: int) -> None:
    shuffled = random.Random(seed).sample(matches, len(matches))
    assert fit_elo(NAMES, shuffled) == fit_elo(NAMES, matches)
    assert elo_margins(NAMES, shuffled) == elo_margins(NAMES, matches)


@settings(max_examples=60, deadline=None)
@given(matches=fields(), order=st.permutations(NAMES))
def test_other_names_and_seats_change_nothing_but_names(matches: list[RatedMatch], order: list[str]) -> None:
    other = dict(zip(NAMES, order, strict=True))
    renamed = [RatedMatch(m.block, tuple(other[name] for name in m.entrants[::-1]), m.places[::-1]) for m in matches]
    ratings, margins = fit_elo(NAMES, matches), elo_margins(NAMES, matches)
    for name, rating in fit_elo(NAMES, renamed).items():
        assert rating == pytest.approx(ratings[NAMES[order.index(name)]], abs=1e-9)
    for name, margin in (elo_margins(NAMES, renamed) or {}).items():
        assert margins is not None
        assert margin == pytest.approx(margins[NAMES[order.index(name)]], abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(matches=fields())
def test_the_mean_of_all_entrants_is_1500(matches: list[RatedMatch]) -> None:
    assert sum(fit_elo(NAMES, matches).values()) / len(NAMES) == pytest.approx(1500, abs=1e-9)


def test_a_table_of_three_counts_each_pair_half() -> None:
    three = [RatedMatch(0, ("ann", "bob", "cid"), (1, 2, 2))] * 2
    pairs = [duel(0, "ann", "bob"), duel(0, "ann", "cid"), RatedMatch(0, ("bob", "cid"), (1, 1))]
    assert fit_elo(NAMES, three) == pytest.approx(fit_elo(NAMES, pairs), abs=1e-9)


def test_a_match_of_a_stranger_is_an_error() -> None:
    with pytest.raises(KeyError, match="zoe"):
        fit_elo(NAMES, [duel(0, "ann", "zoe")])


@pytest.mark.parametrize(("entrants", "places"), [(("ann", "bob"), (1,)), (("ann", "ann"), (1, 2)), (("ann",), (1,))])
def test_a_match_without_a_place_for_each_of_two_entrants_is_an_error(
    entrants: tuple[str, ...], places: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="expected a place for each of 2 or more entrants"):
        RatedMatch(0, entrants, places)


def test_one_block_tells_no_margin() -> None:
    assert elo_margins(NAMES, [duel(4, "ann", "bob"), duel(4, "bob", "ann")]) is None
    assert elo_margins(NAMES, []) is None


@settings(max_examples=30, deadline=None)
@given(matches=fields())
def test_margins_are_those_of_a_naive_jackknife(matches: list[RatedMatch]) -> None:
    blocks = sorted({match.block for match in matches})
    left_out = [fit_elo(NAMES, [m for m in matches if m.block != block]) for block in blocks]
    margins = elo_margins(NAMES, matches)
    if len(blocks) < 2:
        assert margins is None
        return
    assert margins is not None
    for name in NAMES:
        ratings = [fit[name] for fit in left_out]
        spread = math.sqrt((len(blocks) - 1) / len(blocks) * sum((r - np.mean(ratings)) ** 2 for r in ratings))
        assert margins[name] == pytest.approx(student.ppf(0.975, len(blocks) - 1) * spread, abs=1e-7)


def test_blocks_that_all_say_the_same_leave_no_doubt() -> None:
    matches = [duel(block, "ann", "bob") for block in range(5)]
    assert elo_margins(["ann", "bob"], matches) == pytest.approx({"ann": 0, "bob": 0}, abs=1e-9)


def test_intervals_cover_the_long_run_rating_about_as_often_as_they_say() -> None:
    luck = random.Random(20)
    strength = {"ann": 0.6, "bob": 0.0, "cid": -0.2, "dan": -0.4}
    names = list(strength)

    def cup(blocks: int) -> list[RatedMatch]:
        matches = []
        for number, (one, two) in enumerate([*combinations(names, 2)] * blocks):
            for _ in range(2):
                ann_like = luck.random() < 1 / (1 + math.exp(strength[two] - strength[one]))
                matches.append(duel(number, one, two) if ann_like else duel(number, two, one))
        return matches

    truth = {name: 1500 + NAT * (s - sum(strength.values()) / 4) for name, s in strength.items()}
    covered = total = 0
    for _ in range(150):
        matches = cup(20)
        margins = elo_margins(names, matches)
        assert margins is not None
        for name, rating in fit_elo(names, matches).items():
            covered += abs(rating - truth[name]) <= margins[name]
            total += 1
    assert 0.92 <= covered / total <= 0.98


def test_the_first_sequential_win_is_worth_eight_points() -> None:
    assert sequential_elo(["ann", "bob", "cid"], [duel(0, "ann", "bob")]) == {"ann": 1508, "bob": 1492, "cid": 1500}


def test_the_sequential_recurrence_is_the_textbook_one() -> None:
    ann, bob = 1500.0, 1500.0
    for points in (1, 1, 0.5, 0, 1):
        expected = 1 / (1 + 10 ** ((bob - ann) / 400))
        ann, bob = ann + 16 * (points - expected), bob - 16 * (points - expected)
    places = {1: (1, 2), 0.5: (1, 1), 0: (2, 1)}
    matches = [RatedMatch(0, ("ann", "bob"), places[points]) for points in (1, 1, 0.5, 0, 1)]
    assert sequential_elo(["ann", "bob"], matches) == pytest.approx({"ann": ann, "bob": bob}, abs=1e-9)


def test_a_table_of_three_is_rated_at_once_from_the_ratings_before() -> None:
    ratings = sequential_elo(["ann", "bob", "cid"], [RatedMatch(0, ("ann", "bob", "cid"), (1, 2, 3))])
    assert ratings == {"ann": 1508, "bob": 1500, "cid": 1492}


def test_sequential_points_are_conserved_and_a_tie_of_equals_moves_nothing() -> None:
    matches = [RatedMatch(0, ("ann", "bob", "cid"), (1, 2, 2)), RatedMatch(1, ("cid", "bob"), (1, 1))]
    ratings = sequential_elo(["ann", "bob", "cid"], matches)
    assert sum(ratings.values()) == pytest.approx(4500)
    assert ratings["bob"] == ratings["cid"]
