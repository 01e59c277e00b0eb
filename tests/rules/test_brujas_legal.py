"""Legal lists and winners of Brujas del Sabado against a second, plain reading of its rules."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.support.worlds import Step, at_random, luck, play

from croupier_server.games.brujas import (
    CARDS,
    GAME,
    KINDS,
    Direction,
    MoveWitch,
    Observation,
    Options,
    Phase,
    Play,
    Rule,
    Take,
    action_text,
)


def alike(text: str, led: str) -> tuple[bool, bool]:
    """Whether two cards share colour, and number."""
    return text[0] == led[0], text[1] == led[1]


def rule_of(texts: list[str]) -> str:
    """What the cards of a trick have made of its rule."""
    for text in texts[1:]:
        colour, number = alike(text, texts[0])
        if colour != number:
            return "colour" if colour else "number"
    return "undecided"


def fits(text: str, led: str, rule: str) -> bool:
    """Whether a card shares with the led one what the rule wants."""
    colour, number = alike(text, led)
    return {"colour": colour, "number": number, "undecided": colour or number}[rule]


def expected(view: Observation) -> set[str]:
    """The legal actions of the viewing seat, from its view alone, straight from the rules' words."""
    table = [CARDS.text(card) for card in view.table]
    if view.phase is Phase.DRAFT:
        return {f"take {text}" for text in table}
    if view.phase is Phase.MOVE_WITCH:
        slot = view.track.index("-RBYG".index(table[winner_of(table, view.track)][0]))
        return {f"move {way}" for way, blocked in (("up", 0), ("down", 3)) if slot != blocked}
    hand = [CARDS.text(card) for card in view.hand]
    fitting = [text for text in hand if table and fits(text, table[0], rule_of(table))]
    return {f"play {text}" for text in fitting or hand}


def winner_of(texts: list[str], track: tuple[int, ...]) -> int:
    """The place in a complete trick of the card that wins, by the rules' words."""
    rule = rule_of(texts)
    able = [
        i for i, text in enumerate(texts) if (text == texts[0] if rule == "undecided" else fits(text, texts[0], rule))
    ]
    if rule == "colour":
        best = max(texts[i][1] for i in able)
        able = [i for i in able if texts[i][1] == best]
    if rule == "number":
        top = min(track.index("-RBYG".index(texts[i][0])) for i in able)
        able = [i for i in able if track.index("-RBYG".index(texts[i][0])) == top]
    return able[-1]


def positions() -> list[Step]:
    """Every position of some random games."""
    return [
        step
        for i in range(24)
        for step in play(GAME, Options(), 3 + i % 3, luck(f"legal {i}"), at_random(f"legal {i}"))
    ]


def test_legal_lists_are_complete() -> None:
    for step in positions():
        for seat in step.actions:
            texts = [action_text(action) for action in step.state.legal(seat)]
            assert texts == sorted(expected(step.state.view(seat)))


def test_tricks_are_won_by_the_rules_words() -> None:
    rules: Counter[Rule] = Counter()
    for step in positions():
        if step.state.to_act() and (view := step.state.view(None)).phase is Phase.MOVE_WITCH:
            texts = [CARDS.text(card) for card in view.table]
            seats = len(view.hand_sizes)
            leader = view.played_by[-seats]
            assert view.turn == view.trick_winners[-1] == (leader + winner_of(texts, view.track)) % seats
            assert view.rule.name.lower() == rule_of(texts)
            rules[view.rule] += 1
    assert set(rules) == set(Rule)


def test_every_other_action_is_refused_and_no_legal_one_is() -> None:
    numbers = (0, *KINDS, 21, 99)
    actions = [*map(Play, numbers), *map(Take, numbers), *map(MoveWitch, Direction)]
    for step in positions()[::3]:
        for seat in range(len(step.state.view(None).hand_sizes)):
            legal = step.state.legal(seat)
            for action in actions:
                if action in legal:
                    with pytest.raises(ValueError, match="breaks no rule"):
                        step.state.broken_rule(seat, action)
                else:
                    assert step.state.broken_rule(seat, action)[0] == "S"
