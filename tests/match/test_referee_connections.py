"""Connections lost and resumed, processes that end, and what a bot is told when it comes back."""

from __future__ import annotations

import pytest
from tests.match import auction
from tests.match.auction import KEEP, Bid
from tests.match.conftest import OpenTable

from croupier_server.match.record import Incident, IncidentKind
from croupier_server.match.signals import Ask, News, Refusal, Refused, Start
from croupier_server.match.spec import ForfeitReason

OPEN = auction.Options(rounds=20, appraised=False)


def test_a_lost_connection_that_is_not_resumed_in_the_grace_forfeits(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.leave(0)
    table.wait(299)
    assert not table.over
    table.wait(1)
    assert table.result.places == (2, 1)
    assert table.result.forfeits[0].reason is ForfeitReason.DISCONNECT


def test_a_connection_that_is_resumed_in_the_grace_costs_nothing(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.leave(0)
    table.wait(299)
    table.join(0, last_sequence=1)
    table.wait(100)
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    assert table.referee.desks[0].strikes == 0
    kinds = [incident.kind for incident in table.referee.incidents if incident.seat == 0]
    assert kinds == [IncidentKind.READY, IncidentKind.DISCONNECTED, IncidentKind.RESUMED]


def test_each_loss_has_its_own_grace(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    for _ in range(2):
        table.leave(0)
        table.wait(200)
        table.join(0, last_sequence=1)
    assert not table.over


def test_the_clock_runs_on_without_a_connection(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.wait(300)
    table.leave(0)
    table.wait(200)
    assert not table.over
    assert table.referee.desks[0].strikes == 1


def test_a_loss_that_is_reported_twice_does_not_renew_the_grace(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.leave(0)
    table.wait(200)
    table.leave(0)
    table.wait(100)
    assert table.over


def test_who_resumes_is_told_what_it_missed_and_then_its_open_turn(open_table: OpenTable) -> None:
    table = open_table(options=OPEN)
    table.begin(updates=True)
    table.answer(0, Bid(1))
    table.leave(1)
    table.wait(100)
    table.join(1, last_sequence=0)
    table.answer(1, Bid(0))
    table.answer(0, KEEP)
    table.leave(1)
    table.wait(100)
    table.read(1)
    table.join(1, last_sequence=1)
    turn = table.turn(1)
    assert table.read(1) == [turn]
    assert turn.events == (auction.LotGone(0, kept=True),)
    assert (turn.turn_id, turn.last_sequence) == (2, 2)
    assert turn.remaining_us == 400_000


def test_a_turn_that_is_asked_again_is_the_same_turn(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    first = table.turn(0)
    table.answer(1, Bid(3))
    table.leave(0)
    table.wait(150)
    table.join(0, last_sequence=0)
    again = table.turn(0)
    assert (again.turn_id, again.view, again.events, again.legal, again.bank_us) == (
        first.turn_id,
        first.view,
        first.events,
        first.legal,
        first.bank_us,
    )
    assert again.remaining_us == first.remaining_us - 150_000


def test_a_turn_whose_time_is_up_is_asked_again_with_nothing_left(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.leave(0)
    table.sleep(600)
    table.join(0, last_sequence=1)
    assert table.turn(0).remaining_us == 0


@pytest.mark.parametrize("last_sequence", [1, 2, 99, 2**64 - 1])
def test_who_claims_to_know_all_or_more_is_told_no_event_again(open_table: OpenTable, last_sequence: int) -> None:
    table = open_table()
    table.begin()
    table.leave(0)
    table.read(0)
    table.join(0, last_sequence=last_sequence)
    turn = table.only(0, Ask)
    assert (turn.events, turn.last_sequence) == ((), 1)


def test_after_a_claim_beyond_what_was_told_later_events_are_still_told(open_table: OpenTable) -> None:
    table = open_table(options=OPEN)
    table.begin()
    table.leave(0)
    table.join(0, last_sequence=99)
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    assert (table.turn(0).events, table.turn(0).last_sequence) == ((auction.BidsShown((1, 0)),), 1)


def test_who_does_not_know_the_match_is_told_everything_from_its_start(open_table: OpenTable) -> None:
    table = open_table(options=OPEN)
    table.begin()
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    table.leave(0)
    table.read(0)
    table.join(0)
    start, turn = table.read(0)
    assert start == Start()
    assert isinstance(turn, Ask)
    assert turn.events == (auction.BidsShown((1, 0)),)


def test_a_session_may_take_over_from_another_that_is_still_connected(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.read(0)
    table.join(0, last_sequence=0)
    assert table.kinds(0) == [Ask]
    assert IncidentKind.RESUMED not in [incident.kind for incident in table.referee.incidents]


def test_who_resumes_between_its_turns_is_told_news_only_if_it_asks_for_updates(open_table: OpenTable) -> None:
    table = open_table(options=OPEN)
    table.begin()
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    table.leave(1)
    table.read(1)
    table.join(1, last_sequence=0)
    assert table.read(1) == []
    table.join(1, last_sequence=0, updates=True)
    assert table.only(1, News).events == (auction.BidsShown((1, 0)),)


def test_nothing_is_told_to_a_seat_that_is_away_and_all_of_it_afterwards(open_table: OpenTable) -> None:
    table = open_table(options=OPEN)
    table.begin(updates=True)
    table.answer(1, Bid(0))
    table.leave(1)
    table.read(1)
    table.answer(0, Bid(1))
    assert table.read(1) == []
    table.join(1, last_sequence=0, updates=True)
    assert table.only(1, News).last_sequence == 1


def test_coming_back_tells_nobody_else(open_table: OpenTable) -> None:
    table = open_table()
    table.begin(updates=True)
    table.read(1)
    table.leave(0)
    table.wait(100)
    table.join(0, last_sequence=1)
    assert table.read(1) == []


# -- processes


def test_a_process_that_ends_before_its_bot_is_ready_forfeits(open_table: OpenTable) -> None:
    table = open_table()
    table.join()
    table.ready(1)
    table.wait(10)
    table.crash(0, "exit status 127")
    assert table.result.places == (2, 1)
    assert (table.result.forfeits[0].reason, table.result.forfeits[0].was_ready) == (ForfeitReason.CRASH, False)
    assert table.referee.incidents[-1] == Incident(0, IncidentKind.FORFEITED, 10_000, "exit status 127")


def test_when_one_process_ends_before_anybody_is_ready_the_other_seat_has_won(open_table: OpenTable) -> None:
    table = open_table()
    table.join()
    table.crash(0)
    assert table.result.places == (2, 1)


def test_a_process_that_ends_in_the_middle_forfeits(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.crash(1, "killed by signal 9")
    assert table.result.places == (1, 2)
    assert table.result.forfeits[0].reason is ForfeitReason.CRASH
    assert table.referee.over_us == 0


def test_a_lost_connection_and_the_end_of_its_process_are_one_forfeit(open_table: OpenTable) -> None:
    table = open_table(3)
    table.begin()
    table.leave(1)
    table.wait(5)
    table.crash(1)
    table.wait(2000)
    assert [forfeit.reason for forfeit in table.referee.result.forfeits if forfeit.seat == 1] == [ForfeitReason.CRASH]  # type: ignore[union-attr]


def test_a_forfeited_seat_is_told_so_once_and_again_when_it_comes_back(open_table: OpenTable) -> None:
    table = open_table(3)
    table.begin()
    table.read(0)
    table.leave(0)
    table.wait(300)
    assert table.only(0, Refused).text == "forfeited: disconnect"
    table.join(0, last_sequence=1)
    refused = table.only(0, Refused)
    assert (refused.refusal, refused.text) == (Refusal.FORFEITED, "this seat has forfeited the match")
