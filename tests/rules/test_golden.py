"""A whole game of every variant as text: the luck, what is told, what every viewer sees, what is played.

A change of these files is a change of what bots and people are told; `pytest --update-golden` rewrites them.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.support.worlds import Told, Viewer, at_random, luck, play, viewers

from croupier_server.games import GAMES
from croupier_server.match.playthrough import event_text, value_text
from croupier_server.rules import AnyGame, Draw, Recorder, ShuffleDraw, options_values, seats_for


def one_case_a_variant() -> list[Any]:
    """Parameters (game, variant, seats): the variants of a game go through its numbers of seats in turn."""
    return [
        pytest.param(game, variant, counts[i % len(counts)], id=f"{game.id}-{variant}")
        for game in GAMES.values()
        for i, (variant, options) in enumerate(game.variants.items())
        for counts in [seats_for(game, options)]
    ]


@pytest.mark.parametrize(("game", "variant", "seats"), one_case_a_variant())
def test_a_game_of_every_variant_reads_as_before(
    game: AnyGame, variant: str, seats: int, golden: Callable[[str, str], None]
) -> None:
    name = f"{game.id}-{variant}-{seats}"
    golden(f"rules/{name}.txt", "\n".join(_playthrough(game, variant, seats, name)) + "\n")


def _playthrough(game: AnyGame, variant: str, seats: int, name: str) -> Iterator[str]:
    recorder = Recorder(luck(name))
    drawn = 0
    shown: dict[Viewer, dict[str, str]] = {viewer: {} for viewer in viewers(seats)}
    options = game.variants[variant]
    yield f"{game.title}, {seats} seats"
    yield from (f"{key}: {value}" for key, value in options_values(options).items())
    for number, step in enumerate(play(game, options, seats, recorder, at_random(name)), 1):
        yield f"\n== step {number}"
        yield from map(_draw, recorder.draws[drawn:])
        drawn = len(recorder.draws)
        public = _fields(step.state.view(None))
        for viewer in viewers(seats):
            who = "all" if viewer is None else f"seat {viewer}"
            yield from (f"to {who}: {event_text(event)}" for event in _news(step.told, viewer))
        for viewer in viewers(seats):
            fields = _fields(step.state.view(viewer))
            if viewer is not None:  # what a seat sees like all is not written again
                fields = {key: text for key, text in fields.items() if text != public[key]}
            changes = [_change(key, shown[viewer].get(key), text) for key, text in fields.items()]
            changes += [f"{key} as all" for key in shown[viewer] if key not in fields]
            who = "all see" if viewer is None else f"seat {viewer} sees"
            yield f"{who}: {', '.join(filter(None, changes)) or 'nothing new'}"
            shown[viewer] = fields
        for seat, action in step.actions.items():
            legal = step.state.legal(seat)
            yield f"seat {seat}: {game.action_text(action)} (number {legal.index(action) + 1} of {len(legal)})"
        if outcome := step.state.outcome():
            yield f"\nscores {outcome.scores}, places {outcome.places}"


def _draw(draw: Draw) -> str:
    if isinstance(draw, ShuffleDraw):
        return f"luck, {draw.label}: order {' '.join(map(str, draw.order))}"
    return f"luck, {draw.label}: {draw.value} of {draw.bound}"


def _news(told: Told, viewer: Viewer) -> list[Any]:
    """What is told to all, or to one seat beyond that."""
    return [event for event in told[viewer] if viewer is None or event not in told[None]]


def _fields(view: Any) -> dict[str, str]:
    """A view as texts."""
    hints = typing.get_type_hints(type(view), include_extras=True)
    return {field.name: value_text(getattr(view, field.name), hints[field.name]) for field in dataclasses.fields(view)}


def _change(key: str, old: str | None, new: str) -> str:
    """What is new in a field; of a list that grew only what came."""
    if old == new:
        return ""
    grew = old is not None and old != "[]" and old.endswith("]") and new.startswith(old[:-1] + " ")
    return f"{key} + {new[len(old) : -1]}" if grew and old else f"{key} {new}"
