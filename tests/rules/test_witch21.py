"""The 21-count witch hunt beyond its worked examples: the deal, its turns, and what is told."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.rules.hunt import Hunt, cards, dealt, texts
from tests.support.worlds import at_random, luck, play

from croupier_server.games.witch21 import GAME
from croupier_server.games.witch21_words import (
    CARDS,
    DEFAULT_DECK,
    WITCHES,
    CardDrawn,
    CardPlayed,
    CardsDealt,
    CardsSwapped,
    Choose,
    DrawTiming,
    FactionJoined,
    GameBegan,
    Observation,
    Options,
    Phase,
    SwapSeen,
    action_text,
    parse_action,
)
from croupier_server.rules import Entry, Recorder

SEATS = pytest.mark.parametrize("seats", GAME.seats)
VARIANTS = pytest.mark.parametrize("variant", GAME.variants)


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


def test_the_start_is_told_first() -> None:
    first = next(play(GAME, Options(start_seat=2), 3, luck("first"), at_random("first")))
    assert first.told[None] == (GameBegan(2),)


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
