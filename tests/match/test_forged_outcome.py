"""Records forged in their end or their order, their hashes made right again; and too large to judge at leisure."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from tests.match.forging import fault_in_bytes, with_clock, with_play, with_result, with_spec, without
from tests.match.matches import (
    JEKYLL,
    jekyll_given_up,
    jekyll_to_the_end,
)

from croupier_server.match.record import IllegalAnswer
from croupier_server.match.spec import Policy, SeatSpec, Termination
from croupier_server.rules import NumberDraw

FULL = jekyll_to_the_end


def test_swapped_places_are_named() -> None:
    places = FULL()[0].result.places[::-1]
    assert f"outcome: found MatchResult(termination=<Termination.NORMAL: 1>, places={places}" in fault_in_bytes(
        with_result(FULL(), places=places)
    )


@pytest.mark.parametrize("scores", [(0, 0), (), (5, -5)])
def test_wrong_scores_are_named(scores: tuple[int, ...]) -> None:
    assert fault_in_bytes(with_result(FULL(), scores=scores)).startswith("outcome: found")


@pytest.mark.parametrize("termination", [Termination.FORFEIT, Termination.ABORTED])
def test_a_game_played_to_its_end_cannot_end_otherwise(termination: Termination) -> None:
    assert fault_in_bytes(with_result(FULL(), termination=termination))


def test_a_match_that_was_won_cannot_be_called_aborted_without_places() -> None:
    forged = with_result(FULL(), termination=Termination.ABORTED, places=(), scores=())
    assert fault_in_bytes(forged).startswith("outcome: found")


def test_a_match_that_was_given_up_cannot_be_called_aborted() -> None:
    forged = with_result(jekyll_given_up(), termination=Termination.ABORTED, places=())
    assert fault_in_bytes(forged).startswith("outcome: found")


def test_a_match_that_was_given_up_has_no_scores() -> None:
    assert fault_in_bytes(with_result(jekyll_given_up(), scores=(0, 1))).startswith("outcome: found")


def test_a_match_that_was_given_up_cannot_be_called_normal() -> None:
    assert fault_in_bytes(with_result(jekyll_given_up(), termination=Termination.NORMAL))


def test_the_end_of_a_game_cannot_be_cut_off() -> None:
    play, clock, notes = FULL()
    *kept, last = play.decisions
    stamps = [i for i, stamp in enumerate(clock.turns) if (stamp.seat, stamp.turn_id) == (last.seat, last.turn_id)]
    cut = replace(play, decisions=tuple(kept), result=replace(play.result, termination=Termination.FORFEIT, scores=()))
    assert fault_in_bytes((cut, replace(clock, turns=without(clock.turns, stamps[0])), notes))


# -- the spec


def test_seats_that_the_game_does_not_have_are_named() -> None:
    seats = (*FULL()[0].spec.seats, SeatSpec("c", 3))
    assert fault_in_bytes(with_spec(FULL(), seats=seats)) == "3 seats: jekyll is for (2,)"


def test_options_that_the_game_does_not_have_are_named() -> None:
    options = replace(FULL()[0].spec.options, greed_count=3)
    assert "options: jekyll: greed_count = 3" in fault_in_bytes(with_spec(FULL(), options=options))


def test_another_behavior_is_named() -> None:
    assert fault_in_bytes(with_spec(FULL(), behavior=9)) == "jekyll behavior 9 is not known here"


def test_a_policy_without_strikes_is_named() -> None:
    assert "strikes must be at least 1" in fault_in_bytes(with_spec(FULL(), policy=Policy(0)))


def test_an_attempt_number_of_zero_is_named() -> None:
    assert fault_in_bytes(with_clock(FULL(), attempt=0)) == "attempt: must be at least 1"


# -- bounds


@pytest.mark.timeout(20)
def test_twenty_thousand_refusals_are_judged_without_delay() -> None:
    action = JEKYLL.parse_action("play R1")
    answers = tuple([IllegalAnswer(0, 1, "J4: found play", action)] * 20_000)
    forged = with_spec(with_play(jekyll_given_up(), illegal_answers=answers), policy=Policy(2**32 - 1))
    started = time.process_time()
    assert "refused for" in fault_in_bytes(forged)
    assert time.process_time() - started < 10


@pytest.mark.timeout(20)
def test_twenty_thousand_draws_are_judged_without_delay() -> None:
    draws = tuple([NumberDraw(f"label {i}", 2**32 - 1, i) for i in range(20_000)])
    started = time.process_time()
    assert "the rules ask for shuffle" in fault_in_bytes(with_play(FULL(), draws=draws))
    assert time.process_time() - started < 10
