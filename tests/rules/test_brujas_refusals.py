"""Actions of Brujas del Sabado that are refused, and its notation."""

from __future__ import annotations

import pytest
from tests.rules.sabbath import Sabbath, cards

from croupier_server.games.brujas import Action, Direction, MoveWitch, Play, Take, action_text, parse_action

# --- Refusals ---


@pytest.mark.parametrize(
    ("seat", "text", "rule"),
    [
        (1, "play B1", "S5: this seat has no decision"),
        (0, "move up", "S5: this is the time to play a card"),
        (0, "take R3", "S5: this is the time to play a card"),
        (0, "play B1", "S5: B1 is not in the seat's hand"),
    ],
)
def test_a_wrong_lead_is_refused(seat: int, text: str, rule: str) -> None:
    assert Sabbath("R3 Y1", "B1 B2", "G1 G2").refusal(text, seat).startswith(rule)


@pytest.mark.parametrize(
    ("cards_before", "text", "message"),
    [
        ("R3", "play G5", "S7: G5 does not share the colour or number of R3, which the hand can"),
        ("R3 R1", "play Y3", "S8: Y3 does not share the colour of R3, which the hand can"),
        ("R3 B3", "play R4", "S9: R4 does not share the number of R3, which the hand can"),
    ],
)
def test_a_wrong_answer_is_refused(cards_before: str, text: str, message: str) -> None:
    seat_2 = "Y3 R4 G5"
    sabbath = Sabbath("R3 Y1 Y2", seat_2 if cards_before == "R3" else f"{cards_before[3:]} Y5 Y4", seat_2)
    sabbath.trick(cards_before)
    assert sabbath.refusal(text) == message


def test_a_wrong_move_is_refused() -> None:
    sabbath = Sabbath("R5 Y1", "R4 Y1", "R3 Y2")
    sabbath.trick("R5 R4 R3")
    assert sabbath.refusal("move up") == "S14: there is no slot further up"
    assert sabbath.refusal("play Y1") == "S5: this is the time to move a witch"


def test_a_wrong_take_is_refused() -> None:
    sabbath = Sabbath("R5 Y1", "R4 Y1", "R3 Y2")
    sabbath.trick("R5 R4 R3")
    sabbath.play("move down", "take R4")
    assert sabbath.refusal("take R4") == "S15: R4 is not among the cards left of the trick"
    assert sabbath.refusal("play Y1") == "S5: this is the time to take a card"


@pytest.mark.parametrize("action", [Play(0), Play(21)])
def test_an_unknown_card_is_refused_by_its_number(action: Play) -> None:
    assert Sabbath("R3 Y1", "B1 B2", "G1 G2").state.broken_rule(0, action) == f"S1: {action.card} is no card"


# --- Notation ---


@pytest.mark.parametrize("action", [Play(3), MoveWitch(Direction.UP), MoveWitch(Direction.DOWN), Take(20)])
def test_actions_are_written_and_read(action: Action) -> None:
    assert parse_action(action_text(action)) == action


def test_actions_have_the_texts_of_the_page() -> None:
    actions: list[Action] = [Play(*cards("R3")), MoveWitch(Direction.UP), MoveWitch(Direction.DOWN), Take(*cards("G5"))]
    assert [action_text(action) for action in actions] == ["play R3", "move up", "move down", "take G5"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no action: expected 'play CARD'"),
        ("play", "'play' is no action"),
        ("pass", "'pass' is no action"),
        ("play R6", "'R6' is no Card: expected one of R1 R2"),
        ("play R3 B3", "is no action"),
        ("move", "'move' is no action"),
        ("move left", "'move left' is no action"),
        ("take  R3", "is no action"),
        ("take r3", "'r3' is no Card"),
        ("PLAY R3", "is no action"),
    ],
)
def test_a_text_that_is_no_action_is_an_error_that_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="is no") as error:
        parse_action(text)
    assert message in str(error.value)


def test_a_number_that_is_no_card_has_no_text() -> None:
    with pytest.raises(ValueError, match=r"99 is no Card: expected 1\.\.20"):
        action_text(Play(99))
