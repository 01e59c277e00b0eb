"""Who wins the 21-count witch hunt, beyond its worked examples."""

from __future__ import annotations

from tests.rules.hunt import Hunt, cards

from croupier_server.games.witch21_words import GameJudged, Options, OwnOvershoot


def test_the_option_lets_a_believer_win_past_21_with_a_low_card() -> None:
    options = Options(own_overshoot_low_card=OwnOvershoot.HIGHEST_COUNT_WINS)
    for card, count, winners in (("R2", 20, [0]), ("R3", 20, [0]), ("R4", 18, [2]), ("R4", 17, [2]), ("R1", 20, [0])):
        hunt = Hunt(f"{card} hush", "hush", "hush", counts=(count, 10, 12), options=options)
        hunt.play(f"play {card}")
        assert hunt.winners == winners


def test_past_21_by_option_a_tie_of_the_others_does_not_matter_but_a_five_does() -> None:
    options = Options(own_overshoot_low_card=OwnOvershoot.HIGHEST_COUNT_WINS)
    for more, winners in (("hush", [0]), ("B5", [])):
        hunt = Hunt(f"R2 {more}", "hush", "hush", counts=(20, 12, 12), options=options)
        hunt.play("play R2")
        assert hunt.winners == winners


def test_a_finisher_that_has_lost_its_own_witch_leaves_a_tie_to_both_others() -> None:
    hunt = Hunt("R4 hush", "hush", "hush", counts=(17, 12, 12))
    hunt.play("play R4")
    assert hunt.winners == [1, 2]


def test_a_witch_without_believers_in_a_tie_costs_nobody_the_victory() -> None:
    hunt = Hunt("B4 hush", "hush", "hush", "hush", factions="RRBB", counts=(14, 17, 14))
    hunt.play("play B4")
    assert hunt.winners == [0, 1]


def test_when_the_witch_without_believers_is_hunted_the_others_are_compared() -> None:
    hunt = Hunt("G4 hush", "hush", "hush", "hush", factions="RRBB", counts=(14, 13, 17))
    hunt.play("play G4")
    assert hunt.winners == [0, 1]


def test_out_of_cards_a_witch_without_believers_spoils_unless_an_option_says_otherwise() -> None:
    for options, winners in ((Options(), []), (Options(neutral_witch_spoils=False), [0, 1])):
        hunt = Hunt("G4", "", "", "", factions="RRBB", counts=(3, 2, 0), options=options)
        hunt.play("play G4")
        assert hunt.winners == winners


def test_cards_on_the_pile_frighten_nobody() -> None:
    hunt = Hunt("R3 R1 hush", "B1", "G1", counts=(18, 0, 0), pile="R5 B5 G5", options=Options(draw3=True))
    hunt.play("play R3")
    assert hunt.winners == [0]


def test_the_end_shows_factions_and_hands_and_the_verdict() -> None:
    hunt = Hunt("B3 R1", "hush", "G5 G1", counts=(9, 18, 12), options=Options(blind=True))
    assert (hunt.state.view(0).factions, hunt.state.view(0).last_hands) == ((), ())
    hunt.play("play B3")
    hands = cards("R1 hush G1 G5")
    assert hunt.told(GameJudged) == [GameJudged((1, 2, 3), (1, 1, 2), hands, 2, (3,), ())]
    view = hunt.state.view(None)
    assert (view.factions, view.last_hands, view.hand_sizes) == ((1, 2, 3), hands, (1, 1, 2))


def test_out_of_cards_nobody_is_accused() -> None:
    hunt = Hunt("R4", "", "")
    hunt.play("play R4")
    assert hunt.told(GameJudged) == [GameJudged((1, 2, 3), (0, 0, 0), (), None, (1,), (0,))]
