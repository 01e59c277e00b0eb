"""The Church vs Martin Luther beyond its worked examples: the deal, legal lists, sets, refusals, notation, views."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from tests.rules.parish import Parish, cards, indulgences, indulging, owned, scored, won
from tests.support.worlds import Step, at_random, luck, play

from croupier_server.games.luther import DECKS, GAME
from croupier_server.games.luther_words import (
    CARDS,
    INDULGENCES,
    Abstain,
    Abstained,
    Action,
    CardPlayed,
    DiscardIndulgence,
    HandDealt,
    IndulgenceChosen,
    IndulgenceOpened,
    IndulgenceTaker,
    IndulgenceUsed,
    Observation,
    Options,
    Phase,
    Play,
    SetBegan,
    SetLeader,
    SetScored,
    TakeIndulgence,
    UseIndulgence,
    action_text,
    check,
    parse_action,
)
from croupier_server.rules import (
    Entry,
    NumberDraw,
    OptionsError,
    Outcome,
    Recorder,
    ScriptedChance,
    Table,
    options_values,
    read_options,
)

SEATS = pytest.mark.parametrize("seats", GAME.seats)
STRONGEST_RED = Options(indulgence_taker=IndulgenceTaker.STRONGEST_RED)
OTHERWISE = Options(indulgence_taker=IndulgenceTaker.STRONGEST_RED, ace_value=14, run_min=1, run_wrap=True)


# --- The deal and its options ---


@SEATS
def test_hands_are_blocks_of_the_deck_and_the_first_three_indulgences_are_open(seats: int) -> None:
    deck = [CARDS.text(card) for card in DECKS[seats][::-1]]
    names = list(INDULGENCES.texts[::-1])
    table: Table[Any] = Table(ScriptedChance([("below", 2), ("shuffle", deck), ("shuffle", names)], GAME.item_text))
    state = GAME.deal(Options(), seats, table)
    blocks = [deck[10 * seat : 10 * (seat + 1)] for seat in range(seats)]
    for seat, block in enumerate(blocks):
        assert state.view(seat).hand == tuple(sorted(map(CARDS.parse, block)))
    assert table.news[0] == Entry(SetBegan(set_number=1, leader=2, display=indulgences("sum14 pairs sum10")))
    assert [entry.reader for entry in table.news[1:]] == list(range(seats))
    assert (state.to_act(), state.view(None).pile_size) == ((2,), 10)


@pytest.mark.parametrize(("seats", "size", "last"), [(3, 32, "C8"), (4, 40, "C10"), (5, 52, "CK")])
def test_decks_are_in_canonical_order(seats: int, size: int, last: str) -> None:
    texts = [CARDS.text(card) for card in DECKS[seats]]
    assert (len(texts), texts[0], texts[-1]) == (size, "SA", last)
    assert [text[0] for text in texts] == [suit for suit in "SHDC" for _ in range(size // 4)]
    assert texts[: size // 4] == [f"S{rank}" for rank in ("A", *range(2, 11), "J", "Q", "K")][: size // 4]


def test_luck_decides_once_who_starts_unless_an_option_does() -> None:
    sets = [f"{what} {number}" for number in (1, 2, 3) for what in ("deal", "indulgences")]
    for start_seat, labels in ((None, ["start", *sets]), (1, sets)):
        chance = Recorder(luck("start"))
        first, *_ = play(GAME, Options(sets=3, start_seat=start_seat), 3, chance, at_random("start"))
        assert [draw.label for draw in chance.draws] == labels
        draw = chance.draws[0]
        if isinstance(draw, NumberDraw):
            assert (draw.bound, (draw.value,)) == (3, first.state.to_act())
        else:
            assert first.state.to_act() == (1,)


def test_every_option_is_read() -> None:
    values = {
        "sets": 5,
        "indulgence_taker": "strongest_red",
        "ace_value": 14,
        "run_min": 5,
        "run_wrap": True,
        "used_indulgence_costs": False,
        "set_leader": "last_winner",
        "start_seat": 4,
    }
    options = read_options(GAME, values, 5)
    assert options == Options(5, IndulgenceTaker.STRONGEST_RED, 14, 5, True, False, SetLeader.LAST_WINNER, 4)
    assert options_values(options) == values


@pytest.mark.parametrize(
    ("values", "key", "message"),
    [
        ({"sets": 2}, "sets", "luther: sets = 2 is not possible; expected 1 or 4"),
        ({"sets": 5}, "sets", "luther: sets = 5 is not possible; expected 1 or 4"),
        ({"sets": 0}, "sets", "luther: sets = 0 is not possible; expected 1 or 4"),
        ({"ace_value": 11}, "ace_value", "luther: ace_value = 11 is not possible; expected 1 or 14"),
        ({"run_min": 0}, "run_min", "luther: run_min = 0 is not possible; expected 1 to 5"),
        ({"run_min": 6}, "run_min", "luther: run_min = 6 is not possible; expected 1 to 5"),
        ({"start_seat": 4}, "start_seat", "luther: start_seat = 4 is not possible; expected 0 to 3"),
        ({"start_seat": -1}, "start_seat", "luther: start_seat = -1 is not possible; expected 0 to 3"),
        ({"run_wrap": 1}, "run_wrap", "luther: run_wrap = 1 is not possible; expected true or false"),
        ({"sets": True}, "sets", "luther: sets = True is not possible; expected a whole number"),
        ({"set": 4}, "set", "luther has no option 'set'; did you mean 'sets'?"),
        (
            {"indulgence_taker": "winner"},
            "indulgence_taker",
            "luther: indulgence_taker = 'winner' is not possible; there are: strongest_red, table",
        ),
        (
            {"set_leader": "rotated"},
            "set_leader",
            "luther: set_leader = 'rotated' is not possible; did you mean 'rotate'?",
        ),
    ],
)
def test_unknown_and_unfit_options_are_errors(values: dict[str, Any], key: str, message: str) -> None:
    with pytest.raises(OptionsError) as error:
        read_options(GAME, values, 4)
    assert (error.value.key, str(error.value)) == (key, message)


@pytest.mark.parametrize("seats", [2, 6])
def test_a_number_of_seats_that_the_game_is_not_for_is_an_error(seats: int) -> None:
    with pytest.raises(OptionsError, match=f"luther is for 3 or 4 or 5 players, not for {seats}"):
        read_options(GAME, {}, seats)


def test_options_made_without_reading_are_checked_too() -> None:
    with pytest.raises(OptionsError, match="sets = 3 is not possible"):
        check(Options(sets=3), 5)


# --- Rounds and sets ---


def test_a_trick_is_captured_and_the_taker_is_asked_for_an_open_indulgence() -> None:
    parish = Parish("D10 HA", "DK HQ", "S2 HJ", "H3 H2")
    parish.trick("D10 DK S2 H3")
    assert parish.state.to_act() == (1,)
    assert parish.legal == [
        "discard nonprime",
        "discard prime",
        "discard spade",
        "take nonprime",
        "take prime",
        "take spade",
    ]
    view = parish.state.view(None)
    assert (view.money, view.sins, view.sin_counts) == ((0, 0, 3, 0), cards("S2"), (0, 0, 1, 0))


def test_what_was_just_taken_can_be_used_at_once() -> None:
    parish = Parish("S2 HA", "S7 HQ", "S5 HJ")
    parish.trick("S2 S7 S5")
    parish.play("take prime")
    assert (parish.state.phase, parish.state.to_act()) == (Phase.INDULGE, (1,))
    assert parish.legal[:3] == ["pass", "use prime S2", "use prime S2 S5"]
    parish.play("use prime S2 S5 S7")
    view = parish.state.view(None)
    assert (view.sins, view.used_counts, view.unused, view.phase) == ((), (0, 1, 0), (), Phase.PLAY)
    assert (view.used_by, view.used_indulgences, view.used_in_rounds) == ((1,), indulgences("prime"), (9,))
    assert (view.covered_counts, view.covered_cards) == ((3,), cards("S2 S5 S7"))


def test_a_seat_uses_one_indulgence_a_round_and_what_is_covered_no_second_time() -> None:
    has = owned((0, "S2 S3 C2", "prime spade", 0), (0, "", "", 0), (0, "", "", 0))
    parish = Parish("H2 H3", "H4 H5", "H6 H7", phase=Phase.INDULGE, has=has, display="nonprime prime")
    assert "use spade S2 S3" in parish.legal
    parish.play("use prime S2 S3")
    assert parish.state.phase is Phase.PLAY
    assert parish.state.view(None).unused == indulgences("spade")
    parish.trick("H2 H4 H6")
    parish.play("discard prime")
    assert parish.state.phase is Phase.PLAY  # of seat 0's sins only a club is uncovered, which no spade is


def test_the_pile_is_opened_at_the_end_of_every_round_and_the_winner_leads() -> None:
    parish = Parish("H2 H3", "H4 H5", "H6 H7")
    parish.trick("H2 H4 H6")
    assert len(parish.state.display) == 3
    parish.play("discard spade")
    assert parish.told(IndulgenceOpened) == [IndulgenceOpened(*indulgences("fib"))]
    assert parish.state.display == indulgences("nonprime prime fib")
    assert parish.state.to_act() == (2,)


def test_the_tenth_round_has_its_indulgences_and_its_refill() -> None:
    parish = Parish("S2", "S7", "S5")
    parish.trick("S2 S7 S5")
    parish.play("take prime", "use prime S2")
    assert [type(entry.event).__name__ for entry in parish.table.news[-3:]] == [
        "IndulgenceUsed",
        "IndulgenceOpened",
        "SetScored",
    ]
    assert parish.told(SetScored) == [SetScored(1, (0, 2), (0, -1, 0))]
    assert parish.state.outcome() == Outcome((0, -1, 0), (1, 3, 1))
    assert parish.state.view(None).turn == 1


@pytest.mark.parametrize(
    ("one", "luthers"),
    [
        ((0, "", "", 0), (0,)),
        ((1, "", "", 0), ()),
        ((0, "S2", "", 0), ()),
        ((0, "", "run", 0), ()),
        ((0, "", "", 1), ()),
    ],
)
def test_whoever_owns_anything_is_no_luther(one: tuple[int, str, str, int], luthers: tuple[int, ...]) -> None:
    told, _ = scored(one, (2, "C2", "", 0), (3, "C3", "", 0))
    assert told.luthers == luthers


def test_with_luthers_everywhere_but_one_all_who_have_nothing_share_the_first_place() -> None:
    told, outcome = scored((3, "C2", "", 0), (0, "", "", 0), (0, "", "", 0))
    assert (told.luthers, told.scores) == ((1, 2), (-3, 0, 0))
    assert outcome.places == (3, 1, 1)


@SEATS
@pytest.mark.parametrize("set_leader", SetLeader)
def test_sets_are_led_in_turn_or_by_the_last_winner_and_their_scores_add_up(seats: int, set_leader: SetLeader) -> None:
    steps = list(play(GAME, Options(sets=seats, set_leader=set_leader), seats, luck("sets"), at_random("sets")))
    told = [event for step in steps for event in step.told[None]]
    began = [event for event in told if isinstance(event, SetBegan)]
    scores = [event.scores for event in told if isinstance(event, SetScored)]
    view: Observation = steps[-1].state.view(None)
    first = began[0].leader
    last_winners = [first, *view.trick_winners[9:-1:10]]
    rotated = [(first + number) % seats for number in range(seats)]
    assert [event.set_number for event in began] == [*range(1, seats + 1)]
    assert [event.leader for event in began] == (rotated if set_leader is SetLeader.ROTATE else last_winners)
    outcome = steps[-1].state.outcome()
    assert outcome == Outcome.by_score([sum(column) for column in zip(*scores, strict=True)])
    assert view.set_scores == tuple(score for of_set in scores for score in of_set)
    assert len(view.opened_indulgences) == 13 * seats


# --- What is told ---


@SEATS
def test_hands_are_told_to_their_owners_alone(seats: int) -> None:
    for step in play(GAME, Options(sets=seats), seats, luck("hands"), at_random("hands")):
        dealt = {viewer: [e.cards for e in told if isinstance(e, HandDealt)] for viewer, told in step.told.items()}
        assert dealt[None] == []
        assert step.state.view(None).hand == ()
        if any(dealt.values()):
            assert [dealt[seat] for seat in range(seats)] == [[step.state.view(seat).hand] for seat in range(seats)]


def test_a_seat_that_passes_is_told_to_all() -> None:
    parish = indulging("S2", "prime")
    parish.play("pass")
    assert parish.table.news[0] == Entry(Abstained(0))


@SEATS
def test_the_observation_holds_all_public_news_of_the_match(seats: int) -> None:
    told: list[Any] = []
    for step in play(GAME, Options(sets=seats), seats, luck("all"), at_random("all")):
        told += step.told[None]
        view: Observation = step.state.view(None)
        played = [event for event in told if isinstance(event, CardPlayed)]
        chosen = [event for event in told if isinstance(event, IndulgenceChosen)]
        used = [event for event in told if isinstance(event, IndulgenceUsed)]
        opened = [
            one
            for event in told
            for one in (
                event.display
                if isinstance(event, SetBegan)
                else [event.indulgence]
                if isinstance(event, IndulgenceOpened)
                else []
            )
        ]
        assert list(zip(view.played_by, view.played_cards, strict=True)) == [(e.seat, e.card) for e in played]
        choices = zip(view.takers, view.chosen_indulgences, view.discarded, strict=False)
        assert list(choices) == [(e.seat, e.indulgence, e.discarded) for e in chosen]
        assert list(zip(view.used_by, view.used_indulgences, view.covered_counts, strict=True)) == [
            (e.seat, e.indulgence, len(e.cards)) for e in used
        ]
        assert view.covered_cards == tuple(card for e in used for card in e.cards)
        assert list(view.opened_indulgences) == opened


# --- Legal lists and tricks against a second, plain reading of the rules ---

OTHER_COLOUR = {"S": "D", "D": "S", "C": "H", "H": "C"}
TRICK_ORDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def number(text: str, options: Options) -> int:
    """What a card counts for indulgences."""
    return {"A": options.ace_value, "J": 11, "Q": 12, "K": 13}.get(text[1:]) or int(text[1:])


def paired(numbers: list[int], fits: Any) -> bool:
    """Whether numbers can be put into pairs that fit."""
    if not numbers:
        return True
    first, *rest = numbers
    return any(fits(first, rest[i]) and paired(rest[:i] + rest[i + 1 :], fits) for i in range(len(rest)))


def running(texts: tuple[str, ...], options: Options) -> bool:
    """Whether cards follow one another."""
    numbers = sorted(number(text, options) for text in texts)
    if len(texts) < options.run_min:
        return False
    if numbers == [*range(numbers[0], numbers[0] + len(numbers))]:
        return True
    circle = [rank % 13 for rank in range(26)]
    ranks = {number(text, Options()) % 13 for text in texts}
    pieces = [set(circle[start : start + len(texts)]) for start in range(13)]
    return options.run_wrap and len(ranks) == len(texts) and ranks in pieces


def covers(name: str, texts: tuple[str, ...], options: Options) -> bool:
    """Whether an indulgence covers cards, by the rules' words."""
    numbers = [number(text, options) for text in texts]
    primes = [n for n in range(2, 15) if all(n % d for d in range(2, n))]
    limits = {"run": 5, "sum10": 5, "pairs": 6, "sum14": 6}
    if not 1 <= len(texts) <= limits.get(name, 4):
        return False
    return {
        "spade": all(text[0] == "S" for text in texts),
        "club": all(text[0] == "C" for text in texts),
        "even": all(n % 2 == 0 for n in numbers),
        "odd": all(n % 2 == 1 for n in numbers),
        "prime": all(n in primes for n in numbers),
        "nonprime": all(n not in primes for n in numbers),
        "big": all(n >= 8 for n in numbers),
        "small": all(n <= 7 for n in numbers),
        "fib": all(n in (1, 2, 3, 5, 8, 13) for n in numbers),
        "run": running(texts, options),
        "sum10": sum(numbers) in (10, 20, 30),
        "pairs": paired(numbers, lambda a, b: a == b),
        "sum14": paired(numbers, lambda a, b: a + b == 14),
    }[name]


def strength(text: str, led: str) -> tuple[int, int]:
    """How strong a card is in a trick: its kind, then its rank."""
    kinds = {led[0]: 1, OTHER_COLOUR[led[0]]: 2}
    return kinds.get(text[0], 0), TRICK_ORDER.index(text[1:])


def items_of(view: Observation, items: tuple[int, ...], counts: tuple[int, ...]) -> tuple[int, ...]:
    """The items of the viewing seat in a list that goes seat after seat."""
    assert view.seat is not None
    start = sum(counts[: view.seat])
    return items[start : start + counts[view.seat]]


def expected(view: Observation, options: Options) -> set[str]:
    """The legal actions of the viewing seat, from its view alone, straight from the rules' words."""
    if view.phase is Phase.PLAY:
        hand = [CARDS.text(card) for card in view.hand]
        led = CARDS.text(view.table[0])[0] if view.table else ""
        following = [text for text in hand if led and text[0] in (led, OTHER_COLOUR[led])]
        return {f"play {text}" for text in following or hand}
    if view.phase is Phase.TAKE:
        return {f"{verb} {INDULGENCES.text(one)}" for verb in ("take", "discard") for one in view.display}
    sins = [CARDS.text(card) for card in items_of(view, view.sins, view.sin_counts)]
    return {"pass"} | {
        f"use {name} {' '.join(chosen)}"
        for name in map(INDULGENCES.text, items_of(view, view.unused, view.unused_counts))
        for size in range(1, 7)
        for chosen in combinations(sins, size)
        if covers(name, chosen, options)
    }


def positions(options: Options, games: int) -> list[Step]:
    """Every position of some random games."""
    return [
        step
        for i in range(games)
        for step in play(GAME, options, 3 + i % 3, luck(f"legal {i}"), at_random(f"legal {i}"))
    ]


@pytest.mark.parametrize("options", [Options(), OTHERWISE], ids=["standard", "other"])
def test_legal_lists_are_complete(options: Options) -> None:
    phases: Counter[Phase] = Counter()
    for step in positions(options, 9):
        for seat in step.actions:
            view = step.state.view(seat)
            if view.sin_counts[seat] <= 10:  # the plain reading tries every choice of cards
                texts = [action_text(action) for action in step.state.legal(seat)]
                assert texts == sorted(expected(view, options))
                phases[view.phase] += 1
    assert phases[Phase.INDULGE] > 50


@pytest.mark.parametrize("options", [Options(), OTHERWISE], ids=["standard", "other"])
@pytest.mark.parametrize("name", INDULGENCES.texts)
def test_every_set_of_cards_that_an_indulgence_covers_is_a_use(name: str, options: Options) -> None:
    sins = "SA S2 S3 S7 S8 SJ SQ SK CA C4 C7 C10 CK"
    parish = indulging(sins, name, options)
    texts = [text for size in range(1, 7) for text in combinations(sins.split(), size) if covers(name, text, options)]
    assert parish.legal == ["pass", *sorted(f"use {name} {' '.join(text)}" for text in texts)]


def test_tricks_are_won_and_taken_by_the_rules_words() -> None:
    differing = 0
    for options in (Options(), STRONGEST_RED):
        for step in positions(options, 24):
            view: Observation = step.state.view(None)
            if view.phase is Phase.TAKE:
                seats = len(view.hand_sizes)
                texts = [CARDS.text(card) for card in view.played_cards[-seats:]]
                order = sorted(texts, key=lambda text: strength(text, led=texts[0]))
                reds = [text for text in order if text[0] in "HD"]
                taken = reds[-1] if reds and (texts[0][0] in "HD" or options is STRONGEST_RED) else order[-1]
                winner, taker = ((view.leader + texts.index(text)) % seats for text in (order[-1], taken))
                assert (view.trick_winners[-1], view.takers[-1], view.turn) == (winner, taker, taker)
                differing += winner != taker
    assert differing > 50


def test_the_longest_list_of_all_is_complete_and_in_ascii_order() -> None:
    richest = "spade club even odd prime nonprime big small sum10 sum14"
    sins = " ".join(f"{suit}{rank}" for suit in "SC" for rank in ("A", *range(2, 11), "J", "Q", "K"))
    legal = indulging(sins, richest).legal
    assert len(legal) == 15_775
    assert legal == sorted(set(legal))


def test_every_other_action_is_refused_and_no_legal_one_is() -> None:
    numbers = (0, *DECKS[5], 53, 99)
    names = (0, *range(1, 14), 14)
    actions: list[Action] = [*map(Play, numbers), *map(TakeIndulgence, names), *map(DiscardIndulgence, names)]
    actions += [UseIndulgence(name, (card,)) for name in names for card in numbers]
    actions += [UseIndulgence(1, ()), UseIndulgence(1, (2, 1)), UseIndulgence(4, (1, 3)), Abstain()]
    for step in positions(Options(), 3)[::4]:
        for seat in range(len(step.state.view(None).hand_sizes)):
            legal = step.state.legal(seat)
            for action in actions:
                if action in legal:
                    with pytest.raises(ValueError, match="breaks no rule"):
                        step.state.broken_rule(seat, action)
                else:
                    assert step.state.broken_rule(seat, action)[0] == "L"


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
