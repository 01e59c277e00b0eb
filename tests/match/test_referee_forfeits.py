"""Forfeits: what leads to them, who plays on, and who comes where."""

from __future__ import annotations

import pytest
from tests.match import auction
from tests.match.auction import GIVE, KEEP, Bid
from tests.match.conftest import OpenTable
from tests.match.virtual_table import VirtualTable

from croupier_server.match.record import DecisionSource
from croupier_server.match.signals import Ask, End, News, Refusal, Refused
from croupier_server.match.spec import Forfeit, ForfeitReason, Termination

OPEN = auction.Options(rounds=2, appraised=False)


def play_to_the_end(table: VirtualTable) -> None:
    """Whoever is asked bids its seat number, keeps what it buys, and answers at once."""
    while not table.over:
        for desk in table.referee.desks:
            if desk.open_turn is not None:
                table.answer(desk.seat, Bid(desk.seat) if desk.open_turn.legal == auction.BIDS else KEEP)


def test_the_last_strike_by_illegal_answers_forfeits(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    for strikes in (1, 2):
        table.answer(0, Bid(7))
        assert table.read(0)[-1].strikes == strikes  # type: ignore[union-attr]
    assert not table.over
    table.answer(0, Bid(7))
    assert [m.refusal for m in table.read(0) if isinstance(m, Refused)] == [Refusal.ILLEGAL_ACTION, Refusal.FORFEITED]
    assert table.result.forfeits == (Forfeit(0, ForfeitReason.ILLEGAL_ACTION, 0, 1, was_ready=True),)
    assert table.result.places == (2, 1)


def test_the_last_strike_by_silence_forfeits(open_table: OpenTable) -> None:
    table = open_table(options=auction.Options(rounds=3, appraised=False))
    table.begin()
    for _ in range(3):
        table.answer(1, Bid(1))
        table.wait(500)
        if not table.over:
            table.answer(1, KEEP)
    assert table.result.forfeits == (Forfeit(0, ForfeitReason.TIMEOUT, 6, 1, was_ready=True),)


def test_strikes_of_both_kinds_add_up(open_table: OpenTable) -> None:
    table = open_table(strikes=2)
    table.begin()
    table.answer(1, Bid(1))
    table.answer(0, Bid(7))
    table.wait(500)
    assert table.result.forfeits[0].reason is ForfeitReason.TIMEOUT


def test_one_strike_is_enough_where_the_policy_says_so(open_table: OpenTable) -> None:
    table = open_table(strikes=1)
    table.begin()
    table.answer(1, None)
    assert table.result.places == (1, 2)


def test_both_seats_that_are_silent_to_the_last_strike_are_tied(open_table: OpenTable) -> None:
    table = open_table(strikes=1)
    table.begin()
    table.wait(500)
    assert table.result.termination is Termination.FORFEIT
    assert table.result.places == (1, 1)


def test_who_resigns_forfeits(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.resign(1)
    assert table.result.places == (1, 2)
    assert table.result.forfeits[0].reason is ForfeitReason.RESIGNED


def test_a_bot_may_resign_when_it_is_not_its_turn(open_table: OpenTable) -> None:
    table = open_table(options=OPEN)
    table.begin()
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    table.resign(1)
    assert table.result.places == (1, 2)
    assert table.result.forfeits[0].decisions_before == 2


def test_a_bot_may_resign_before_the_match_begins(open_table: OpenTable) -> None:
    table = open_table(3)
    table.join()
    table.ready(1)
    table.resign(1)
    table.ready(0, 2)
    assert table.referee.phase.name == "PLAYING"
    assert table.referee.desks[1].open_turn is None
    play_to_the_end(table)
    assert table.result.places[1] == 3


def test_a_seat_whose_entrant_is_withdrawn_forfeits(open_table: OpenTable) -> None:
    table = open_table(3)
    table.withdraw(0)
    table.join(1, 2)
    table.ready(1, 2)
    play_to_the_end(table)
    assert table.result.forfeits[0].reason is ForfeitReason.WITHDRAWN
    assert table.result.places[0] == 3


def test_resigning_twice_is_one_forfeit(open_table: OpenTable) -> None:
    table = open_table(3)
    table.begin()
    table.resign(0)
    table.resign(0)
    table.crash(0)
    play_to_the_end(table)
    assert len(table.result.forfeits) == 1


def test_scores_are_unset_when_the_game_did_not_reach_its_end(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.resign(0)
    assert table.result.scores == ()


# -- three seats and more


def test_of_three_seats_the_fallback_plays_on_for_the_one_that_forfeited(open_table: OpenTable) -> None:
    table = open_table(3, options=OPEN)
    table.begin()
    table.resign(2)
    play_to_the_end(table)
    own = [decision for decision in table.referee.decisions if decision.seat == 2]
    assert {decision.source for decision in own} == {DecisionSource.FORFEITED}
    assert [decision.action for decision in own] == [Bid(0), Bid(0)]
    assert [decision.turn_id for decision in own] == [1, None]


def test_a_forfeited_seat_is_never_asked_again(open_table: OpenTable) -> None:
    table = open_table(3, options=OPEN)
    table.begin()
    table.resign(2)
    table.read(2)
    play_to_the_end(table)
    assert table.kinds(2) == [End]


def test_a_forfeited_seat_still_hears_the_news_that_it_asked_for(open_table: OpenTable) -> None:
    table = open_table(3, options=OPEN)
    table.begin(updates=True)
    table.resign(2)
    table.read(2)
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    assert table.only(2, News).events == (auction.BidsShown((1, 0, 0)),)


def test_when_only_a_forfeited_seat_is_to_act_the_game_goes_on_by_itself(open_table: OpenTable) -> None:
    table = open_table(3, options=OPEN)
    table.begin()
    table.answer(2, Bid(3))
    table.resign(2)
    table.answer(0, Bid(0))
    table.read(0)
    table.answer(1, Bid(0))
    assert table.referee.decisions[3].action == GIVE
    assert table.only(0, Ask).events == (auction.BidsShown((0, 0, 3)), auction.LotGone(2, kept=False))


def test_an_answer_given_before_the_forfeit_stands(open_table: OpenTable) -> None:
    table = open_table(3, options=OPEN)
    table.begin()
    table.answer(2, Bid(3))
    table.resign(2)
    table.answer(0, Bid(0))
    table.answer(1, Bid(0))
    decision = table.referee.decisions[2]
    assert (decision.action, decision.source) == (Bid(3), DecisionSource.BOT)
    play_to_the_end(table)


def test_the_time_out_of_the_last_strike_is_played_as_a_time_out(open_table: OpenTable) -> None:
    table = open_table(3, options=OPEN, strikes=1)
    table.begin()
    table.answer(0, Bid(1))
    table.answer(1, Bid(1))
    table.wait(500)
    assert table.referee.decisions[2].source is DecisionSource.TIMEOUT
    play_to_the_end(table)
    assert table.result.forfeits == (Forfeit(2, ForfeitReason.TIMEOUT, 0, 1, was_ready=True),)


def test_a_game_that_reaches_its_end_has_scores_and_forfeiters_below_all_others(open_table: OpenTable) -> None:
    table = open_table(3, options=OPEN)
    table.begin()
    table.answer(0, Bid(0))
    table.answer(1, Bid(3))
    table.answer(2, Bid(0))
    table.answer(1, KEEP)
    table.resign(0)
    play_to_the_end(table)
    assert table.result.termination is Termination.NORMAL
    assert table.result.scores == (0, -1, 0)
    assert table.result.places == (3, 2, 1)


def test_a_later_forfeit_places_above_an_earlier_one(open_table: OpenTable) -> None:
    table = open_table(4, options=OPEN)
    table.begin()
    table.resign(3)
    table.wait(1)
    table.resign(0)
    play_to_the_end(table)
    assert [forfeit.instant for forfeit in table.result.forfeits] == [1, 2]
    assert (table.result.places[0], table.result.places[3]) == (3, 4)


def test_forfeits_of_one_moment_are_tied(open_table: OpenTable) -> None:
    table = open_table(4, options=OPEN, strikes=1)
    table.begin()
    table.answer(0, Bid(0))
    table.answer(1, Bid(0))
    table.wait(500)
    play_to_the_end(table)
    assert [forfeit.instant for forfeit in table.result.forfeits] == [1, 1]
    assert table.result.places[2:] == (3, 3)


def test_after_a_tie_of_two_the_next_instant_is_the_third(open_table: OpenTable) -> None:
    table = open_table(5, options=OPEN, strikes=1)
    table.begin()
    for seat in range(3):
        table.answer(seat, Bid(0))
    table.wait(500)
    table.resign(1)
    play_to_the_end(table)
    assert [forfeit.instant for forfeit in table.result.forfeits] == [1, 1, 3]
    assert table.result.places[3:] == (4, 4)
    assert table.result.places[1] == 3


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_with_one_seat_left_the_match_ends_and_that_seat_has_won(open_table: OpenTable, seats: int) -> None:
    table = open_table(seats)
    table.begin()
    for seat in range(seats - 1, 0, -1):
        assert not table.over
        table.resign(seat)
    assert table.result.termination is Termination.FORFEIT
    assert table.result.places == tuple(range(1, seats + 1))
    assert table.result.scores == ()


def test_when_the_last_seats_forfeit_together_nobody_is_above_the_others(open_table: OpenTable) -> None:
    table = open_table(3, strikes=1)
    table.begin()
    table.resign(1)
    table.wait(500)
    assert table.result.places == (1, 3, 1)


def test_decisions_before_counts_what_has_taken_effect_and_not_what_was_answered(open_table: OpenTable) -> None:
    table = open_table(3, options=OPEN)
    table.begin()
    for seat in range(3):
        table.answer(seat, Bid(seat))
    table.answer(2, KEEP)
    table.answer(0, Bid(0))
    table.resign(1)
    play_to_the_end(table)
    assert table.result.forfeits[0].decisions_before == 4
