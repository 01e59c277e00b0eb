"""Midnight: what is refused and why, and the notation of actions."""

from __future__ import annotations

import pytest
from tests.rules.castle import NEW, Castle, first_position, squares
from tests.support.worlds import luck

from croupier_server.games.midnight_words import (
    Action,
    Edition,
    KickOntoHugo,
    MoveGuest,
    Options,
    PlaceGuest,
    Stay,
    action_text,
    parse_action,
)
from croupier_server.rules import Table

FORBIDDEN = Options(edition=Edition.NEW, kick_onto_hugo=KickOntoHugo.FORBIDDEN)


# --- Refusals ---


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("place C2", "M7: this is the time to move a guest"),
        ("C2>C6", "M7: the seat has no guest on C2"),
        ("S9>C4", "M17: a guest on S9 does not move before the round is over"),
        ("r5>C14", "M17: a guest on r5 does not move before the round is over"),
        ("C1>C6", "M9: C6 is not reached from C1 with 4"),
        ("C1>S9", "M9: S9 is not reached from C1 with 4"),
        ("C1>T", "M9: T is not reached from C1 with 4"),
        ("C1>r4", "M10: r4 is not reached exactly from C1 with 4"),
        ("C1>r6", "M10: r6 is not reached from C1 with 4"),
        ("C1>r1", "M12: there is a guest in r1"),
    ],
)
def test_a_wrong_move_of_the_old_edition_is_refused(text: str, message: str) -> None:
    assert Castle("C1 S9 r5", "C2 r1", rolled=4).refusal(text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pass", "M26: a number must be moved"),
        ("S9>C5", "M26: S9 is not the deepest of the seat's guests on the stairs"),
        ("C1>r1", "M28: the guest in r1 is put out by an exact count only"),
        ("C2>r2", "M28: there is a guest of the seat itself in r2"),
        ("C9>r5", "M3: r5 is not reached from C9 with 5"),
        ("r2>r2", "M10: r2 is not reached from r2 with 5"),
    ],
)
def test_a_wrong_move_of_the_new_edition_is_refused(text: str, message: str) -> None:
    assert Castle("C1 C2 C9 S9 T r2", "C2 r1", rolled=5, options=NEW).refusal(text) == message


def test_a_guest_is_not_put_onto_hugo_where_that_is_forbidden() -> None:
    castle = Castle("C3", "r2", rolled=2, hugo="C4", options=FORBIDDEN)
    assert castle.refusal("C3>r2") == "M28: the guest in r2 would be put onto Hugo's square"


def test_a_closed_room_is_refused() -> None:
    message = "M11: rooms are closed while Hugo is on the stairs"
    assert Castle("C1", "C2", rolled=4, hugo="S4").refusal("C1>r1") == message


def test_a_seat_that_is_not_asked_is_refused() -> None:
    assert Castle("C1", "C2", rolled=4).refusal("C2>C6", 1) == "M7: this seat has no decision to make now"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("C1>C2", "M7: this is the time to place a guest"),
        ("pass", "M7: this is the time to place a guest"),
        ("place r1", "M2: r1 is no square of the corridor"),
        ("place S10", "M2: S10 is no square of the corridor"),
        ("place C5", "M6: there is a guest on C5"),
    ],
)
def test_a_wrong_place_is_refused(text: str, message: str) -> None:
    state = first_position(2, Options()).play({0: PlaceGuest(5)}, Table(luck("placed")))
    assert state.broken_rule(1, parse_action(text)) == message


def test_an_occupied_place_is_refused_by_option_between_rounds() -> None:
    castle = Castle("C3", "S10", rolled=1, options=Options(replace_needs_empty=True))
    castle.play("C3>r1")
    assert castle.refusal("place C3") == "M22: there is a guest on C3"


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (PlaceGuest(0), "M2: square 0 is no square of the corridor"),
        (PlaceGuest(51), "M2: square 51 is no square of the corridor"),
        (PlaceGuest(50), "M2: door is no square of the corridor"),
    ],
)
def test_a_place_with_an_unknown_number_is_refused(action: PlaceGuest, message: str) -> None:
    assert first_position(2, Options()).broken_rule(0, action) == message


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (MoveGuest(0, 5), "M7: the seat has no guest on square 0"),
        (MoveGuest(1, 51), "M9: square 51 is not reached from C1 with 4"),
    ],
)
def test_a_move_with_an_unknown_number_is_refused(action: MoveGuest, message: str) -> None:
    assert Castle("C1", "C2", rolled=4).state.broken_rule(0, action) == message


# --- Notation ---


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("place C5", PlaceGuest(*squares("C5"))),
        ("C1>C6", MoveGuest(*squares("C1 C6"))),
        ("C1>r2", MoveGuest(*squares("C1 r2"))),
        ("S9>C1", MoveGuest(*squares("S9 C1"))),
        ("T>r1", MoveGuest(*squares("T r1"))),
        ("r3>r4", MoveGuest(*squares("r3 r4"))),
        ("pass", Stay()),
    ],
)
def test_actions_are_written_and_read(text: str, action: Action) -> None:
    assert action_text(action) == text
    assert parse_action(text) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no action: expected 'place SQUARE', 'SQUARE>SQUARE' or 'pass'"),
        ("place", "'place' is no action"),
        ("place C29", "'C29' is no Square: expected one of C1 C2"),
        ("place C1 C2", "is no action"),
        ("C1", "'C1' is no action"),
        ("C1>", "'' is no Square"),
        ("C1>C2>C3", "is no action"),
        ("C1 > C2", "'C1 ' is no Square"),
        ("S1>C1", "'S1' is no Square"),
        ("R1>C3", "'R1' is no Square"),
        ("pass ", "is no action"),
        ("PASS", "is no action"),
    ],
)
def test_a_text_that_is_no_action_is_an_error_that_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="is no") as error:
        parse_action(text)
    assert message in str(error.value)


def test_a_number_that_is_no_square_has_no_text() -> None:
    with pytest.raises(ValueError, match=r"99 is no Square: expected 1\.\.50"):
        action_text(MoveGuest(1, 99))
