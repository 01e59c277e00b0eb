"""Random games of every game, variant and number of seats: what must hold at every step, whatever the game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.rules.invariants import INVARIANTS
from tests.support.worlds import as_played, at_random, every_case, luck, play, some_actions, viewers

from croupier_server.rules import AnyGame, NumberDraw, RecordedChance, Recorder, Table

PLAYOUTS = 12
RULES = Path(__file__).resolve().parents[2] / "docs" / "rules"

pytestmark = pytest.mark.parametrize(("game", "variant", "seats"), every_case())


def test_playouts_end_with_an_outcome_exactly_when_nobody_is_asked(game: AnyGame, variant: str, seats: int) -> None:
    for i in range(PLAYOUTS):
        steps = list(play(game, game.variants[variant], seats, luck(f"end {i}"), at_random(f"end {i}")))
        for step in steps:
            asked = step.state.to_act()
            assert (step.state.outcome() is None) == bool(asked)
            assert list(asked) == sorted(set(asked))
            assert set(asked) <= set(range(seats))
            assert len(asked) <= 1 or game.simultaneous
        outcome = steps[-1].state.outcome()
        assert outcome is not None
        assert len(outcome.scores) == len(outcome.places) == seats
        assert sorted(outcome.places)[0] == 1
        assert all(place == 1 + sum(other < place for other in outcome.places) for place in outcome.places)


def test_lists_of_actions_are_in_ascii_order_without_duplicates(game: AnyGame, variant: str, seats: int) -> None:
    for i in range(PLAYOUTS):
        for step in play(game, game.variants[variant], seats, luck(f"list {i}"), at_random(f"list {i}")):
            for seat in range(seats):
                texts = [game.action_text(action) for action in step.state.legal(seat)]
                assert bool(texts) == (seat in step.state.to_act())
                assert texts == sorted(set(texts))
                assert "".join(texts).isascii()


def test_notation_goes_both_ways(game: AnyGame, variant: str, seats: int) -> None:
    for step in play(game, game.variants[variant], seats, luck("notation"), at_random("notation")):
        for seat in step.actions:
            for action in step.state.legal(seat):
                assert type(action) in game.actions
                assert game.parse_action(game.action_text(action)) == action


def test_what_is_not_legal_is_refused_with_a_rule_of_the_page(game: AnyGame, variant: str, seats: int) -> None:
    page = (RULES / f"{game.id}.md").read_text()
    pool = some_actions(game, game.variants[variant], seats, 40)
    refused = 0
    for step in play(game, game.variants[variant], seats, luck("refusal"), at_random("refusal")):
        before = repr(step.state)
        for seat in range(seats):
            legal = step.state.legal(seat)
            for action in pool:
                if action not in legal:
                    rule = re.fullmatch(r"([A-Z]+\d+): .+", step.state.broken_rule(seat, action))
                    assert rule is not None
                    assert f"**{rule[1]} " in page
                    refused += 1
        assert repr(step.state) == before
    assert refused > 100


def test_every_legal_action_is_accepted_and_leaves_the_position_as_it_was(
    game: AnyGame, variant: str, seats: int
) -> None:
    for step in play(game, game.variants[variant], seats, luck("accept"), at_random("accept")):
        before = repr(step.state)
        for seat in step.actions:
            for action in step.state.legal(seat):
                after = step.state.play({**step.actions, seat: action}, Table(luck("after")))
                assert bool(after.to_act()) == (after.outcome() is None)
        assert repr(step.state) == before


def test_invariants_hold(game: AnyGame, variant: str, seats: int) -> None:
    for i in range(PLAYOUTS):
        for step in play(game, game.variants[variant], seats, luck(f"true {i}"), at_random(f"true {i}")):
            INVARIANTS[game.id](step.state)


def test_views_and_news_are_of_the_declared_types(game: AnyGame, variant: str, seats: int) -> None:
    for step in play(game, game.variants[variant], seats, luck("types"), at_random("types")):
        for viewer in viewers(seats):
            assert type(step.state.view(viewer)) is game.observation
            assert {type(event) for event in step.told[viewer]} <= set(game.events)
            assert set(step.told[None]) <= set(step.told[viewer]), "what spectators are told is told to all"


def test_equal_luck_and_choices_give_equal_games(game: AnyGame, variant: str, seats: int) -> None:
    first, second = (
        list(play(game, game.variants[variant], seats, luck("twice"), at_random("twice"))) for _ in range(2)
    )
    assert first == second


def test_a_game_replayed_from_its_draws_is_equal(game: AnyGame, variant: str, seats: int) -> None:
    recorder = Recorder(luck("replay"))
    first = list(play(game, game.variants[variant], seats, recorder, at_random("replay")))
    recorded = RecordedChance(recorder.draws)
    again = list(play(game, game.variants[variant], seats, recorded, as_played(first, at_random("unused"))))
    assert again == first
    assert recorded.left == 0


def test_labels_of_luck_are_on_the_page_of_the_rules(game: AnyGame, variant: str, seats: int) -> None:
    recorder = Recorder(luck("labels"))
    list(play(game, game.variants[variant], seats, recorder, at_random("labels")))
    page = (RULES / f"{game.id}.md").read_text()
    for draw in recorder.draws:
        assert draw.label.isascii()
        assert f"`{draw.label.split()[0]}" in page
        assert not isinstance(draw, NumberDraw) or draw.bound > 0
