"""Thinking time: bank, increment and cap, the host's share, and deadlines that are judged late."""

from __future__ import annotations

import pytest
from tests.match import auction
from tests.match.auction import KEEP, Bid
from tests.match.conftest import OpenTable
from tests.match.virtual_table import VirtualTable

from croupier_server.match.signals import Ask, Refusal, Refused
from croupier_server.match.spec import Clock, ForfeitReason

LONG = auction.Options(rounds=20, appraised=False)


def bid_after(table: VirtualTable, ms: int) -> None:
    """A round in which seat 0 bids after some time, buys, and keeps at once; seat 1 bids at once."""
    table.answer(1, Bid(0))
    table.wait(ms)
    table.answer(0, Bid(1))
    table.answer(0, KEEP)


def test_the_increment_is_added_at_the_start_of_every_turn(open_table: OpenTable) -> None:
    table = open_table(options=LONG)
    table.begin()
    assert table.turn(0).bank_us == 1_100_000
    bid_after(table, 0)
    assert table.turn(0).turn_id == 3
    assert table.turn(0).bank_us == 1_300_000


def test_what_a_turn_took_is_paid_from_the_bank(open_table: OpenTable) -> None:
    table = open_table(options=LONG)
    table.begin()
    bid_after(table, 450)
    assert table.turn(0).bank_us == 1_000_000 + 3 * 100_000 - 450_000


def test_a_turn_takes_at_most_the_cap_however_full_the_bank_is(open_table: OpenTable) -> None:
    table = open_table(options=LONG)
    table.begin()
    for _ in range(5):
        bid_after(table, 0)
    assert table.turn(0).bank_us == 2_100_000
    assert table.turn(0).remaining_us == 500_000


def test_a_turn_takes_at_most_the_bank(open_table: OpenTable) -> None:
    table = open_table(options=LONG, strikes=9)
    table.begin()
    for _ in range(3):
        bid_after(table, 450)
    turn = table.turn(0)
    assert turn.bank_us == 1_000_000 + 7 * 100_000 - 3 * 450_000
    assert turn.remaining_us == turn.bank_us
    table.read(0)
    table.answer(1, Bid(0))
    table.wait(349)
    assert table.read(0) == []
    table.wait(1)
    assert table.only(0, Refused).refusal is Refusal.TIMED_OUT


def test_an_empty_bank_leaves_the_increment_alone(open_table: OpenTable) -> None:
    table = open_table(options=LONG, clock=Clock(1000, 100, 50, 500, 300), strikes=9)
    table.begin()
    table.wait(150)
    assert table.turn(0).turn_id == 2
    assert (table.turn(0).bank_us, table.turn(0).remaining_us) == (50_000, 50_000)


def test_a_time_out_never_costs_more_than_the_turn_allowed(open_table: OpenTable) -> None:
    table = open_table(options=LONG)
    table.begin()
    table.answer(1, Bid(1))
    table.sleep(5000)
    table.tick()
    table.answer(1, KEEP)
    assert table.turn(0).bank_us == 1_000_000 + 2 * 100_000 - 500_000


def test_a_clock_without_any_time_runs_out_at_once_but_the_match_ends(open_table: OpenTable) -> None:
    table = open_table(options=LONG, clock=Clock(1000, 0, 0, 500, 300))
    table.begin()
    table.tick()
    assert table.over
    assert {forfeit.reason for forfeit in table.result.forfeits} == {ForfeitReason.TIMEOUT}
    assert table.referee.over_us == 0


def test_a_clock_without_any_time_still_gives_back_what_the_host_took(open_table: OpenTable) -> None:
    table = open_table(options=LONG, clock=Clock(1000, 0, 0, 500, 300), strikes=9)
    table.begin()
    table.delay(100)
    table.sleep(50)
    table.answer(0, Bid(1))
    table.answer(1, Bid(0))
    assert len(table.referee.decisions) == 2
    table.abort()


def test_seats_have_their_own_time(open_table: OpenTable) -> None:
    table = open_table(options=LONG)
    table.begin()
    bid_after(table, 300)
    assert table.turn(1).bank_us == 1_200_000


# -- the host's share


def test_a_delay_of_the_host_moves_every_deadline(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.wait(100)
    table.delay(70)
    assert [desk.open_turn.deadline_us for desk in table.referee.desks if desk.open_turn] == [570_000, 570_000]


def test_a_delay_of_one_seat_moves_its_deadline_alone(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.delay(70, seat=1)
    assert [desk.open_turn.deadline_us for desk in table.referee.desks if desk.open_turn] == [500_000, 570_000]


def test_a_process_cannot_put_off_its_deadline_for_ever_by_waiting_for_itself(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    for _ in range(100):
        table.delay(70, seat=1)
    (turn,) = [desk.open_turn for desk in table.referee.desks if desk.seat == 1]
    assert turn is not None
    assert turn.deadline_us == 500_000 + 500_000  # the allowance, and the turn cap once more
    table.delay(70)
    assert turn.deadline_us == 1_070_000  # what holds up everybody counts all the same


def test_delays_add_up_and_are_not_charged_to_the_bank(open_table: OpenTable) -> None:
    table = open_table(options=LONG)
    table.begin()
    table.delay(200)
    table.delay(200, seat=0)
    bid_after(table, 850)
    stamp = table.referee.desks[0].stamps[0]
    assert (stamp.host_us, stamp.own_us) == (400_000, 450_000)
    assert table.turn(0).bank_us == 1_300_000 - 450_000


def test_a_delay_longer_than_the_turn_counts_only_as_far_as_the_turn_went(open_table: OpenTable) -> None:
    table = open_table(options=LONG)
    table.begin()
    table.delay(300)
    bid_after(table, 100)
    stamp = table.referee.desks[0].stamps[0]
    assert (stamp.host_us, stamp.own_us) == (100_000, 0)


def test_a_delay_does_not_carry_over_to_the_next_turn(open_table: OpenTable) -> None:
    table = open_table(options=LONG)
    table.begin()
    table.delay(300)
    bid_after(table, 0)
    assert table.turn(0).remaining_us == 500_000


def test_a_delay_of_all_moves_the_grace_and_a_delay_of_one_seat_does_not(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.leave(0)
    table.delay(50)
    table.delay(50, seat=0)
    assert table.referee.next_deadline == 350_000
    table.wait(349)
    assert not table.over
    table.wait(1)
    assert table.result.forfeits[0].reason is ForfeitReason.DISCONNECT


def test_a_delay_of_one_seat_does_not_prolong_the_start_up_allowance(open_table: OpenTable) -> None:
    table = open_table()
    table.join()
    table.delay(50, seat=0)
    assert table.referee.next_deadline == 1_000_000


def test_what_remains_when_a_turn_is_asked_again_counts_the_delay(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    table.wait(100)
    table.delay(70)
    table.leave(0)
    table.wait(100)
    table.read(0)
    table.join(0, last_sequence=1)
    assert table.only(0, Ask).remaining_us == 370_000


# -- late judges


def test_deadlines_that_are_judged_late_are_judged_in_the_order_in_which_they_fell_due(open_table: OpenTable) -> None:
    table = open_table(strikes=1)
    table.begin()
    table.delay(10, seat=0)
    table.sleep(5000)
    table.tick()
    assert [(forfeit.seat, forfeit.reason) for forfeit in table.result.forfeits] == [(1, ForfeitReason.TIMEOUT)]
    assert table.result.places == (1, 2)


def test_of_three_seats_judged_late_the_one_due_first_places_last(open_table: OpenTable) -> None:
    table = open_table(3, strikes=1)
    table.begin()
    table.delay(20, seat=2)
    table.delay(10, seat=0)
    table.answer(2, Bid(0))
    table.sleep(5000)
    table.tick()
    assert table.result.places == (2, 3, 1)
    assert [forfeit.instant for forfeit in table.result.forfeits] == [1, 2]


def test_a_turn_that_opens_in_a_late_call_has_its_whole_time(open_table: OpenTable) -> None:
    table = open_table(options=LONG)
    table.begin()
    table.sleep(5000)
    table.tick()
    assert table.turn(0).turn_id == 2
    assert table.referee.next_deadline == 5_500_000


@pytest.mark.parametrize("late_ms", [0, 1, 399])
def test_there_is_no_deadline_before_the_first_one(open_table: OpenTable, late_ms: int) -> None:
    table = open_table()
    table.begin()
    table.sleep(late_ms)
    table.read(0)
    table.tick()
    assert table.read(0) == []
    assert table.referee.next_deadline == 500_000
