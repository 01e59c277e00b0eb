"""Actions of the 21-count witch hunt that are refused, and its notation."""

from __future__ import annotations

import pytest
from tests.rules.hunt import Hunt, dealt

from croupier_server.games.witch21_words import (
    Action,
    Choose,
    Give,
    Options,
    Play,
    action_text,
    parse_action,
)

# --- Refusals ---


def test_a_wrong_choice_is_refused() -> None:
    state, table = dealt(Options(start_seat=0), 3)
    state = state.play({0: parse_action("choose R")}, table)
    assert state.broken_rule(1, Choose(1)) == "W4: no card of R is left"
    assert state.broken_rule(1, Choose(4)) == "W1: 4 is no witch"
    assert state.broken_rule(0, Choose(2)) == "W9: this seat has no decision to make now"
    assert state.broken_rule(1, Give(1)) == "W9: found give, this is the time to choose"


@pytest.mark.parametrize(
    ("text", "seat", "message"),
    [
        ("play R1", 1, "W9: this seat has no decision to make now"),
        ("choose R", 0, "W9: found choose, this is the time to play"),
        ("play R2", 0, "W9: R2 is not in the seat's hand"),
        ("play alibi", 0, "W12: an alibi names one of the three witches, and no seat"),
        ("play trade", 0, "W13: a trade names one of the seats [2]"),
        ("play trade 1", 0, "W13: a trade names one of the seats [2]"),
        ("play trade 0", 0, "W13: a trade names one of the seats [2]"),
    ],
)
def test_a_wrong_play_is_refused(text: str, seat: int, message: str) -> None:
    assert Hunt("R1 alibi trade", "", "G1 G2").refusal(text, seat) == message


def test_a_trade_with_a_seat_is_refused_when_no_swap_is_possible() -> None:
    assert Hunt("trade", "B1", "G1").refusal("play trade 1") == "W13: a trade names no seat now"


@pytest.mark.parametrize("action", [Play(1, 2, None), Play(1, None, 2)])
def test_an_informer_that_names_a_witch_or_seat_is_refused(action: Play) -> None:
    assert Hunt("R1 hush", "B1", "G1").state.broken_rule(0, action) == "W10: R1 names neither a witch nor a seat"


def test_a_wrong_gift_is_refused() -> None:
    hunt = Hunt("R1 trade", "B1", "G1")
    hunt.play("play trade 1")
    assert hunt.refusal("give trade") == "W9: trade is not in the seat's hand"
    assert hunt.refusal("give G1", 2) == "W9: this seat has no decision to make now"
    assert hunt.refusal("play R1") == "W9: found play, this is the time to give"
    assert hunt.state.broken_rule(0, Give(19)) == "W1: 19 is no card"


# --- Notation ---


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Choose(2), "choose B"),
        (Play(3, None, None), "play R3"),
        (Play(16, 3, None), "play alibi G"),
        (Play(17, None, 5), "play trade 5"),
        (Play(17, None, None), "play trade"),
        (Play(18, None, None), "play hush"),
        (Give(16), "give alibi"),
        (Give(15), "give G5"),
    ],
)
def test_actions_are_written_and_read(action: Action, text: str) -> None:
    assert action_text(action) == text
    assert parse_action(text) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no action: expected 'choose WITCH'"),
        ("choose", "'choose' is no action"),
        ("choose Y", "'Y' is no Witch: expected one of R B G"),
        ("play R6", "'R6' is no Card"),
        ("play alibi Y", "'Y' is no Witch"),
        ("play trade 6", "is no action"),
        ("play trade 01", "is no action"),
        ("play trade -1", "is no action"),
        ("play R1 2", "is no action"),
        ("give", "'give' is no action"),
        ("give R1 R2", "is no action"),
        ("give  R1", "is no action"),
        ("PLAY R1", "is no action"),
        ("play ALIBI R", "is no action"),
    ],
)
def test_a_text_that_is_no_action_is_an_error_that_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="is no") as error:
        parse_action(text)
    assert message in str(error.value)


def test_a_number_that_is_no_card_or_witch_has_no_text() -> None:
    with pytest.raises(ValueError, match=r"99 is no Card: expected 1\.\.18"):
        action_text(Play(99, None, None))
    with pytest.raises(ValueError, match=r"4 is no Witch: expected 1\.\.3"):
        action_text(Choose(4))
