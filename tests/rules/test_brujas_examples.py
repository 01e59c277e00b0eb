"""Worked examples of Brujas del Sabado. Tracks are written from the top slot down."""

from __future__ import annotations

from tests.rules.sabbath import Sabbath, cards, scored

from croupier_server.games.brujas import CARDS, Rule, TrickWon
from croupier_server.rules import Outcome

TABLEAUS = (
    "R1 R1 R2 B1 B2 B3 Y4 Y5 G5 G5",
    "R2 R3 B1 B2 B3 Y1 Y1 Y2 G1 G4",
    "R3 R4 R4 B4 B4 Y2 Y3 Y3 G1 G2",
    "R5 R5 B5 B5 Y4 Y5 G2 G3 G3 G4",
)


def test_brujas_example_01_of_two_equal_highest_cards_the_later_wins_and_red_moves_down_from_the_top() -> None:
    sabbath = Sabbath("R3 Y1", "R5 Y1", "R5 Y2", "G3 Y2")
    sabbath.trick("R3 R5 R5 G3")
    assert sabbath.told(TrickWon) == [TrickWon(2, CARDS.parse("R5"), Rule.COLOUR)]
    assert sabbath.legal == ["move down"]
    sabbath.play("move down")
    assert sabbath.track == "BRYG"
    drafters: list[int] = []
    for text in ("take G3", "take R3", "take R5"):
        drafters.extend(sabbath.state.to_act())
        sabbath.play(text)
    assert drafters == [2, 3, 0]
    view = sabbath.state.view(None)
    assert (view.taken_cards, view.taken_by) == (cards("G3 R3 R5 R5"), (2, 3, 0, 1))


def test_brujas_example_02_by_number_the_highest_witch_wins_and_moves_up() -> None:
    sabbath = Sabbath("G4 R1", "B4 R1", "Y4 R2", "R5 R2")
    sabbath.trick("G4 B4 Y4 R5")
    assert sabbath.told(TrickWon) == [TrickWon(1, CARDS.parse("B4"), Rule.NUMBER)]
    assert sabbath.legal == ["move down", "move up"]
    sabbath.play("move up")
    assert sabbath.track == "BRYG"


def test_brujas_example_02_by_number_the_highest_witch_wins_and_moves_down() -> None:
    sabbath = Sabbath("G4 R1", "B4 R1", "Y4 R2", "R5 R2")
    sabbath.trick("G4 B4 Y4 R5")
    sabbath.play("move down")
    assert sabbath.track == "RYBG"


def test_brujas_example_03_undecided_the_twin_beats_the_led_card() -> None:
    sabbath = Sabbath("Y2 R1", "Y2 R1", "R5 R4", "G1 G3")
    sabbath.trick("Y2 Y2 R5 G1")
    assert sabbath.told(TrickWon) == [TrickWon(1, CARDS.parse("Y2"), Rule.UNDECIDED)]
    assert sabbath.legal == ["move down", "move up"]


def test_brujas_example_04_undecided_without_a_twin_the_leader_wins() -> None:
    sabbath = Sabbath("Y2 R1", "R5 G5", "B1 B3")
    sabbath.trick("Y2 R5 B1")
    assert sabbath.told(TrickWon) == [TrickWon(0, CARDS.parse("Y2"), Rule.UNDECIDED)]


def test_brujas_example_05_by_number_the_later_of_two_best_cards_wins() -> None:
    sabbath = Sabbath("R3 Y1", "R3 Y1", "B3 Y2", "G3 Y2")
    sabbath.trick("R3 R3 B3 G3")
    assert sabbath.told(TrickWon) == [TrickWon(1, CARDS.parse("R3"), Rule.NUMBER)]


def test_brujas_example_06_the_twin_of_the_third_seat_wins_an_undecided_trick() -> None:
    sabbath = Sabbath("R3 Y1", "B5 Y2", "R3 Y4", "G1 G2")
    sabbath.trick("R3 B5 R3 G1")
    assert sabbath.told(TrickWon) == [TrickWon(2, CARDS.parse("R3"), Rule.UNDECIDED)]


def test_brujas_example_07_a_hand_that_can_match_the_led_card_must() -> None:
    sabbath = Sabbath("R3 Y1 Y2", "B3 R1 G5", "Y5 Y4 G4")
    sabbath.trick("R3")
    assert sabbath.legal == ["play B3", "play R1"]
    assert sabbath.refusal("play G5").startswith("S7: ")


def test_brujas_example_07_a_hand_that_cannot_match_plays_anything() -> None:
    sabbath = Sabbath("R3 Y1", "G5 Y4", "Y5 B4")
    sabbath.trick("R3")
    assert sabbath.legal == ["play G5", "play Y4"]


def test_brujas_example_07_only_the_led_card_is_matched() -> None:
    sabbath = Sabbath("R3 Y1 Y2", "B5 G5 G4", "B1 Y4 R3")
    sabbath.trick("R3 B5")
    assert sabbath.legal == ["play R3"]


def test_brujas_example_08_a_card_of_the_number_does_not_count_under_the_rule_of_colour() -> None:
    sabbath = Sabbath("R3 B1", "R1 B2", "Y3 G2")
    sabbath.trick("R3 R1")
    assert sabbath.legal == ["play G2", "play Y3"]
    sabbath.trick("Y3")
    assert sabbath.told(TrickWon) == [TrickWon(0, CARDS.parse("R3"), Rule.COLOUR)]


def test_brujas_example_09_favourites_and_majorities_are_counted_and_the_best_sum_wins() -> None:
    favourites, majorities, outcome = scored("RBYG", *TABLEAUS)
    assert favourites == (5, 3, 5, 1)
    assert majorities == (0, 4, 4, 2)
    assert outcome == Outcome(scores=(5, 7, 9, 3), places=(3, 2, 1, 4))


def test_brujas_example_09_equal_sums_are_decided_by_the_favourite_witch() -> None:
    favourites, majorities, outcome = scored("GYRB", *TABLEAUS)
    assert favourites == (2, 3, 3, 5)
    assert majorities == (0, 4, 4, 2)
    assert outcome == Outcome(scores=(2, 7, 7, 7), places=(4, 2, 2, 1))
