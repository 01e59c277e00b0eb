"""Worked examples of the 21-count witch hunt. Unless said otherwise seat 0 believes in R, 1 in B and 2 in G."""

from __future__ import annotations

from tests.rules.hunt import Hunt

from croupier_server.games.witch21_words import Options

TWO_EACH = "RBGRBG"


def finish(card: str, counts: tuple[int, int, int], *, more: str = "", factions: str = "RBG", turn: int = 0) -> Hunt:
    """Plays a card from hands that hold nothing else to be afraid of, but for `more` in the hand that plays it."""
    hands = ["hush"] * len(factions)
    hands[turn] = f"{card} {more}"
    hunt = Hunt(*hands, factions=factions, counts=counts, turn=turn)
    hunt.play(f"play {card}")
    return hunt


def test_witch21_example_01_the_own_witch_at_21_by_a_3_wins() -> None:
    assert finish("R3", (18, 10, 12)).winners == [0]


def test_witch21_example_02_the_own_witch_at_21_by_a_4_is_hunted() -> None:
    assert finish("R4", (17, 10, 12)).winners == [2]


def test_witch21_example_03_another_witch_at_21_is_hunted_and_the_higher_of_the_rest_wins() -> None:
    assert finish("B5", (14, 16, 12)).winners == [0]


def test_witch21_example_04_if_the_rest_ties_the_finisher_loses() -> None:
    assert finish("B5", (12, 16, 12)).winners == [2]


def test_witch21_example_05_who_holds_a_5_loses_and_so_may_everybody() -> None:
    hunt = finish("R3", (18, 10, 12), more="G5")
    assert hunt.winners == []
    outcome = hunt.state.outcome()
    assert outcome is not None
    assert outcome.places == (1, 1, 1)


def test_witch21_example_06_the_own_witch_past_21_by_a_2_is_hunted() -> None:
    assert finish("R2", (20, 10, 12)).winners == [2]


def test_witch21_example_07_a_believer_with_a_5_loses_for_itself() -> None:
    hunt = Hunt("R1 hush", "hush", "hush", "B5", "hush", "hush", factions=TWO_EACH, counts=(20, 0, 0))
    hunt.play("play R1")
    assert hunt.winners == [0]


def test_witch21_example_08_in_a_tie_the_others_of_both_factions_win() -> None:
    assert finish("B4", (12, 17, 12), factions=TWO_EACH).winners == [2, 3, 5]


def test_witch21_example_09_the_same_card_wins_for_a_believer_and_hunts_for_another_seat() -> None:
    assert finish("B1", (9, 20, 15), turn=1).winners == [1]
    assert finish("B1", (9, 20, 15), turn=2).winners == [2]


def test_witch21_example_10_who_has_played_draws_until_the_pile_is_used_up() -> None:
    options = Options(draw3=True)
    hunt = Hunt("R2 R1 hush", "B1 B2 hush", "G1 G2 hush", pile="G4", options=options)
    sizes = []
    for text in ("play R2", "play B1", "play G1", "play R1"):
        seat = hunt.state.turn
        hunt.play(text)
        sizes.append(hunt.state.view(None).hand_sizes[seat])
    assert sizes == [3, 2, 2, 2]
    assert hunt.hand(0) == "G4 hush"


def test_witch21_example_11_a_witch_without_believers_spoils_the_victory_unless_an_option_says_otherwise() -> None:
    for options, winners in ((Options(), []), (Options(neutral_witch_spoils=False), [0, 1])):
        hunt = Hunt("B4 hush", "hush", "hush", "hush", factions="RRBB", counts=(10, 17, 14), options=options)
        hunt.play("play B4")
        assert hunt.winners == winners


def test_witch21_example_12_a_trade_card_alone_names_nobody() -> None:
    assert Hunt("trade", "R1", "B2").legal() == ["play trade"]


def test_witch21_example_12_a_trade_names_nobody_when_no_other_seat_has_a_card() -> None:
    assert Hunt("trade G2", "", "").legal() == ["play G2", "play trade"]


def test_witch21_example_12_a_trade_is_with_a_seat_that_has_a_card_and_both_choose() -> None:
    hunt = Hunt("trade G2", "", "B2 hush")
    assert hunt.legal() == ["play G2", "play trade 2"]
    hunt.play("play trade 2")
    assert hunt.state.to_act() == (0, 2)
    assert [hunt.legal(seat) for seat in range(3)] == [["give G2"], [], ["give B2", "give hush"]]
    hunt.play("give G2", "give B2")
    assert [hunt.hand(seat) for seat in range(3)] == ["B2", "", "G2 hush"]
    assert hunt.state.to_act() == (2,)


def test_witch21_example_13_out_of_cards_the_highest_counts_win_and_a_tie_costs_the_last_player_the_game() -> None:
    for factions, winners in (("RBG", [0, 1]), ("RGB", [0])):
        hunt = Hunt("R4", "B4", "G2", factions=factions)
        for text in ("play R4", "play B4", "play G2"):
            hunt.play(text)
        assert hunt.winners == winners
