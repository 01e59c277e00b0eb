"""Worked examples of Escape from the Hidden Castle, the new edition. Seat 0 is A, seat 1 is B."""

from __future__ import annotations

import pytest
from tests.rules.castle import NEW, Castle, captured, moves, squares

from croupier_server.games.midnight_words import GuestKicked, GuestMoved, GuestsCaptured
from croupier_server.rules import Outcome


def castle(
    *guests: str,
    hugo: str = "C20",
    rolled: int = 0,
    turn: int = 0,
    laps: int = 0,
    dice: str = "",
    fear: tuple[int, ...] = (10, 10),
) -> Castle:
    """A position of the new edition, with the fear of each seat."""
    scores = tuple(-points for points in fear)
    return Castle(*guests, hugo=hugo, rolled=rolled, turn=turn, laps=laps, dice=dice, scores=scores, options=NEW)


def test_midnight_new_example_01_hugo_comes_up_with_the_fourth_roll_and_no_lap() -> None:
    on_stairs = castle("C3 C10", "C1 C2", hugo="door", dice="Hugo Hugo Hugo 1")
    on_stairs.roll()
    assert on_stairs.hugo == "S2"
    coming = castle("C3 C10", "C1 C2", hugo="S2", dice="Hugo 1")
    coming.roll()
    assert (coming.hugo, coming.state.laps) == ("C3", 0)
    assert coming.guests == ["C10 S8", "S10 S9"]


@pytest.mark.parametrize(("hugo", "after"), [("door", "S8"), ("S8", "S5"), ("S5", "S2")])
def test_midnight_new_example_01_hugo_goes_three_steps_a_roll(hugo: str, after: str) -> None:
    up = castle("C10", "C11", hugo=hugo, dice="Hugo 1")
    up.roll()
    assert up.hugo == after


def test_midnight_new_example_02_only_the_deepest_guest_leaves_the_stairs() -> None:
    assert moves("S9 S7", 1, options=NEW) == ["S9>C1"]


@pytest.mark.parametrize(("other", "step"), [("C10", "S10"), ("S10", "S9")])
def test_midnight_new_example_02_it_is_captured_again_if_hugo_stands_at_the_top(other: str, step: str) -> None:
    stairs = castle("S9 S7", other, hugo="C1", rolled=1)
    stairs.play("S9>C1")
    assert stairs.told(GuestsCaptured) == [captured("C1", step, 0)]


def test_midnight_new_example_03_from_the_stairs_into_the_first_rooms() -> None:
    assert moves("S6", 5, options=NEW) == ["S6>C5", "S6>r1", "S6>r2"]


@pytest.mark.parametrize("rolled", [1, 2, 4, 5])
def test_midnight_new_example_04_an_occupied_room_is_not_entered_with_too_much(rolled: int) -> None:
    assert "C2>r2" not in moves("C2", rolled, "r2", options=NEW)
    assert ("C3>r2" in moves("C3", rolled, "r2", options=NEW)) == (rolled == 2)


def test_midnight_new_example_04_a_guest_that_was_put_out_can_come_back_with_a_one() -> None:
    room = castle("C3", "r2", rolled=2, dice="1")
    room.play("C3>r2")
    assert room.told(GuestKicked) == [GuestKicked(1, *squares("C4"))]
    assert room.guests == ["r2", "C4"]
    room.play("C4>r2")
    assert room.guests == ["C4", "r2"]


def test_midnight_new_example_05_a_guest_leaves_its_room_through_its_door() -> None:
    assert moves("r3", 1, options=NEW) == ["r3>C6"]
    assert moves("r3", 5, options=NEW) == ["r3>C10", "r3>r4"]
    assert moves("r3", 2, options=NEW) == ["r3>C7"]


def test_midnight_new_example_05_a_room_of_three_points_takes_fear_away() -> None:
    rooms = castle("r3", "C10", rolled=5)
    rooms.play("r3>r4")
    assert rooms.told(GuestMoved)[0].points == 3
    assert rooms.state.scores == (-7, -10)


def test_midnight_new_example_06_a_lap_makes_hugo_faster_from_the_next_roll_on() -> None:
    round_ = castle("C10", "C11", hugo="C27", dice="Hugo Hugo 1")
    round_.roll()
    assert (round_.hugo, round_.state.laps) == ("C6", 1)  # 3 squares to C2, then 4


def test_midnight_new_example_07_the_game_ends_when_the_sweep_is_complete() -> None:
    swept = castle("C5", "C6", hugo="C4", dice="Hugo", fear=(38, 10))
    swept.roll()
    assert swept.state.to_act() == ()
    assert swept.outcome == Outcome(scores=(-48, -19), places=(2, 1))


def test_midnight_new_example_08_the_fifth_lap_is_the_last_and_hugo_completes_his_move() -> None:
    last = castle("C4 C10", "C25 C28", hugo="C25", laps=4, dice="Hugo")
    last.roll()
    assert (last.hugo, last.state.laps) == ("C4", 5)
    assert last.guests == ["C10 S9", "C25 S10"]
    assert last.outcome == Outcome(scores=(-19, -20), places=(1, 2))


def test_midnight_new_example_09_a_number_is_a_duty_even_if_all_guests_are_safe() -> None:
    safe = castle("r1 r6", "C10", rolled=1)
    assert safe.legal == ["r1>C3", "r6>C15"]
    assert safe.refusal("pass") == "M26: a number must be moved"


def test_midnight_new_example_10_from_room_to_room() -> None:
    assert moves("r1", 4, options=NEW) == ["r1>C6", "r1>r2"]
    assert moves("r1", 5, options=NEW) == ["r1>C7", "r1>r2", "r1>r3"]


@pytest.mark.parametrize("rolled", [1, 2, 4, 5])
def test_midnight_new_example_10_no_way_leads_to_a_door_one_square_back(rolled: int) -> None:
    assert "r2>r1" not in moves("r2", rolled, options=NEW)


def test_midnight_new_example_11_a_guest_put_onto_hugo_is_captured_on_the_step_just_left() -> None:
    kick = castle("S10", "r2", hugo="C4", rolled=5)
    assert kick.legal == ["S10>C5", "S10>r1", "S10>r2"]
    kick.play("S10>r2")
    assert kick.told(GuestsCaptured) == [captured("C4", "S10", 1)]
    assert kick.guests == ["r2", "S10"]


def test_midnight_new_example_12_the_ten_point_room_is_the_deepest_of_all() -> None:
    assert moves("T S10", 4, options=NEW) == ["T>C4", "T>r1"]


def test_midnight_new_example_13_an_exact_room_is_taken_over_with_its_points() -> None:
    room = castle("C6", "r3", rolled=1)
    assert room.legal == ["C6>C7", "C6>r3"]
    room.play("C6>r3")
    assert (room.guests, room.state.scores) == (["r3", "C6"], (-7, -10))
    assert moves("C6", 2, "r3", options=NEW) == ["C6>C8"]


@pytest.mark.parametrize(("fear", "over"), [(36, True), (35, False)])
def test_midnight_new_example_14_fear_of_46_ends_the_game_and_45_does_not(fear: int, over: bool) -> None:
    swept = castle("C5 C10", "C11", hugo="C4", dice="Hugo 1", fear=(fear, 10))
    swept.roll()
    assert swept.state.scores[0] == -fear - 10
    assert (swept.outcome is not None) == over
