"""Worked examples of Midnight Party, the old edition. Seat 0 is A, seat 1 is B and so on."""

from __future__ import annotations

import pytest
from tests.rules.castle import Castle, captured, moves

from croupier_server.games.midnight_words import GuestsCaptured, Options, Phase, RoundBegan, RoundEnded, StairsOverflow

MINUS2 = Options(stairs_overflow=StairsOverflow.MINUS2)
TEN_ROOMS_BUT_R2 = "r1 r3 r4 r5 r6 r7 r8 r9 r10 r11"
ALL_STAIRS = "S10 S9 S8 S7 S6 S5 S4 S3 S2"


def test_midnight_old_example_01_a_guest_goes_on_or_into_a_room_within_its_number() -> None:
    assert moves("C1", 5) == ["C1>C6", "C1>r1", "C1>r2", "pass"]


def test_midnight_old_example_01_an_occupied_room_is_not_entered() -> None:
    assert moves("C1", 5, "r1") == ["C1>C6", "C1>r2", "pass"]


def test_midnight_old_example_01_rooms_are_closed_while_hugo_is_on_the_stairs() -> None:
    assert moves("C1", 5, hugo="S4") == ["C1>C6", "pass"]


def test_midnight_old_example_02_a_room_of_three_points_takes_the_exact_count() -> None:
    castle = Castle("C5", "C10", rolled=2)
    castle.play("C5>r3")
    assert castle.state.scores == (3, 0)
    assert moves("C5", 4) == ["C5>C9", "pass"]
    assert "C5>r4" in moves("C5", 5)


@pytest.mark.parametrize("rolled", [1, 4])
def test_midnight_old_example_03_a_room_that_costs_a_point_takes_no_exact_count(rolled: int) -> None:
    castle = Castle("C21", "C10", rolled=rolled)
    castle.play("C21>r9")
    assert castle.state.scores == (-1, 0)


def test_midnight_old_example_04_hugo_comes_up_and_the_rooms_open() -> None:
    castle = Castle("C1 C10", "C2", hugo="S4", dice="Hugo 2", turn=1)
    castle.roll()
    assert castle.hugo == "C1"
    assert castle.guests == ["C10 S10", "C2"]
    assert castle.legal == ["C10>C12", "C10>r5", "pass"]


def test_midnight_old_example_05_guests_of_one_square_go_to_one_step() -> None:
    castle = Castle("C2", "C4 C13", "C10", "C4 C16", hugo="C1", dice="Hugo 1")
    castle.roll()
    assert castle.told(GuestsCaptured) == [
        captured("C2", "S10", 0),
        captured("C4", "S9", 1, 3),
    ]
    assert castle.state.scores == (-10, -9, 0, -9)


def test_midnight_old_example_05_the_next_capture_goes_to_the_next_step() -> None:
    castle = Castle("S10", "S9 C13", "C5", "S9 C16", hugo="C4", dice="Hugo 1")
    castle.roll()
    assert castle.guests[2] == "S8"


def test_midnight_old_example_06_hugo_goes_round() -> None:
    castle = Castle("C10", "C11", hugo="C27", dice="Hugo")
    castle.roll()
    assert castle.hugo == "C2"


def test_midnight_old_example_06_a_guest_that_stops_on_hugo_is_captured_and_one_that_passes_is_not() -> None:
    castle = Castle("C7", "S10 C20", hugo="C9", rolled=2)
    castle.play("C7>C9")
    assert castle.guests[0] == "S9"
    castle = Castle("C7", "S10 C20", hugo="C9", rolled=4)
    castle.play("C7>C11")
    assert castle.guests[0] == "C11"


def test_midnight_old_example_07_a_full_house_costs_those_outside_two_points_each() -> None:
    castle = Castle("C10 C12", "C4", TEN_ROOMS_BUT_R2, rolled=1, turn=1)
    castle.play("C4>r2")
    assert castle.told(RoundEnded) == [RoundEnded(1, (-4, 0, 0))]


def test_midnight_old_example_08_when_all_steps_are_used_guests_go_to_the_ten_point_room() -> None:
    castle = Castle("C5 C5 C10", ALL_STAIRS, hugo="C4", dice="Hugo 1")
    castle.roll()
    assert (castle.guests[0], castle.state.scores) == ("C10 T T", (-20, 0))


def test_midnight_old_example_08_by_option_they_join_those_on_the_two() -> None:
    castle = Castle("C5 C5 C10", ALL_STAIRS, hugo="C4", dice="Hugo 1", options=MINUS2)
    castle.roll()
    assert (castle.guests[0], castle.state.scores) == ("C10 S2 S2", (-4, 0))


def test_midnight_old_example_09_the_lowest_score_places_and_rolls_first_and_ties_go_round() -> None:
    castle = Castle("S10", "C3 S9", "S10 S8", rolled=1, turn=1, first=1, scores=(-12, -7, -12))
    castle.play("C3>r1")
    assert castle.told(RoundBegan) == [RoundBegan(2, first_roller=2, placing=(2, 0, 1, 2))]
    assert castle.state.phase is Phase.REPLACE
    castle.play("place C5", "place C5", "place C5", "place C6")
    assert castle.guests == ["C5", "C3 C5", "C5 C6"]
    assert castle.state.turn == 2


def test_midnight_old_example_10_with_eight_seats_the_fifth_roll_brings_hugo_up_two_squares() -> None:
    castle = Castle("C1 C10", "C2 C10", *["C11 C12"] * 6, hugo="S10", dice="Hugo Hugo Hugo Hugo 1")
    castle.roll()
    assert castle.hugo == "S2"
    castle = Castle("C1 C10", "C2 C10", *["C11 C12"] * 6, hugo="S2", dice="Hugo 1")
    castle.roll()
    assert (castle.hugo, castle.guests[:2]) == ("C2", ["C10 S10", "C10 S9"])


def test_midnight_old_example_11_a_guest_may_pass_hugo_into_a_room() -> None:
    assert moves("C2", 2, hugo="C3") == ["C2>C4", "C2>r1", "pass"]


def test_midnight_old_example_11_stopping_on_hugo_is_legal_and_a_capture() -> None:
    castle = Castle("C2", "C10", hugo="C3", rolled=1)
    assert castle.legal == ["C2>C3", "pass"]
    castle.play("C2>C3")
    assert castle.guests[0] == "S10"


def test_midnight_old_example_11_the_way_into_a_room_goes_over_the_end_of_the_ring() -> None:
    assert moves("C27", 5) == ["C27>C4", "C27>r1", "pass"]


def test_midnight_old_example_12_the_last_guest_in_fills_the_house_and_nobody_is_caught() -> None:
    castle = Castle("C4", TEN_ROOMS_BUT_R2, rolled=1)
    castle.play("C4>r2")
    assert castle.told(RoundEnded) == [RoundEnded(1, (0, 0))]
    assert castle.told(GuestsCaptured) == []
    assert castle.told(RoundBegan) == [RoundBegan(2, first_roller=0, placing=())]


def test_midnight_old_example_13_guests_come_back_in_order_of_steps_and_scores() -> None:
    castle = Castle("S10 S9 T", "S10 S8 T", "C3 S7", rolled=1, turn=2, scores=(-20, -25, -7))
    castle.play("C3>r1")
    assert castle.told(RoundBegan) == [RoundBegan(2, first_roller=1, placing=(1, 1, 0, 0, 0, 1, 2))]


def test_midnight_old_example_14_two_guests_on_one_square_are_one_choice() -> None:
    assert moves("C1 C1", 1, hugo="S4") == ["C1>C2", "pass"]
