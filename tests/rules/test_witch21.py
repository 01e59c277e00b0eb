"""The 21-count witch hunt beyond its worked examples: options, the deal, legal lists, verdicts, and what is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.rules.hunt import Hunt, cards
from tests.support.worlds import Step, at_random, luck, play

from croupier_server.games.witch21 import GAME, Witch21
from croupier_server.games.witch21_words import (
    CARDS,
    DEFAULT_DECK,
    KINDS,
    PURE_DECK,
    WITCHES,
    Action,
    CardDrawn,
    CardPlayed,
    CardsDealt,
    CardsSwapped,
    Choose,
    DrawTiming,
    FactionJoined,
    GameBegan,
    GameJudged,
    Give,
    Observation,
    Options,
    OwnOvershoot,
    Phase,
    Play,
    Strategy,
    SwapSeen,
    action_text,
    check,
    parse_action,
)
from croupier_server.rules import Entry, OptionsError, Outcome, Recorder, ScriptedChance, Table, read_options

SEATS = pytest.mark.parametrize("seats", GAME.seats)
VARIANTS = pytest.mark.parametrize("variant", GAME.variants)


def texts(deck: tuple[int, ...]) -> str:
    """Cards as notation."""
    return " ".join(map(CARDS.text, deck))


def dealt(options: Options, seats: int, *script: tuple[str, Any]) -> tuple[Witch21, Table[Any]]:
    """The first position of a game whose luck is the script, and what was told."""
    table: Table[Any] = Table(ScriptedChance(script, GAME.item_text))
    return Witch21.deal(options, seats, table), table


# --- Decks and options ---


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


# --- The deal ---


def test_seats_choose_clockwise_from_the_one_that_begins_and_then_cards_are_dealt() -> None:
    deck = texts(DEFAULT_DECK).split()
    state, table = dealt(Options(), 4, ("below", 2), ("shuffle", deck))
    asked: list[int] = []
    for choice in ("choose R", "choose B", "choose R", "choose G"):
        asked += state.to_act()
        state = state.play({state.turn: parse_action(choice)}, table)
    assert asked == [2, 3, 0, 1]
    assert state.view(None).factions == tuple(WITCHES.parse(text) for text in "RBRG")
    assert [state.view(seat).faction for seat in range(4)] == [1, 3, 1, 2]
    assert [texts(state.view(seat).hand) for seat in range(4)] == [" ".join(deck[9 * i : 9 * i + 9]) for i in range(4)]
    assert (state.phase, state.to_act()) == (Phase.PLAY, (2,))
    assert [entry.reader for entry in table.news] == [None] * 5 + [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("seats", "choices", "lists"),
    [(3, "RBG", ["B G R", "B G", "G"]), (4, "RRBG", ["B G R", "B G R", "B G", "B G"])],
)
def test_a_faction_is_open_as_long_as_cards_of_it_are_left(seats: int, choices: str, lists: list[str]) -> None:
    state, table = dealt(Options(start_seat=0), seats, ("shuffle", texts(DEFAULT_DECK).split()))
    found = []
    for choice in choices:
        found.append(" ".join(action_text(action).split(" ")[1] for action in state.legal(state.turn)))
        state = state.play({state.turn: Choose(WITCHES.parse(choice))}, table)
    assert found == lists


@pytest.mark.parametrize(("seats", "pool"), [(3, "GBR"), (4, "GBRRBG"), (6, "GGBBRR")])
def test_blind_factions_are_dealt_in_secret_from_seat_0_on(seats: int, pool: str) -> None:
    deck = texts(DEFAULT_DECK).split()
    state, table = dealt(Options(blind=True), seats, ("below", 1), ("shuffle", list(pool)), ("shuffle", deck))
    joined = [entry for entry in table.news if isinstance(entry.event, FactionJoined)]
    assert joined == [
        Entry(FactionJoined(seat, WITCHES.parse(text)), reader=seat) for seat, text in enumerate(pool[:seats])
    ]
    assert state.to_act() == (1,)
    assert state.view(None).factions == ()
    assert [state.view(seat).faction for seat in range(seats)] == [WITCHES.parse(text) for text in pool[:seats]]


def test_luck_is_drawn_in_order_start_factions_deck() -> None:
    for options, labels in (
        (Options(), ["start", "deal"]),
        (Options(blind=True), ["start", "factions", "deal"]),
        (Options(blind=True, start_seat=0), ["factions", "deal"]),
    ):
        chance = Recorder(luck("order"))
        for _ in play(GAME, options, 6, chance, at_random("order")):
            pass
        assert [draw.label for draw in chance.draws] == labels


def test_cards_that_do_not_go_round_are_set_aside_and_never_seen() -> None:
    deck = cards("R1 R2 B1 B2 G1 G2 hush")
    options = Options(deck=deck, blind=True, start_seat=0)
    state, _ = dealt(options, 3, ("shuffle", ["R", "B", "G"]), ("shuffle", texts(deck).split()))
    assert (state.view(None).hand_sizes, state.view(None).pile_size) == ((2, 2, 2), 0)
    assert "hush" not in " ".join(texts(state.view(seat).hand) for seat in range(3))


def test_with_draw3_what_follows_the_hands_is_the_pile() -> None:
    deck = texts(DEFAULT_DECK).split()
    options = Options(blind=True, draw3=True, start_seat=0)
    state, table = dealt(options, 3, ("shuffle", ["R", "B", "G"]), ("shuffle", deck))
    assert state.view(None).pile_size == 27
    state = state.play({0: parse_action("play R1")}, table)
    assert table.news[-2:] == [Entry(CardDrawn(0, 26)), Entry(CardsDealt((CARDS.parse(deck[9]),)), reader=0)]


def test_every_witch_starts_with_the_count_of_the_option() -> None:
    state, _ = dealt(Options(start_count=7, start_seat=0), 3)
    assert state.view(None).counts == (7, 7, 7)


# --- Turns ---


def test_an_informer_raises_the_count_of_its_witch() -> None:
    hunt = Hunt("B4 hush", "hush", "hush", counts=(1, 2, 3))
    hunt.play("play B4")
    assert hunt.state.counts == (1, 6, 3)
    assert hunt.told(CardPlayed) == [CardPlayed(0, CARDS.parse("B4"), None, None, (1, 6, 3))]


@pytest.mark.parametrize(("count", "after"), [(20, 18), (2, 0), (1, 0), (0, 0)])
def test_an_alibi_lowers_any_count_by_2_but_not_below_0(count: int, after: int) -> None:
    hunt = Hunt("alibi hush", "hush", "hush", counts=(9, count, 9))
    assert hunt.legal() == ["play alibi B", "play alibi G", "play alibi R", "play hush"]
    hunt.play("play alibi B")
    assert hunt.state.counts == (9, after, 9)
    assert hunt.state.view(None).alibi_witches == (2,)


def test_hush_does_nothing() -> None:
    hunt = Hunt("hush R1", "hush", "hush", counts=(9, 9, 9))
    hunt.play("play hush")
    assert hunt.state.counts == (9, 9, 9)
    assert hunt.state.to_act() == (1,)


def test_a_trade_swaps_two_cards_and_only_the_two_learn_which() -> None:
    hunt = Hunt("R1 B1 trade", "R2 hush", "G1 G2")
    hunt.play("play trade 1")
    assert hunt.state.to_act() == (0, 1)
    assert (hunt.state.view(2).turn, hunt.state.view(2).partner, hunt.state.view(2).phase) == (0, 1, Phase.TRADE)
    hunt.table.news.clear()
    hunt.play("give B1", "give hush")
    b1, hush = cards("B1 hush")
    assert hunt.table.news == [
        Entry(CardsSwapped(0, 1)),
        Entry(SwapSeen(b1, hush), reader=0),
        Entry(SwapSeen(hush, b1), reader=1),
    ]
    assert [hunt.hand(seat) for seat in range(3)] == ["R1 hush", "R2 B1", "G1 G2"]
    views = [hunt.state.view(seat) for seat in range(3)]
    assert [(view.given_cards, view.received_cards) for view in views] == [((b1,), (hush,)), ((hush,), (b1,)), ((), ())]
    assert (views[2].swap_places, views[2].swap_partners, views[2].partner) == ((0,), (1,), None)
    assert hunt.state.to_act() == (1,)


def test_a_plain_trade_passes_the_turn() -> None:
    hunt = Hunt("trade", "R1", "B2")
    hunt.play("play trade")
    assert hunt.state.to_act() == (1,)
    assert hunt.state.view(None).swap_places == ()


def test_the_actor_of_a_trade_draws_after_the_swap() -> None:
    hunt = Hunt("trade R1 R2", "B1 B2 hush", "G1 G2 hush", pile="alibi", options=Options(draw3=True))
    hunt.play("play trade 2")
    assert hunt.told(CardDrawn) == []
    hunt.play("give R1", "give hush")
    assert hunt.told(CardDrawn) == [CardDrawn(0, 0)]
    assert [hunt.hand(seat) for seat in range(3)] == ["R2 alibi hush", "B1 B2 hush", "R1 G1 G2"]


def test_seats_without_cards_are_left_out() -> None:
    hunt = Hunt("hush hush", "", "")
    hunt.play("play hush")
    assert hunt.state.to_act() == (0,)


def test_a_card_that_ends_the_game_is_not_replaced() -> None:
    hunt = Hunt("R3 R1 hush", "B1 B2 hush", "G1 G2 hush", counts=(18, 0, 0), pile="G5", options=Options(draw3=True))
    hunt.play("play R3")
    assert hunt.state.view(None).hand_sizes == (2, 3, 3)
    assert hunt.told(CardDrawn) == []


def test_drawing_first_starts_with_the_very_first_turn_and_nobody_draws_after_playing() -> None:
    deck = texts(DEFAULT_DECK).split()
    options = Options(blind=True, draw3=True, draw_timing=DrawTiming.BEFORE_OWN_PLAY, start_seat=1)
    state, table = dealt(options, 3, ("shuffle", ["R", "B", "G"]), ("shuffle", deck))
    assert state.view(None).hand_sizes == (3, 4, 3)
    assert state.view(1).dealt_cards == cards(" ".join([*deck[3:6], deck[9]]))
    state = state.play({1: state.legal(1)[0]}, table)
    assert state.view(None).hand_sizes == (3, 3, 4)


def test_drawing_first_a_seat_without_cards_is_not_left_out_while_the_pile_lasts() -> None:
    options = Options(draw3=True, draw_timing=DrawTiming.BEFORE_OWN_PLAY)
    hunt = Hunt("hush", "", "", pile="R1", options=options)
    hunt.play("play hush")
    assert hunt.state.to_act() == (1,)
    assert hunt.hand(1) == "R1"


def test_draw_timing_means_nothing_without_draw3() -> None:
    first, plain = Options(draw_timing=DrawTiming.BEFORE_OWN_PLAY), Options()
    games = [list(play(GAME, options, 4, luck("timing"), at_random("timing"))) for options in (first, plain)]
    assert [step.told for step in games[0]] == [step.told for step in games[1]]
    assert [step.state.view(0) for step in games[0]] == [step.state.view(0) for step in games[1]]


# --- Verdicts ---


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


# --- What is told ---


@VARIANTS
@SEATS
def test_a_seat_can_account_for_its_hand_from_its_view_alone(variant: str, seats: int) -> None:
    for step in play(GAME, GAME.variants[variant], seats, luck("account"), at_random("account")):
        for seat in range(seats):
            view: Observation = step.state.view(seat)
            hand = Counter(view.dealt_cards) + Counter(view.received_cards)
            hand.subtract(view.given_cards)
            hand.subtract([card for card, by in zip(view.played_cards, view.played_by, strict=True) if by == seat])
            assert sorted(hand.elements()) == list(view.hand)
            assert min(hand.values(), default=0) >= 0


@VARIANTS
@SEATS
def test_counts_follow_from_the_cards_played(variant: str, seats: int) -> None:
    options = GAME.variants[variant]
    for step in play(GAME, options, seats, luck("counts"), at_random("counts")):
        view: Observation = step.state.view(None)
        counts, alibis = [options.start_count] * 3, iter(view.alibi_witches)
        for text in map(CARDS.text, view.played_cards):
            if text == "alibi":
                witch = next(alibis) - 1
                counts[witch] = max(0, counts[witch] - 2)
            elif text[0] in "RBG":
                counts["RBG".index(text[0])] += int(text[1])
        assert tuple(counts) == view.counts


@SEATS
def test_in_the_blind_game_no_message_before_the_end_names_another_faction(seats: int) -> None:
    *course, _ = play(GAME, Options(blind=True), seats, luck("blind"), at_random("blind"))
    for step in course:
        for seat in range(seats):
            assert step.state.view(seat).factions == ()
            joined = [event.seat for event in step.told[seat] if isinstance(event, FactionJoined)]
            assert set(joined) <= {seat}


def test_a_spectator_sees_no_card_that_is_not_played_before_the_end() -> None:
    *course, last = play(GAME, Options(draw3=True), 4, luck("spectator"), at_random("spectator"))
    for step in course:
        view: Observation = step.state.view(None)
        assert (view.seat, view.faction, view.hand, view.dealt_cards) == (None, None, (), ())
        assert (view.given_cards, view.received_cards, view.last_hands) == ((), (), ())
    assert last.state.view(None).last_hands != ()


# --- Legal lists and verdicts against a second, plain reading of the rules ---


def games(count: int) -> Iterator[tuple[Options, int, list[Step]]]:
    """Random games of every variant and number of seats."""
    for variant, options in GAME.variants.items():
        for seats in GAME.seats:
            for i in range(count):
                name = f"{variant} {seats} {i}"
                yield options, seats, list(play(GAME, options, seats, luck(name), at_random(name)))


def expected(view: Observation, seats: int) -> set[str]:
    """The legal actions of the viewing seat, from its view alone, straight from the rules' words."""
    if view.phase is Phase.CHOOSE:
        copies = 1 if seats == 3 else 2
        return {f"choose {text}" for i, text in enumerate("RBG", 1) if view.factions.count(i) < copies}
    hand = texts(view.hand).split()
    if view.phase is Phase.TRADE:
        return {f"give {text}" for text in hand}
    plain = {f"play {text}" for text in hand if text not in ("alibi", "trade")}
    alibis = {f"play alibi {witch}" for witch in "RBG" if "alibi" in hand}
    partners = [seat for seat, size in enumerate(view.hand_sizes) if size and seat != view.seat]
    trades = {f"play trade {seat}" for seat in partners} if len(hand) > 1 and partners else {"play trade"}
    return plain | alibis | (trades if "trade" in hand else set())


def test_legal_lists_are_complete() -> None:
    for _, seats, steps in games(3):
        for step in steps:
            for seat in step.actions:
                found = [action_text(action) for action in step.state.legal(seat)]
                assert found == sorted(expected(step.state.view(seat), seats))


def winners_by_the_words(options: Options, view: Observation) -> set[int]:
    """Who has won, read off the last view alone."""
    seats = len(view.hand_sizes)
    faction = {(view.start_seat + i) % seats: "-RBG"[witch] for i, witch in enumerate(view.factions)}
    count = dict(zip("RBG", view.counts, strict=True))
    left = texts(view.last_hands).split()
    hands = {}
    for seat, size in enumerate(view.hand_sizes):
        hands[seat], left = left[:size], left[size:]
    finisher, card = view.played_by[-1], CARDS.text(view.played_cards[-1])
    hunted = [witch for witch in "RBG" if count[witch] >= 21]
    loses = {seat for seat in faction if any(text.endswith("5") for text in hands[seat])}
    own, value = [faction[finisher]] == hunted, int(card[1]) if card[1].isdigit() else 0
    if own and value <= 3 and (count[hunted[0]] == 21 or options.own_overshoot_low_card.name == "HIGHEST_COUNT_WINS"):
        favoured = set(hunted)
    else:
        compared = [witch for witch in "RBG" if witch not in hunted]
        if not options.neutral_witch_spoils:
            compared = [witch for witch in compared if witch in faction.values()]
        favoured = {witch for witch in compared if count[witch] == max(count[other] for other in compared)}
        if len(favoured & set(faction.values())) >= 2:
            loses.add(finisher)
    return {seat for seat in faction if faction[seat] in favoured} - loses


def test_verdicts_are_those_of_the_rules_words() -> None:
    numbers: Counter[int] = Counter()
    for options, seats, steps in games(12):
        outcome = steps[-1].state.outcome()
        assert outcome is not None
        winners = winners_by_the_words(options, steps[-1].state.view(None))
        assert outcome == Outcome.by_score([int(seat in winners) for seat in range(seats)])
        numbers[len(winners)] += 1
    assert set(numbers) >= {0, 1, 2}


def test_every_other_action_is_refused_and_no_legal_one_is() -> None:
    numbers = (0, *KINDS, 19, 99)
    actions: list[Action] = [*map(Choose, (0, 1, 2, 3, 4)), *map(Give, numbers)]
    actions += [Play(card, witch, partner) for card in numbers for witch in (None, 0, 2) for partner in (None, 0, 3, 9)]
    for _, seats, steps in games(1):
        for step in steps[::4]:
            for seat in range(seats):
                legal = step.state.legal(seat)
                for action in actions:
                    if action in legal:
                        with pytest.raises(ValueError, match="breaks no rule"):
                            step.state.broken_rule(seat, action)
                    else:
                        assert step.state.broken_rule(seat, action)[0] == "W"


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


def test_the_start_is_told_first() -> None:
    first = next(play(GAME, Options(start_seat=2), 3, luck("first"), at_random("first")))
    assert first.told[None] == (GameBegan(2),)


def test_decks_with_other_strategy_cards_are_told_card_by_card() -> None:
    assert Options(strategy=Strategy(alibi=1, trade=0, hush=0)).deck == (*DEFAULT_DECK[:30], CARDS.parse("alibi"))
