"""Worked examples of Jekyll vs. Hyde. In the rows the weakest colour stands first."""

from __future__ import annotations

from itertools import combinations

from tests.rules.duel import Duel

from croupier_server.games.jekyll import HYDE, JEKYLL, Phase, RoundBegan, TrickWon
from croupier_server.rules import Outcome


def test_jekyll_example_01_the_second_colour_ranks_all_three_and_the_stronger_colour_wins() -> None:
    duel = Duel("G4 R1", "P2 R2")
    duel.trick("G4", "P2")
    assert duel.row == "G < P < R"
    assert duel.told(TrickWon) == [TrickWon(HYDE, False, (0, 1))]
    assert duel.state.to_act() == (HYDE,)


def test_jekyll_example_02_the_stronger_colour_wins_with_the_lower_number() -> None:
    duel = Duel("P7 P1", "R1 G1", leader=HYDE, row="G < P < R")
    duel.trick("R1", "P7")
    assert duel.state.tricks == (0, 1)
    assert duel.state.leader == HYDE


def test_jekyll_example_03_a_led_colour_is_followed_by_the_colour_or_a_potion() -> None:
    duel = Duel("R3 G1", "R1 G7 4+")
    duel.play("play R3")
    assert duel.legal == ["4+", "R1"]


def test_jekyll_example_03_a_led_potion_is_followed_by_the_named_colour_alone() -> None:
    duel = Duel("2+ G1", "P1 5+ R7")
    duel.play("play 2+ P")
    assert duel.legal == ["P1"]


def test_jekyll_example_03_without_the_named_colour_any_card_follows_a_potion() -> None:
    duel = Duel("2+ G1", "5+ R7")
    duel.play("play 2+ P")
    assert duel.legal == ["5+", "R7"]


def test_jekyll_example_04_red_beside_a_potion_clears_the_row_and_the_next_colour_is_weakest() -> None:
    duel = Duel("3+ P5", "R3 G1", row="G < P < R")
    duel.trick("3+ R", "R3")
    assert duel.row == ""
    assert duel.state.tricks == (1, 0)
    duel.play("play P5")
    assert duel.row == "P"


def test_jekyll_example_05_red_beside_a_following_potion_clears_what_the_trick_itself_ranked() -> None:
    duel = Duel("R4 G1", "3+ G2")
    duel.trick("R4", "3+")
    assert duel.row == ""
    assert duel.state.tricks == (1, 0)


def test_jekyll_example_06_purple_beside_a_potion_takes_a_trick_from_the_loser() -> None:
    duel = Duel("P2 G1 G2 G3", "5+ R1 R2 R3", tricks=(4, 3))
    duel.trick("P2", "5+")
    assert duel.state.tricks == (3, 5)
    assert duel.told(TrickWon) == [TrickWon(HYDE, True, (3, 5))]


def test_jekyll_example_07_purple_takes_nothing_from_a_loser_without_tricks() -> None:
    duel = Duel("2+ G1", "P6 R1")
    duel.trick("2+ P", "P6")
    assert duel.state.tricks == (0, 1)
    assert duel.told(TrickWon) == [TrickWon(HYDE, False, (0, 1))]


def test_jekyll_example_07_purple_takes_the_losers_only_trick() -> None:
    duel = Duel("2+ G1", "P6 R1", tricks=(1, 0))
    duel.trick("2+ P", "P6")
    assert duel.state.tricks == (0, 2)


def test_jekyll_example_08_greed_in_the_ninth_trick_swaps_the_last_cards() -> None:
    duel = Duel("G5 P1", "4+ R1", tricks=(4, 4))
    duel.trick("G5", "4+")
    assert duel.state.to_act() == (JEKYLL, HYDE)
    assert duel.legal == ["P1", "R1"]
    duel.play("give P1", "give R1")
    assert (duel.hand(JEKYLL), duel.hand(HYDE)) == ("R1", "P1")
    assert duel.state.tricks == (5, 4)


def test_jekyll_example_08_greed_in_the_tenth_trick_swaps_nothing() -> None:
    duel = Duel("G5", "4+", tricks=(5, 4))
    duel.trick("G5", "4+")
    assert duel.told(TrickWon) == [TrickWon(JEKYLL, False, (6, 4))]
    assert duel.told(RoundBegan) == [RoundBegan(2, JEKYLL)]
    assert duel.state.phase is Phase.EXCHANGE


def test_jekyll_example_09_two_potions_have_no_effect_and_the_higher_wins() -> None:
    duel = Duel("3+ R1", "5+ P1", row="G < P < R")
    duel.trick("3+ G", "5+")
    assert duel.row == "G < P < R"
    assert duel.state.tricks == (0, 1)
    assert duel.state.phase is Phase.LEAD


def test_jekyll_example_10_a_hand_with_two_potions_gives_one_or_more() -> None:
    hand = "P1 P2 P3 R1 R2 G1 G2 G3 2+ 4+"
    duel = Duel(hand, "P4 P5 P6 P7 R3 R4 R5 R6 R7 G4", phase=Phase.EXCHANGE, number=2)
    assert duel.refusal(JEKYLL, "give R2 G1").startswith("J6: ")
    assert {"give G1 4+", "give 2+ 4+"} <= {f"give {text}" for text in duel.legal}


def test_jekyll_example_10_a_hand_with_one_potion_owes_none() -> None:
    duel = Duel("P1 P2 P3 R1 R2 G1 G2 G3 G4 2+", "P4 P5 P6 P7 R3 R4 R5 R6 R7 G7", phase=Phase.EXCHANGE, number=2)
    duel.play("give R2 G1", "give P4 P5")
    assert duel.hand(JEKYLL) == "P1 P2 P3 P4 P5 R1 G2 G3 G4 2+"


def test_jekyll_example_11_a_round_of_7_to_3_moves_the_marker_by_4_and_jekyll_leads_again() -> None:
    duel = Duel("P7", "P1", tricks=(6, 3))
    duel.trick("P7", "P1")
    assert duel.state.marker == 4
    assert (duel.state.round, duel.state.phase, duel.state.leader) == (2, Phase.EXCHANGE, JEKYLL)


def test_jekyll_example_11_hyde_wins_after_any_round_in_which_the_marker_reaches_10() -> None:
    duel = Duel("P1", "P7", number=2, marker=4, tricks=(1, 8))
    duel.trick("P1", "P7")
    assert duel.state.marker == 12
    assert duel.state.to_act() == ()
    assert duel.told(RoundBegan) == []
    assert duel.state.outcome() == Outcome(scores=(0, 1), places=(2, 1))


def test_jekyll_example_11_hyde_leads_the_round_after_the_marker_has_passed_5() -> None:
    duel = Duel("P7", "P1", number=2, marker=4, tricks=(5, 4))
    duel.trick("P7", "P1")
    assert duel.state.marker == 6
    assert (duel.state.round, duel.state.leader) == (3, HYDE)


def test_jekyll_example_11_jekyll_wins_when_the_third_round_ends_below_10() -> None:
    duel = Duel("P7", "P1", number=3, marker=6, tricks=(4, 5))
    duel.trick("P7", "P1")
    assert duel.state.marker == 6
    assert duel.state.to_act() == ()
    assert duel.state.outcome() == Outcome(scores=(1, 0), places=(1, 2))


def test_jekyll_example_12_the_colour_played_beside_a_potion_counts_not_the_one_named() -> None:
    duel = Duel("2+ P1", "R5 G2", row="P")
    duel.trick("2+ P", "R5")
    assert duel.row == ""
    assert duel.state.tricks == (0, 1)


def test_jekyll_example_12_a_colour_played_beside_a_potion_gets_its_rank() -> None:
    duel = Duel("2+ P1 P2 P3", "G1 R5 R6 R7", row="P")
    duel.trick("2+ P", "G1")
    assert duel.row == "P < G < R"
    assert duel.state.phase is Phase.GREED
    duel.play("give P1 P2", "give R5 R6")
    assert duel.state.tricks == (1, 0)
    assert duel.state.leader == JEKYLL


def test_jekyll_example_13_greed_asks_both_seats_for_any_two_cards() -> None:
    duel = Duel("G5 P1 R1 2+ 3+", "4+ P2 R2 R3 R4", tricks=(3, 2))
    duel.trick("G5", "4+")
    assert duel.state.to_act() == (JEKYLL, HYDE)
    pairs = [
        f"{a} {b}" for hand in (["P1", "R1", "2+", "3+"], ["P2", "R2", "R3", "R4"]) for a, b in combinations(hand, 2)
    ]
    assert sorted(duel.legal) == sorted(pairs)
    duel.play("give P1 R1", "give R3 R4")
    assert (duel.hand(JEKYLL), duel.hand(HYDE)) == ("R3 R4 2+ 3+", "P1 P2 R1 R2")
    assert duel.state.tricks == (4, 2)


def test_jekyll_example_14_the_winner_of_a_purple_trick_cannot_take_it_twice() -> None:
    duel = Duel("5+ G1", "P1 R1", tricks=(1, 0))
    duel.trick("5+ P", "P1")
    assert duel.told(TrickWon) == [TrickWon(JEKYLL, False, (2, 0))]
