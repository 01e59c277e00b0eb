"""Legal lists and tricks of The Church vs Martin Luther against a second, plain reading of its rules."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from tests.rules.parish import indulging
from tests.support.worlds import Step, at_random, luck, play

from croupier_server.games.luther import DECKS, GAME
from croupier_server.games.luther_words import (
    CARDS,
    INDULGENCES,
    Abstain,
    Action,
    DiscardIndulgence,
    IndulgenceTaker,
    Observation,
    Options,
    Phase,
    Play,
    TakeIndulgence,
    UseIndulgence,
    action_text,
)

STRONGEST_RED = Options(indulgence_taker=IndulgenceTaker.STRONGEST_RED)
OTHERWISE = Options(indulgence_taker=IndulgenceTaker.STRONGEST_RED, ace_value=14, run_min=1, run_wrap=True)

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
