"""Jekyll vs. Hyde beyond its worked examples: options, refusals, notation, and what views hold."""

from __future__ import annotations

from itertools import combinations

import pytest
from tests.rules.duel import Duel, cards
from tests.support.worlds import Step, at_random, luck, play

from croupier_server.games.jekyll import (
    CARDS,
    COLOUR,
    DECK,
    GAME,
    HYDE,
    JEKYLL,
    CardsSwapped,
    Give,
    GreedChoice,
    GreedShort,
    Observation,
    Options,
    Phase,
    Play,
    RowChanged,
    SwapSeen,
    action_text,
    parse_action,
)
from croupier_server.rules import Entry, Recorder, ScriptedChance, ShuffleDraw

ONE = Options(greed_count=1)
RANDOM = Options(greed_choice=GreedChoice.RANDOM)
NONE = Options(greed_short=GreedShort.NONE)
RESEED = Options(wrath_reseeds=True)


# --- Options ---


def test_greed_one_swaps_one_card_each() -> None:
    duel = Duel("G5 P1 P2 P3", "4+ R1 R2 R3", options=ONE)
    duel.trick("G5", "4+")
    assert duel.legal == ["P1", "P2", "P3", "R1", "R2", "R3"]
    duel.play("give P1", "give R3")
    assert (duel.hand(JEKYLL), duel.hand(HYDE)) == ("P2 P3 R3", "P1 R1 R2")


def test_greed_random_asks_nobody_and_swaps_the_first_cards_of_both_shuffles() -> None:
    script = [("shuffle", ["P3", "P1", "P2"]), ("shuffle", ["R1", "R3", "R2"])]
    duel = Duel("G5 P1 P2 P3", "4+ R1 R2 R3", options=RANDOM, chance=ScriptedChance(script, CARDS.text))
    duel.trick("G5", "4+")
    assert duel.state.phase is Phase.LEAD
    assert (duel.hand(JEKYLL), duel.hand(HYDE)) == ("P2 R1 R3", "P1 P3 R2")
    assert duel.state.tricks == (1, 0)


def test_greed_random_shuffles_both_hands_under_round_trick_and_seat() -> None:
    chance = Recorder(luck("labels"))
    duel = Duel("G5 P1 P2 P3", "4+ R1 R2 R3", number=2, tricks=(4, 2), options=RANDOM, chance=chance)
    duel.trick("G5", "4+")
    assert [draw.label for draw in chance.draws] == ["greed 2.7.0", "greed 2.7.1"]


def test_greed_random_draws_nothing_when_nothing_is_left_to_swap() -> None:
    chance = Recorder(luck("last trick"))
    duel = Duel("G5", "4+", number=3, tricks=(5, 4), options=RANDOM, chance=chance)
    duel.trick("G5", "4+")
    assert chance.draws == []


def test_greed_none_swaps_nothing_when_a_hand_is_too_small() -> None:
    duel = Duel("G5 P1", "4+ R1", tricks=(4, 4), options=NONE)
    duel.trick("G5", "4+")
    assert duel.state.phase is Phase.LEAD
    assert duel.told(CardsSwapped) == []
    assert (duel.hand(JEKYLL), duel.hand(HYDE)) == ("P1", "R1")


def test_greed_none_swaps_two_cards_when_a_hand_has_them() -> None:
    duel = Duel("G5 P1 P2", "4+ R1 R2", tricks=(4, 3), options=NONE)
    duel.trick("G5", "4+")
    assert duel.legal == ["P1 P2", "R1 R2"]


def test_greed_none_and_random_together_draw_nothing_for_a_hand_too_small() -> None:
    chance = Recorder(luck("short"))
    options = Options(greed_choice=GreedChoice.RANDOM, greed_short=GreedShort.NONE)
    duel = Duel("G5 P1", "4+ R1", tricks=(4, 4), options=options, chance=chance)
    duel.trick("G5", "4+")
    assert chance.draws == []


def test_wrath_reseeds_leaves_red_as_the_weakest_colour() -> None:
    duel = Duel("3+ P5", "R3 G1", row="G < P < R", options=RESEED)
    duel.trick("3+ R", "R3")
    assert duel.row == "R"
    duel.play("play P5")
    assert duel.row == "R < P < G"


def test_a_row_that_stays_as_it_was_is_not_told_as_changed() -> None:
    duel = Duel("3+ P5", "R3 G1", row="R", options=RESEED)
    duel.trick("3+ R", "R3")
    assert duel.row == "R"
    assert duel.told(RowChanged) == []


# --- What is told ---


def test_both_changes_of_the_row_in_one_trick_are_told() -> None:
    duel = Duel("3+ P5", "R3 G1", row="P")
    duel.trick("3+ R", "R3")
    assert duel.told(RowChanged) == [RowChanged((1, 2, 3)), RowChanged(())]


def test_a_swap_is_told_to_all_and_its_cards_to_each_seat_alone() -> None:
    duel = Duel("G5 P1 P2", "4+ R1 R2")
    duel.trick("G5", "4+")
    duel.table.news.clear()
    duel.play("give P1 P2", "give R1 R2")
    purple, red = cards("P1 P2"), cards("R1 R2")
    assert duel.table.news[:3] == [
        Entry(CardsSwapped(2)),
        Entry(SwapSeen(given=purple, received=red), reader=JEKYLL),
        Entry(SwapSeen(given=red, received=purple), reader=HYDE),
    ]


def test_the_follower_sees_the_led_card_and_the_named_colour() -> None:
    duel = Duel("2+ G1", "5+ R7")
    duel.play("play 2+ P")
    view = duel.state.view(HYDE)
    assert (view.led_card, view.led_colour, view.phase) == (CARDS.parse("2+"), 1, Phase.FOLLOW)


def test_a_led_coloured_card_names_no_colour_in_views() -> None:
    duel = Duel("R3 G1", "5+ R7")
    duel.play("play R3")
    assert duel.state.view(None).led_colour is None


def test_an_answered_lead_is_no_longer_shown_as_open() -> None:
    duel = Duel("G5 P1 P2", "4+ R1 R2")
    duel.trick("G5", "4+")
    view = duel.state.view(HYDE)
    assert (view.phase, view.led_card, view.leader) == (Phase.GREED, None, JEKYLL)


def test_a_spectator_sees_no_card_that_is_not_played() -> None:
    for step in play(GAME, Options(), 2, luck("spectator"), at_random("spectator")):
        view = step.state.view(None)
        assert (view.seat, view.hand, view.dealt_cards, view.given_cards, view.received_cards) == (None, (), (), (), ())


def test_a_seat_can_account_for_its_hand_from_its_view_alone() -> None:
    for step in play(GAME, RANDOM, 2, luck("account"), at_random("account")):
        for seat in (JEKYLL, HYDE):
            view = step.state.view(seat)
            hand = set(view.dealt_cards[-10:])
            before = 20 * (len(view.dealt_cards) // 10 - 1)  # cards played in earlier rounds
            swaps = sum([size for size, time in zip(view.swap_sizes, view.swap_times, strict=True) if time >= before])
            if swaps:
                for given, received in zip(view.given_cards[-swaps:], view.received_cards[-swaps:], strict=True):
                    hand = hand - {given} | {received}
            mine = [card for card, by in zip(view.played_cards, view.played_by, strict=True) if by == seat]
            assert sorted(hand - set(mine[before // 2 :])) == list(view.hand)


# --- Legal lists against a second, plain reading of the rules ---


def expected(view: Observation) -> set[str]:
    """The legal actions of the viewing seat, from its view alone, straight from the rules' words."""
    hand = [CARDS.text(card) for card in view.hand]
    potions = [text for text in hand if text.endswith("+")]
    if view.phase is Phase.LEAD:
        return {f"play {text}{name}" for text in hand for name in ([" P", " R", " G"] if text in potions else [""])}
    if view.phase is Phase.FOLLOW:
        assert view.led_card is not None
        wanted = "-PRG"[view.led_colour or COLOUR[view.led_card]]
        same = [text for text in hand if text[0] == wanted]
        allowed = hand if not same else same if view.led_colour else same + potions
        return {f"play {text}" for text in allowed}
    size = view.round if view.phase is Phase.EXCHANGE else min(2, len(hand))
    duty = view.phase is Phase.EXCHANGE and len(potions) >= 2
    return {
        " ".join(("give", *chosen)) for chosen in combinations(hand, size) if not duty or set(chosen) & set(potions)
    }


def positions() -> list[Step]:
    """Every position of some random games."""
    return [step for i in range(20) for step in play(GAME, Options(), 2, luck(f"legal {i}"), at_random(f"legal {i}"))]


def test_legal_lists_are_complete() -> None:
    for step in positions():
        for seat in step.actions:
            texts = [action_text(action) for action in step.state.legal(seat)]
            assert texts == sorted(expected(step.state.view(seat)))


def test_every_other_action_is_refused_and_no_legal_one_is() -> None:
    plays = [Play(card, colour) for card in (0, *DECK, 26, 99) for colour in (None, 0, 1, 2, 3, 4)]
    gifts = [
        Give(()),
        Give(cards("P1 P2 P3 P4")),
        Give((2, 1)),
        Give((1, 1)),
        Give((26,)),
        Give((3,)),
        Give((4, 22, 23)),
    ]
    for step in positions()[::3]:
        for seat in (JEKYLL, HYDE):
            legal = step.state.legal(seat)
            for action in [*plays, *gifts, *legal[:5]]:
                if action in legal:
                    with pytest.raises(ValueError, match="breaks no rule"):
                        step.state.broken_rule(seat, action)
                else:
                    assert step.state.broken_rule(seat, action)[0] == "J"


# --- Refusals ---


@pytest.mark.parametrize(
    ("seat", "text", "rule"),
    [
        (HYDE, "play R1", "J4: this seat has no decision"),
        (JEKYLL, "give P1", "J4: found give, this is the time to play"),
        (JEKYLL, "play R1", "J4: R1 is not in the seat's hand"),
        (JEKYLL, "play P1 R", "J9: P1 has a colour"),
        (JEKYLL, "play 2+", "J9: 2+ is led without naming"),
    ],
)
def test_a_wrong_lead_is_refused(seat: int, text: str, rule: str) -> None:
    assert Duel("P1 2+", "R1 3+").refusal(seat, text).startswith(rule)


@pytest.mark.parametrize(
    ("lead", "text", "rule"),
    [
        ("P1", "play G1", "J10: P is led, which the hand has"),
        ("2+ P", "play 3+", "J11: the potion names P, which the hand has"),
        ("2+ P", "play G1", "J11: "),
        ("P1", "play 3+ P", "J9: only the leader names"),
    ],
)
def test_a_wrong_answer_is_refused(lead: str, text: str, rule: str) -> None:
    duel = Duel("P1 2+", "P2 G1 3+")
    duel.play(f"play {lead}")
    assert duel.refusal(HYDE, text).startswith(rule)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("give P1", "J5: exactly 2 to give, found 1"),
        ("give P2 P1", "J4: the cards of a gift stand in canonical order"),
        ("give P1 P1", "J4: the cards of a gift stand in canonical order, each once"),
        ("give P1 R7", "J4: R7 is not in the seat's hand"),
        ("give P1 P2", "J6: "),
        ("play P1", "J4: found play, this is the time to give"),
    ],
)
def test_a_wrong_exchange_is_refused(text: str, rule: str) -> None:
    hands = "P1 P2 P3 R1 R2 G1 G2 G3 2+ 4+", "P4 P5 P6 P7 R3 R4 R5 R6 R7 G4"
    assert Duel(*hands, phase=Phase.EXCHANGE, number=2).refusal(JEKYLL, text).startswith(rule)


def test_a_gift_to_greed_of_the_wrong_size_is_refused() -> None:
    duel = Duel("G5 P1 P2 P3", "4+ R1 R2 R3")
    duel.trick("G5", "4+")
    assert duel.refusal(JEKYLL, "give P1").startswith("J17: exactly 2 to give, found 1")


def test_an_unknown_card_is_refused_by_its_number() -> None:
    assert Duel("P1 2+", "R1 3+").state.broken_rule(JEKYLL, Play(99, None)) == "J1: 99 is no card"


# --- Notation ---


@pytest.mark.parametrize("action", [Give(cards("P1 R2 G3")), Play(CARDS.parse("R3"), None), Play(CARDS.parse("2+"), 3)])
def test_actions_are_written_and_read(action: Give | Play) -> None:
    assert parse_action(action_text(action)) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no action: expected 'give CARD"),
        ("give", "'give' is no action"),
        ("pass", "'pass' is no action"),
        ("play", "'play' is no action"),
        ("play P8", "'P8' is no Card: expected one of P1 P2"),
        ("play  P1", "'' is no Card"),
        ("play 2+ X", "'X' is no Colour: expected one of P R G"),
        ("give P1 Q1", "'Q1' is no Card"),
        ("play 2+ P R", "is no action"),
        ("PLAY P1", "is no action"),
    ],
)
def test_a_text_that_is_no_action_is_an_error_that_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="is no") as error:
        parse_action(text)
    assert message in str(error.value)


def test_a_number_that_is_no_card_has_no_text() -> None:
    with pytest.raises(ValueError, match=r"99 is no Card: expected 1\.\.25"):
        action_text(Play(99, None))


def test_the_deck_is_shuffled_in_canonical_order() -> None:
    chance = Recorder(luck("deck"))
    next(play(GAME, Options(), 2, chance, at_random("deck")))
    (draw,) = chance.draws
    assert isinstance(draw, ShuffleDraw)
    assert (draw.label, len(draw.order)) == ("deal 1", 25)
    assert " ".join(CARDS.texts) == "P1 P2 P3 P4 P5 P6 P7 R1 R2 R3 R4 R5 R6 R7 G1 G2 G3 G4 G5 G6 G7 2+ 3+ 4+ 5+"
