"""Playing whole games in tests: every position, and what every viewer was told on the way to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest

from croupier_server.games import GAMES
from croupier_server.rules import AnyGame, AnyState, Chance, KeyedChance, Seat, Table, seats_for

ALL_PUBLIC = frozenset({"midnight"})  # games in which nothing is hidden from anybody

Viewer: TypeAlias = Seat | None  # None is a spectator
Told: TypeAlias = Mapping[Viewer, tuple[Any, ...]]
Choose: TypeAlias = Callable[[int, Seat, Sequence[Any]], Any]  # step from 0, seat, its legal actions -> one of them


@dataclass(frozen=True)
class Step:
    """A position, the news since the last one by viewer, and what is now played (nothing at the end)."""

    state: AnyState
    told: Told
    actions: Mapping[Seat, Any]


def viewers(seats: int) -> tuple[Viewer, ...]:
    """Everybody who may look: spectators, then the seats."""
    return (None, *range(seats))


def every_case() -> list[Any]:
    """Parameters (game, variant, seats) for every game, variant and number of seats that fit each other."""
    return [
        pytest.param(game, variant, seats, id=f"{game.id}-{variant}-{seats}")
        for game in GAMES.values()
        for variant, options in game.variants.items()
        for seats in seats_for(game, options)
    ]


def cases(*, all_public: bool) -> list[Any]:
    """Those of games in which nothing is hidden, or those of all other games."""
    return [case for case in every_case() if (case.values[0].id in ALL_PUBLIC) == all_public]


def luck(name: str) -> KeyedChance:
    """Luck of that name, the same in every run."""
    return KeyedChance(name.encode())


def at_random(name: str) -> Choose:
    """Chooses uniformly among the legal actions."""
    source = luck(name)
    return lambda _step, _seat, legal: legal[source.below("choice", len(legal))]


def as_played(steps: Sequence[Step], otherwise: Choose, but: tuple[int, Seat] | None = None) -> Choose:
    """Repeats the choices of an earlier game where they are legal, but for one of a step and seat."""

    def choose(step: int, seat: Seat, legal: Sequence[Any]) -> Any:
        earlier = steps[step].actions.get(seat) if step < len(steps) else None
        return earlier if earlier in legal and (step, seat) != but else otherwise(step, seat, legal)

    return choose


def play(game: AnyGame, options: Any, seats: int, chance: Chance, choose: Choose) -> Iterator[Step]:
    """Plays one game to its end; the last step has no actions."""
    table: Table[Any] = Table(chance)
    state = game.deal(options, seats, table)
    number = 0
    while True:
        told = {
            viewer: tuple([entry.event for entry in table.news if entry.reader in (None, viewer)])
            for viewer in viewers(seats)
        }
        table.news.clear()
        actions = {seat: choose(number, seat, state.legal(seat)) for seat in state.to_act()}
        yield Step(state, told, actions)
        if not actions:
            return
        state = state.play(actions, table)
        number += 1


def some_actions(game: AnyGame, options: Any, seats: int, count: int) -> list[Any]:
    """At most `count` different actions of each kind that are legal somewhere, spread over the order of their texts."""
    found: dict[type[Any], dict[str, Any]] = {kind: {} for kind in game.actions}
    for i in range(5):
        for step in play(game, options, seats, luck(f"pool {i}"), at_random(f"pool {i}")):
            for seat in step.actions:
                for action in step.state.legal(seat):
                    found[type(action)][game.action_text(action)] = action
    some: list[Any] = []
    for actions in found.values():
        texts = sorted(actions)
        places = range(len(texts)) if len(texts) <= count else [i * len(texts) // count for i in range(count)]
        some += [actions[texts[place]] for place in places]
    return some
