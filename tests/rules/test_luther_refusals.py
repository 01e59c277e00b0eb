"""The Church vs Martin Luther: what is refused and why, and the notation of actions."""

from __future__ import annotations

import pytest
from tests.rules.parish import Parish, indulging, won

from croupier_server.games.luther_words import (
    Abstain,
    Action,
    DiscardIndulgence,
    Play,
    TakeIndulgence,
    UseIndulgence,
    action_text,
    parse_action,
)

# --- Refusals ---


@pytest.mark.parametrize(
    ("seat", "text", "message"),
    [
        (1, "play S2", "L5: this seat has no decision to make now"),
        (0, "pass", "L5: this is the time to play a card"),
        (0, "take prime", "L5: this is the time to play a card"),
        (0, "play S2", "L5: S2 is not in the seat's hand"),
    ],
)
def test_a_wrong_lead_is_refused(seat: int, text: str, message: str) -> None:
    assert Parish("S7 HA", "S2 D3", "C2 C3").refusal(text, seat) == message


def test_a_wrong_answer_is_refused() -> None:
    parish = Parish("S7 HA HK", "S2 D3 HQ", "C2 C3 C4")
    parish.trick("S7")
    assert parish.refusal("play HQ") == "L8: HQ is neither of the led suit nor trump, which the hand has"


def test_a_wrong_choice_is_refused() -> None:
    parish = Parish("S7 HA", "S2 D3", "C2 C3", display="spade run big")
    parish.trick("S7 D3 C2")
    assert parish.refusal("take prime") == "L12: prime is not open"
    assert parish.refusal("discard prime") == "L12: prime is not open"
    assert parish.refusal("pass") == "L5: this is the time to take or discard an indulgence"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("use spade S2", "L14: spade is not an unused indulgence of the seat"),
        ("use prime S5", "L14: S5 is not an uncovered black card that the seat captured"),
        ("use prime HA", "L14: HA is not an uncovered black card that the seat captured"),
        ("use prime S3 S2", "L14: the cards stand in canonical order, each once"),
        ("use prime C2 S2", "L14: the cards stand in canonical order, each once"),
        ("use prime S2 S2", "L14: the cards stand in canonical order, each once"),
        ("use prime S2 S3 S7 C2 C3", "L14: prime covers 1 to 4 cards, found 5"),
        ("use prime S2 S4", "L16: prime does not cover S2 S4"),
        ("use run S2 S4", "L17: run does not cover S2 S4"),
        ("use sum10 S2 S7", "L18: sum10 does not cover S2 S7"),
        ("use pairs S2 S3", "L19: pairs does not cover S2 S3"),
        ("use sum14 S7", "L20: sum14 does not cover S7"),
        ("take prime", "L5: this is the time to use an indulgence, or to pass"),
    ],
)
def test_a_wrong_use_is_refused(text: str, message: str) -> None:
    assert indulging("S2 S3 S4 S7 C2 C3", "prime run sum10 pairs sum14").refusal(text) == message


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (UseIndulgence(14, (2,)), "L2: 14 is no indulgence"),
        (UseIndulgence(0, (2,)), "L2: 0 is no indulgence"),
        (UseIndulgence(5, (53,)), "L1: 53 is no card"),
        (UseIndulgence(5, ()), "L14: prime covers 1 to 4 cards, found 0"),
    ],
)
def test_a_use_of_unknown_numbers_or_of_nothing_is_refused(action: UseIndulgence, message: str) -> None:
    assert indulging("S2", "prime").state.broken_rule(0, action) == message


@pytest.mark.parametrize("card", [0, 53])
def test_an_unknown_card_is_refused_by_its_number(card: int) -> None:
    assert Parish("S7 HA", "S2 D3", "C2 C3").state.broken_rule(0, Play(card)) == f"L1: {card} is no card"


# --- Notation ---


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("play S10", Play(10)),
        ("take prime", TakeIndulgence(5)),
        ("discard sum14", DiscardIndulgence(13)),
        ("use prime S2 CJ", UseIndulgence(5, (2, 50))),
        ("pass", Abstain()),
    ],
)
def test_actions_are_written_and_read(text: str, action: Action) -> None:
    assert action_text(action) == text
    assert parse_action(text) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no action: expected 'play CARD'"),
        ("play", "'play' is no action"),
        ("play S1", "'S1' is no Card: expected one of SA S2"),
        ("play S2 S3", "is no action"),
        ("take", "'take' is no action"),
        ("take Prime", "'Prime' is no Indulgence: expected one of spade club"),
        ("discard prime run", "is no action"),
        ("use prime", "'use prime' is no action"),
        ("use S2", "is no action"),
        ("use sum S2", "'sum' is no Indulgence"),
        ("use prime  S2", "'' is no Card"),
        ("pass ", "is no action"),
        ("PASS", "is no action"),
    ],
)
def test_a_text_that_is_no_action_is_an_error_that_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="is no") as error:
        parse_action(text)
    assert message in str(error.value)


def test_numbers_that_name_nothing_have_no_text() -> None:
    with pytest.raises(ValueError, match=r"99 is no Card: expected 1\.\.52"):
        action_text(Play(99))
    with pytest.raises(ValueError, match=r"14 is no Indulgence: expected 1\.\.13"):
        action_text(TakeIndulgence(14))


def test_the_pack_is_written_in_ascii_order_where_actions_are_listed() -> None:
    assert won("S10 SA S2") == (1, 1)
    assert Parish("S10 S2 SA HK", "S3 S4 S5 S6", "C2 C3 C4 C5").legal == [
        "play HK",
        "play S10",
        "play S2",
        "play SA",
    ]
