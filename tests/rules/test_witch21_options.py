"""Decks and options of the 21-count witch hunt."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.hunt import cards, texts

from croupier_server.games.witch21 import GAME
from croupier_server.games.witch21_words import DEFAULT_DECK, PURE_DECK, DrawTiming, Options, OwnOvershoot, check
from croupier_server.rules import OptionsError, read_options


def test_the_default_deck_is_that_of_the_rules() -> None:
    of_one = "{0}1 {0}2 {0}2 {0}2 {0}2 {0}3 {0}4 {0}4 {0}4 {0}5"
    informers = " ".join(of_one.format(witch) for witch in "RBG")
    assert texts(DEFAULT_DECK) == f"{informers} alibi alibi trade trade hush hush"


def test_the_pure_deck_has_informers_alone() -> None:
    of_one = "{0}1 {0}2 {0}2 {0}2 {0}2 {0}2 {0}3 {0}4 {0}4 {0}4 {0}4 {0}5"
    assert texts(PURE_DECK) == " ".join(of_one.format(witch) for witch in "RBG")


def test_every_option_is_read() -> None:
    values = {
        "blind": True,
        "draw3": True,
        "draw_timing": "before_own_play",
        "own_overshoot_low_card": "highest_count_wins",
        "neutral_witch_spoils": False,
        "deck": ["hush", "R2", "alibi", "B5", "R2", "trade"] * 2,
        "start_count": 20,
        "start_seat": 3,
    }
    options = read_options(GAME, values, 4)
    timing, overshoot = DrawTiming.BEFORE_OWN_PLAY, OwnOvershoot.HIGHEST_COUNT_WINS
    deck = cards("R2 R2 R2 R2 B5 B5 alibi alibi trade trade hush hush")
    assert options == Options(True, True, timing, overshoot, False, deck, 20, 3)


@pytest.mark.parametrize(
    ("values", "deck"),
    [
        ({}, DEFAULT_DECK),
        ({"deck": "default"}, DEFAULT_DECK),
        ({"deck": "pure"}, PURE_DECK),
        ({"deck": ["G1", "R1", "B1"]}, cards("R1 B1 G1")),
        ({"deck": ("hush", "R1", "hush")}, cards("R1 hush hush")),
        ({"strategy": {"alibi": 2, "trade": 2, "hush": 2}}, DEFAULT_DECK),
        ({"strategy": {"alibi": 0, "trade": 0, "hush": 0}}, DEFAULT_DECK[:30]),
        ({"strategy": {"hush": 0, "trade": 2, "alibi": 1}}, DEFAULT_DECK[:30] + cards("alibi trade trade")),
        ({"strategy": {"alibi": 2, "trade": 2, "hush": 2}, "deck": "default"}, DEFAULT_DECK),
    ],
)
def test_a_deck_is_named_listed_or_the_default_with_other_strategy_cards(
    values: dict[str, Any], deck: tuple[int, ...]
) -> None:
    assert read_options(GAME, values, 3).deck == deck


ALL_CARDS = "R1 R2 R3 R4 R5 B1 B2 B3 B4 B5 G1 G2 G3 G4 G5 alibi trade hush"
OVERSHOOTS = "faction_loses, highest_count_wins"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("blind", 1, "blind = 1 is not possible; expected true or false"),
        ("draw3", "yes", "draw3 = 'yes' is not possible; expected true or false"),
        ("draw_timing", "after_play", "draw_timing = 'after_play' is not possible; did you mean 'after_own_play'?"),
        ("own_overshoot_low_card", 1, f"own_overshoot_low_card = 1 is not possible; there are: {OVERSHOOTS}"),
        ("neutral_witch_spoils", None, "neutral_witch_spoils = None is not possible; expected true or false"),
        ("deck", "purr", "deck = 'purr' is not possible; expected default or pure or a list"),
        ("deck", 36, "deck = 36 is not possible; expected default or pure or a list"),
        ("deck", ["R1", "R6", "R2"], f"deck: 'R6' is no Card: expected one of {ALL_CARDS}"),
        ("deck", ["R1", 2, "R2"], f"deck: '2' is no Card: expected one of {ALL_CARDS}"),
        ("deck", [], "found a deck of 0 cards; expected at least 3"),
        ("strategy", 2, "strategy = 2 is not possible; expected a table of alibi, trade, hush"),
        ("strategy", {"hush": 2}, "strategy = {'hush': 2} is not possible; expected a table of alibi, trade, hush"),
        ("start_count", 21, "start_count = 21 is not possible; expected 0 to 20"),
        ("start_count", -1, "start_count = -1 is not possible; expected 0 to 20"),
        ("start_count", [1, 2], "start_count = [1, 2] is not possible; expected a whole number"),
        ("start_seat", 3, "start_seat = 3 is not possible; expected 0 to 2"),
    ],
)
def test_unfit_options_are_errors(key: str, value: Any, message: str) -> None:
    with pytest.raises(OptionsError) as error:
        read_options(GAME, {key: value}, 3)
    assert (error.value.key, str(error.value)) == (key, f"witch21: {message}")


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        ({"alibi": 2, "trade": True, "hush": 2}, "strategy.trade = True is not possible; expected a whole number"),
        ({"alibi": 2, "trade": 2, "hush": -1}, "strategy.hush = -1 is not possible; expected 0 or more"),
        ({"alibi": 2, "trade": 2, "hush": 2, "spell": 1}, "expected a table of alibi, trade, hush"),
    ],
)
def test_strategy_cards_are_counted_from_0_each_by_its_name(strategy: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError) as error:
        read_options(GAME, {"strategy": strategy}, 3)
    assert error.value.key == "strategy"
    assert str(error.value).endswith(message)


@pytest.mark.parametrize("deck", ["pure", ["R1", "R2", "R3"], texts(DEFAULT_DECK).split()])
def test_strategy_cards_are_counted_for_no_other_deck_than_the_default(deck: Any) -> None:
    with pytest.raises(OptionsError) as error:
        read_options(GAME, {"deck": deck, "strategy": {"alibi": 2, "trade": 2, "hush": 2}}, 3)
    assert error.value.key == "strategy"
    assert str(error.value) == "witch21: strategy is for the default deck; expected no other deck"


@pytest.mark.parametrize(("seats", "draw3", "least"), [(3, False, 3), (6, False, 6), (4, True, 12), (6, True, 18)])
def test_a_deck_has_a_card_for_every_seat_or_three_with_draw3(seats: int, draw3: bool, least: int) -> None:
    read_options(GAME, {"deck": ["R1"] * least, "draw3": draw3}, seats)
    with pytest.raises(OptionsError, match=f"found a deck of {least - 1} cards; expected at least {least}"):
        read_options(GAME, {"deck": ["R1"] * (least - 1), "draw3": draw3}, seats)


@pytest.mark.parametrize(
    ("values", "seats", "message"),
    [
        ({"strategies": {}}, 3, "witch21 has no option 'strategies'; did you mean 'strategy'?"),
        ({}, 2, "witch21 is for 3 or 4 or 6 players, not for 2"),
        ({}, 5, "witch21 is for 3 or 4 or 6 players, not for 5"),
    ],
)
def test_unknown_options_and_numbers_of_seats_are_errors(values: dict[str, Any], seats: int, message: str) -> None:
    with pytest.raises(OptionsError) as error:
        read_options(GAME, values, seats)
    assert str(error.value) == message


def test_options_made_without_reading_are_checked_too() -> None:
    with pytest.raises(OptionsError, match="a deck of 2 cards"):
        check(Options(deck=cards("R1 R2")), 3)
