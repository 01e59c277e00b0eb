"""Turns and answers: who is asked when, what counts as an answer, and what the others learn of it."""

from __future__ import annotations

import pytest
from tests.match import auction
from tests.match.auction import GIVE, KEEP, Bid
from tests.match.conftest import OpenTable

from croupier_server.match.record import DecisionSource, IllegalAnswer
from croupier_server.match.signals import Ask, News, Refusal, Refused


def test_of_a_simultaneous_step_nobody_learns_who_has_answered(open_table: OpenTable) -> None:
    table = open_table(3)
    table.begin(updates=True)
    for seat in range(3):
        table.read(seat)
    table.answer(1, Bid(1))
    table.answer(0, Bid(2))
    assert [table.read(seat) for seat in range(3)] == [[], [], []]
    assert not table.referee.decisions


def test_decisions_of_a_step_take_effect_together_when_the_last_is_in(open_table: OpenTable) -> None:
    table = open_table(3)
    table.begin(updates=True)
    for seat in (2, 0, 1):
        table.read(seat)
        table.answer(seat, Bid(seat))
    assert [(d.step, d.seat, d.action) for d in table.referee.decisions] == [(1, seat, Bid(seat)) for seat in range(3)]
    shown = auction.BidsShown((0, 1, 2))
    assert table.only(0, News).events == (shown,)
    assert table.only(2, Ask).events == (shown,)


def test_an_answer_is_final(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.answer(0, Bid(1))
    table.answer(0, Bid(3))
    assert table.only(0, Refused).refusal is Refusal.STALE_TURN
    table.answer(1, Bid(0))
    assert table.referee.decisions[0].action == Bid(1)


def test_turns_and_events_count_for_each_seat_by_itself(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    table.answer(0, KEEP)
    assert (table.turn(0).turn_id, table.turn(0).last_sequence) == (3, 3)
    assert (table.turn(1).turn_id, table.turn(1).last_sequence) == (2, 3)
    assert table.turn(1).events == (auction.BidsShown((1, 0)), auction.LotGone(0, kept=True))


def test_an_index_names_a_legal_action(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.answer(0, 2)
    table.answer(1, 3)
    assert [decision.action for decision in table.referee.decisions] == [Bid(2), Bid(3)]


@pytest.mark.parametrize("turn_id", [0, 2, 7], ids=["never", "next", "future"])
def test_an_answer_to_a_turn_that_is_not_open_changes_nothing_and_costs_nothing(
    open_table: OpenTable, turn_id: int
) -> None:
    table = open_table()
    table.begin()
    table.read(0)
    table.answer(0, 1, turn_id=turn_id)
    refused = table.only(0, Refused)
    assert refused == Refused(Refusal.STALE_TURN, f"turn {turn_id} is not open", turn_id, strikes=0)
    table.answer(0, Bid(2))
    table.answer(1, Bid(0))
    assert table.referee.decisions[0].action == Bid(2)


def test_an_answer_to_an_earlier_turn_is_not_taken_for_the_open_one(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    table.read(0)
    table.answer(0, 1, turn_id=1)
    assert table.only(0, Refused).refusal is Refusal.STALE_TURN
    table.answer(0, KEEP)
    assert table.referee.decisions[2].action == KEEP


def test_one_seat_cannot_answer_the_turn_of_another(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    assert table.turn(0).turn_id == 2
    table.answer(1, KEEP, turn_id=2)
    assert table.only(1, Refused).refusal is Refusal.STALE_TURN
    assert len(table.referee.decisions) == 2


def test_a_late_answer_is_stale_and_what_was_played_stands(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.answer(1, Bid(1))
    table.wait(500)
    table.answer(0, Bid(3), turn_id=1)
    assert table.referee.decisions[0].action == Bid(0)
    assert table.read(0)[-1] == Refused(Refusal.STALE_TURN, "turn 1 is not open", 1, strikes=1)


def test_an_answer_in_the_moment_of_the_deadline_is_late_even_before_it_was_judged(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.sleep(500)
    table.read(0)
    table.answer(0, Bid(3), turn_id=1)
    timed_out, stale = table.read(0)
    assert isinstance(timed_out, Refused)
    assert isinstance(stale, Refused)
    assert (timed_out.refusal, stale.refusal) == (Refusal.TIMED_OUT, Refusal.STALE_TURN)


def test_ignored_answers_are_counted_with_the_turn_that_they_came_before_or_in(open_table: OpenTable) -> None:
    table = open_table(options=auction.Options(rounds=1))
    table.begin()
    table.answer(0, 0, turn_id=9)
    table.answer(0, Bid(1))
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    table.answer(1, 0, turn_id=1)
    table.answer(1, 0, turn_id=2)
    table.answer(0, KEEP)
    stamps = [
        (stamp.seat, stamp.turn_id, stamp.ignored_answers) for desk in table.referee.desks for stamp in desk.stamps
    ]
    assert stamps == [(0, 1, 1), (0, 2, 1), (1, 1, 2)]


@pytest.mark.parametrize("index", [4, 2**32 - 1, -1])
def test_an_index_outside_the_list_is_illegal(open_table: OpenTable, index: int) -> None:
    table = open_table()
    table.begin()
    table.read(0)
    table.answer(0, index)
    text = f"index {index} is outside the list of 4 legal actions"
    assert table.read(0) == [Refused(Refusal.ILLEGAL_ACTION, text, 1, strikes=1)]
    assert table.referee.illegal_answers == [IllegalAnswer(0, 1, text, None)]


def test_an_answer_without_an_action_is_illegal(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.read(0)
    table.answer(0, None)
    assert table.only(0, Refused).text == "the answer names no action of this game"


def test_an_illegal_action_is_refused_with_the_rule_that_it_breaks(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.read(0)
    table.answer(0, Bid(7))
    assert table.read(0) == [Refused(Refusal.ILLEGAL_ACTION, "A1: bids are from 0 to 3", 1, strikes=1)]
    assert table.referee.illegal_answers == [IllegalAnswer(0, 1, "A1: bids are from 0 to 3", Bid(7))]


def test_after_an_illegal_answer_the_turn_stays_open_and_its_clock_runs_on(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.wait(400)
    table.answer(0, Bid(7))
    assert table.referee.next_deadline == 500_000
    table.wait(99)
    table.answer(0, Bid(2))
    table.answer(1, Bid(0))
    assert table.referee.decisions[0].source is DecisionSource.BOT
    assert table.referee.desks[0].stamps[0].own_us == 499_000


def test_an_illegal_answer_is_told_to_nobody_else(open_table: OpenTable) -> None:
    table = open_table()
    table.begin(updates=True)
    table.read(1)
    table.answer(0, Bid(7))
    assert table.read(1) == []


def test_the_next_turn_says_how_many_strikes_there_are(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.answer(0, Bid(7))
    table.answer(0, Bid(3))
    table.answer(1, Bid(0))
    assert table.turn(0).strikes == 1


def test_silence_plays_the_first_legal_action_and_costs_a_strike(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.answer(1, Bid(2))
    table.read(0)
    table.wait(499)
    assert table.read(0) == []
    table.wait(1)
    refused = table.only(0, Refused)
    assert (refused.refusal, refused.turn_id, refused.strikes) == (Refusal.TIMED_OUT, 1, 1)
    assert (table.referee.decisions[0].action, table.referee.decisions[0].source) == (Bid(0), DecisionSource.TIMEOUT)
    table.wait(500)
    assert table.referee.decisions[2].action == GIVE


def test_seats_that_are_silent_together_time_out_together(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.wait(500)
    assert [decision.source for decision in table.referee.decisions] == [DecisionSource.TIMEOUT] * 2


def test_news_between_turns_goes_only_to_those_who_asked_for_it(open_table: OpenTable) -> None:
    table = open_table(3)
    table.join(0, updates=True)
    table.join(1, 2)
    table.ready()
    for seat in range(3):
        table.read(seat)
    table.answer(0, Bid(0))
    table.answer(1, Bid(0))
    table.answer(2, Bid(1))
    news = table.only(0, News)
    assert news.events == (auction.BidsShown((0, 0, 1)),)
    assert news.view.bids == (0, 0, 1)
    assert table.read(1) == []
    assert table.kinds(2) == [Ask]


def test_no_news_is_told_when_there_is_none(open_table: OpenTable) -> None:
    table = open_table(options=auction.Options(appraised=False))
    table.begin(updates=True)
    table.answer(0, Bid(1))
    table.read(1)
    table.answer(1, Bid(0))
    assert table.only(1, News).last_sequence == 1


def test_who_is_told_news_is_not_told_it_again_with_the_next_turn(open_table: OpenTable) -> None:
    table = open_table()
    table.begin(updates=True)
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    table.answer(0, KEEP)
    assert table.turn(1).events == (auction.LotGone(0, kept=True),)
    assert table.turn(1).last_sequence == 3


def test_a_note_is_kept_for_the_answer_that_counts(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.answer(0, Bid(7), note="refused")
    table.answer(0, Bid(1), note="thought")
    table.answer(0, Bid(1), note="late")
    table.answer(1, Bid(0))
    assert [(note.seat, note.turn_id, note.text) for note in table.referee.notes] == [(0, 1, "thought")]


def test_the_end_tells_every_seat_the_last_events_and_what_it_sees(open_table: OpenTable) -> None:
    table = open_table(options=auction.Options(rounds=1))
    table.begin()
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    table.answer(0, KEEP)
    end = table.end(1)
    assert end.events == (auction.BidsShown((1, 0)), auction.LotGone(0, kept=True))
    assert end.view == auction.Observation(1, 2, table.turn(1).view.appraisal, table.result.scores, ())
    assert table.end(0).last_sequence == 3
