"""Midnight Party and Escape from the Hidden Castle beyond their worked examples: start, options, rounds, history."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.castle import NEW, Castle, captured, first_position, moves, squares
from tests.support.worlds import Step, at_random, luck, play

from croupier_server.games.midnight import GAME, GUESTS
from croupier_server.games.midnight_board import PLACES
from croupier_server.games.midnight_words import (
    DieRolled,
    Edition,
    GuestKicked,
    GuestMoved,
    GuestPlaced,
    GuestsCaptured,
    HugoMoved,
    HugoStart,
    KickOntoHugo,
    Observation,
    Options,
    Phase,
    RoundBegan,
    RoundEnded,
    StairsOverflow,
    Stayed,
    action_text,
    check,
)
from croupier_server.rules import OptionsError, Outcome, Recorder, Table, options_values, read_options

SEATS = pytest.mark.parametrize("seats", GAME.seats)
EDITIONS = pytest.mark.parametrize("options", [Options(), NEW], ids=["old", "new"])
ALL_ROOMS_BUT_R2 = "r1 r3 r4 r5 r6 r7 r8 r9 r10 r11"


# --- The start ---


@SEATS
@EDITIONS
def test_guests_are_placed_clockwise_on_empty_squares_and_the_start_seat_rolls_first(
    seats: int, options: Options
) -> None:
    state = first_position(seats, options, start=1)
    placed: list[int] = []
    table: Table[Any] = Table(luck("first roll"))
    for i in range(seats * GUESTS[seats]):
        assert (state.phase, state.to_act()) == (Phase.PLACE, ((1 + i) % seats,))
        legal = state.legal(state.turn)
        assert [action_text(one) for one in legal] == [action_text(one) for one in PLACES if one.square not in placed]
        placed.append(PLACES[i].square)
        state = state.play({state.turn: PLACES[i]}, table)
    rolls = [entry.event for entry in table.news if isinstance(entry.event, DieRolled)]
    assert rolls[0].seat == 1
    assert state.view(None).placed_by == tuple((1 + i) % seats for i in range(len(placed)))
    assert set(state.view(None).guest_counts) == {GUESTS[seats]}


@EDITIONS
def test_luck_is_the_start_seat_and_the_die_alone(options: Options) -> None:
    chance = Recorder(luck("labels"))
    *_, last = play(GAME, options, 3, chance, at_random("labels"))
    assert [draw.label for draw in chance.draws] == ["start", *["roll"] * len(last.state.view(None).rolls)]


def test_a_given_start_seat_is_not_drawn() -> None:
    chance = Recorder(luck("given"))
    first, *_ = play(GAME, Options(start_seat=2), 3, chance, at_random("given"))
    assert first.state.to_act() == (2,)
    assert {draw.label for draw in chance.draws} == {"roll"}


# --- Options ---


def test_every_option_is_read() -> None:
    values = {
        "edition": "new",
        "start_seat": 7,
        "rounds": 9,
        "hugo_start": "step10",
        "hugo_step_old": 3,
        "stairs_overflow": "minus2",
        "replace_needs_empty": True,
        "kick_onto_hugo": "forbidden",
    }
    options = read_options(GAME, values, 8)
    assert options == Options(
        Edition.NEW, 7, 9, HugoStart.STEP10, 3, StairsOverflow.MINUS2, True, KickOntoHugo.FORBIDDEN
    )
    assert options_values(options) == values


@pytest.mark.parametrize(
    ("values", "key", "message"),
    [
        ({"edition": "neu"}, "edition", "midnight: edition = 'neu' is not possible; did you mean 'new'?"),
        ({"rounds": 0}, "rounds", "midnight: rounds = 0 is not possible; expected 1 to 9"),
        ({"rounds": 10}, "rounds", "midnight: rounds = 10 is not possible; expected 1 to 9"),
        ({"start_seat": 4}, "start_seat", "midnight: start_seat = 4 is not possible; expected 0 to 3"),
        ({"hugo_step_old": 1}, "hugo_step_old", "midnight: hugo_step_old = 1 is not possible; expected 2 to 3"),
        ({"hugo_step_old": 4}, "hugo_step_old", "midnight: hugo_step_old = 4 is not possible; expected 2 to 3"),
        (
            {"hugo_start": "cellar"},
            "hugo_start",
            "midnight: hugo_start = 'cellar' is not possible; there are: door, step10",
        ),
        ({"round": 3}, "round", "midnight has no option 'round'; did you mean 'rounds'?"),
    ],
)
def test_unknown_and_unfit_options_are_errors(values: dict[str, Any], key: str, message: str) -> None:
    with pytest.raises(OptionsError) as error:
        read_options(GAME, values, 4)
    assert (error.value.key, str(error.value)) == (key, message)


@pytest.mark.parametrize("seats", [1, 9])
def test_a_number_of_seats_that_the_game_is_not_for_is_an_error(seats: int) -> None:
    with pytest.raises(OptionsError, match=f"players, not for {seats}"):
        read_options(GAME, {}, seats)


def test_options_made_without_reading_are_checked_too() -> None:
    with pytest.raises(OptionsError, match="rounds = 99 is not possible"):
        check(Options(rounds=99), 2)


@pytest.mark.parametrize(
    ("options", "square"),
    [
        (Options(), "S10"),
        (NEW, "door"),
        (Options(hugo_start=HugoStart.DOOR), "door"),
        (Options(edition=Edition.NEW, hugo_start=HugoStart.STEP10), "S10"),
    ],
)
def test_hugo_starts_where_edition_or_option_says(options: Options, square: str) -> None:
    assert (first_position(4, options).hugo,) == squares(square)


@pytest.mark.parametrize(
    ("seats", "step", "speed"), [(2, None, 3), (6, None, 3), (7, None, 2), (8, None, 2), (8, 3, 3), (2, 2, 2)]
)
def test_hugo_goes_as_far_as_the_number_of_seats_or_an_option_says(seats: int, step: int | None, speed: int) -> None:
    assert first_position(seats, Options(hugo_step_old=step)).speed == speed
    assert first_position(seats, Options(edition=Edition.NEW, hugo_step_old=step)).speed == 3


def test_after_the_last_round_nobody_comes_back() -> None:
    castle = Castle("C3", "S10", rolled=1, options=Options(rounds=1))
    castle.play("C3>r1")
    assert castle.outcome == Outcome((0, 0), (1, 1))
    assert castle.told(RoundEnded) == [RoundEnded(1, (0, 0))]
    assert castle.told(RoundBegan) == []
    assert castle.told(DieRolled) == []


@pytest.mark.parametrize(("needs_empty", "count"), [(False, 28), (True, 27)])
def test_guests_come_back_onto_any_square_or_by_option_onto_empty_ones(needs_empty: bool, count: int) -> None:
    castle = Castle("C3", "S10", rolled=1, options=Options(replace_needs_empty=needs_empty))
    castle.play("C3>r1")
    assert castle.state.phase is Phase.REPLACE
    assert len(castle.legal) == count
    assert ("place C3" in castle.legal) == (not needs_empty)


@pytest.mark.parametrize(("kick", "possible"), [(KickOntoHugo.CAPTURED, True), (KickOntoHugo.FORBIDDEN, False)])
def test_a_guest_is_put_onto_hugo_unless_an_option_forbids_it(kick: KickOntoHugo, possible: bool) -> None:
    options = Options(edition=Edition.NEW, kick_onto_hugo=kick)
    assert ("C3>r2" in moves("C3", 2, "r2", hugo="C4", options=options)) == possible
    assert "C3>r2" in moves("C3", 2, "r2", hugo="C5", options=options)
    assert "C3>r2" in moves("C3", 2, hugo="C4", options=options)


# --- Rolls ---


def test_a_seat_without_a_guest_in_the_corridor_rolls_and_passes_unasked() -> None:
    castle = Castle("C1", "r2 S10", "S9", rolled=1, dice="4 Hugo 2")
    castle.play("pass")
    assert castle.told(DieRolled) == [DieRolled(1, 4), DieRolled(2, 3), DieRolled(0, 2)]
    assert castle.told(Stayed) == [Stayed(0)]
    assert (castle.state.turn, castle.state.rolled) == (0, 2)


def test_no_die_is_rolled_between_a_round_and_the_last_guest_that_comes_back() -> None:
    castle = Castle("C3", "S10 S9", rolled=1, dice="5")
    castle.play("C3>r1", "place C1")
    assert castle.told(DieRolled) == []
    castle.play("place C1")
    assert castle.told(DieRolled) == [DieRolled(0, 5)]


def test_a_round_can_end_with_the_move_of_hugo() -> None:
    castle = Castle("C21", "r2 S10", dice="Hugo")
    castle.roll()
    assert castle.told(RoundEnded) == [RoundEnded(1, (-9, 0))]
    assert castle.state.phase is Phase.REPLACE
    assert castle.guests == ["S9", "C4 S10"]


def test_a_full_house_counts_as_the_two_also_for_those_who_come_back() -> None:
    castle = Castle("C4 C10", f"{ALL_ROOMS_BUT_R2} S5", "S10", rolled=1)
    castle.play("C4>r2")
    assert castle.told(GuestsCaptured) == [captured("C10", "S2", 0)]
    assert castle.told(RoundBegan) == [RoundBegan(2, first_roller=0, placing=(2, 1, 0))]


def test_rooms_are_free_and_closed_again_in_the_next_round() -> None:
    castle = Castle("C3 r5", "r2 r9", rolled=1, dice="5")
    castle.play("C3>r1")
    assert castle.guests == ["C3 C11", "C4 C21"]
    assert castle.hugo == "S10"
    assert castle.legal == ["C11>C16", "C3>C8", "pass"]


# --- History ---


@SEATS
@EDITIONS
def test_the_observation_holds_all_news_of_the_match(seats: int, options: Options) -> None:
    told: list[Any] = []
    for step in play(GAME, options, seats, luck("all"), at_random("all")):
        told += step.told[None]
        assert_history(step, told)


def assert_history(step: Step, told: list[Any]) -> None:
    """Compares the lists of a view with the events."""
    view: Observation = step.state.view(None)
    of = {kind: [event for event in told if isinstance(event, kind)] for kind in GAME.events}
    assert list(zip(view.placed_by, view.placed_squares, strict=True)) == [
        (event.seat, event.square) for event in of[GuestPlaced]
    ]
    assert list(zip(view.rolled_by, view.rolls, strict=True)) == [(event.seat, event.face) for event in of[DieRolled]]
    moved = zip(view.move_rolls, view.move_origins, view.move_targets, strict=True)
    assert [(view.rolled_by[roll], origin, target) for roll, origin, target in moved] == [
        (event.seat, event.origin, event.target) for event in of[GuestMoved]
    ]
    captured = zip(view.capture_owners, view.capture_squares, view.capture_stairs, strict=True)
    assert list(captured) == [
        (owner, event.square, event.stairs) for event in of[GuestsCaptured] for owner in event.owners
    ]
    assert list(view.kick_owners) == [event.owner for event in of[GuestKicked]]
    assert view.round_scores == tuple(score for event in of[RoundEnded] for score in event.scores)
    if of[HugoMoved]:
        assert view.laps == of[HugoMoved][-1].laps
    if of[RoundBegan] and view.phase is Phase.REPLACE:
        assert view.placing == of[RoundBegan][-1].placing[-len(view.placing) :]
        assert view.first_roller == of[RoundBegan][-1].first_roller


def test_the_rolls_of_captures_and_kicks_are_those_that_caused_them() -> None:
    castle = Castle("C3", "r2", rolled=2, hugo="C4", dice="1", options=NEW)
    castle.play("C3>r2")
    view = castle.state.view(None)
    assert (view.move_rolls, view.kick_moves, view.kick_owners) == ((0,), (0,), (1,))
    assert (view.capture_rolls, view.capture_owners) == ((0,), (1,))


def test_the_number_of_a_roll_is_shown_only_to_be_moved_by() -> None:
    castle = Castle("C3", "S10", rolled=1)
    assert castle.state.view(0).rolled == 1
    castle.play("C3>r1")
    assert castle.state.view(0).rolled is None
