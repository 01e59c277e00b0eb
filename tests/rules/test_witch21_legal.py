"""Legal lists and verdicts of the 21-count witch hunt against a second, plain reading of its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from tests.rules.hunt import texts
from tests.support.worlds import Step, at_random, luck, play

from croupier_server.games.witch21 import GAME
from croupier_server.games.witch21_words import (
    CARDS,
    KINDS,
    Action,
    Choose,
    Give,
    Observation,
    Options,
    Phase,
    Play,
    action_text,
)
from croupier_server.rules import Outcome


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
