"""Legal lists of midnight against a second, plain reading of its rules, which walks step by step."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.support.worlds import Step, at_random, luck, play

from croupier_server.games.midnight import GAME
from croupier_server.games.midnight_words import (
    SQUARES,
    Edition,
    KickOntoHugo,
    MoveGuest,
    Observation,
    Options,
    Phase,
    PlaceGuest,
    Stay,
    action_text,
)

DOORS = {f"r{i}": door for i, door in enumerate((3, 4, 6, 9, 11, 15, 17, 18, 21, 24, 26), 1)}
ROUND = [f"C{number}" for number in range(1, 29)]


def guests_of(view: Observation) -> list[list[str]]:
    """Where the guests of each seat are."""
    left = [SQUARES.text(square) for square in view.guests]
    return [[left.pop(0) for _ in range(count)] for count in view.guest_counts]


def walk(origin: str, steps: int) -> list[str]:
    """The squares of the corridor that a guest stands on after each of its steps, with where it is before the first."""
    if origin in ROUND:
        start = ROUND.index(origin)
        return [ROUND[(start + i) % 28] for i in range(steps + 1)]
    first = DOORS.get(origin, 1)  # the door of its room, or the top of the stairs
    return [origin, *[ROUND[(first - 1 + i) % 28] for i in range(steps)]]


def may_enter(view: Observation, options: Options, room: str, *, exact: bool) -> bool:
    """Whether the deciding seat may enter a room that it reaches."""
    if not SQUARES.text(view.hugo).startswith("C") or (options.edition is Edition.NEW and room in ("r5", "r11")):
        return False
    if room in ("r3", "r4") and not exact:
        return False
    owners = [seat for seat, own in enumerate(guests_of(view)) if room in own]
    if not owners:
        return True
    onto_hugo = SQUARES.text(view.hugo) == f"C{DOORS[room]}"
    allowed = options.kick_onto_hugo is KickOntoHugo.CAPTURED or not onto_hugo
    return options.edition is Edition.NEW and owners != [view.turn] and exact and allowed


def movable(view: Observation, options: Options) -> set[str]:
    """Where the guests of the deciding seat are that it may move."""
    own = guests_of(view)[view.turn]
    outside = {square for square in own if square in ROUND}
    if options.edition is Edition.OLD:
        return outside
    stairs = [square for square in ("T", *[f"S{points}" for points in range(10, 1, -1)]) if square in own]
    return outside | {square for square in own if square in DOORS} | set(stairs[:1])


def expected(view: Observation, options: Options) -> set[str]:
    """The legal actions of the deciding seat, from the view alone, straight from the rules' words."""
    if view.phase is not Phase.MOVE:
        taken = {square for own in guests_of(view) for square in own}
        free = view.phase is Phase.REPLACE and not options.replace_needs_empty
        return {f"place {square}" for square in ROUND if free or square not in taken}
    assert view.rolled is not None
    found = {"pass"} if options.edition is Edition.OLD else set()
    for origin in movable(view, options):
        way = walk(origin, view.rolled)
        found.add(f"{origin}>{way[-1]}")
        for count, square in enumerate(way[:-1], 1):  # the step of that count may lead through a door at this square
            exact = count == view.rolled
            rooms = [room for room, door in DOORS.items() if square == f"C{door}" and room != origin]
            found |= {f"{origin}>{room}" for room in rooms if may_enter(view, options, room, exact=exact)}
    return found


def positions(variant: str, games: int) -> list[Step]:
    """Every position of some random games."""
    return [
        step
        for i in range(games)
        for step in play(GAME, GAME.variants[variant], 2 + i % 7, luck(f"legal {i}"), at_random(f"legal {i}"))
    ]


@pytest.mark.parametrize("variant", GAME.variants)
def test_legal_lists_are_complete(variant: str) -> None:
    phases: Counter[Phase] = Counter()
    kinds: Counter[str] = Counter()
    for step in positions(variant, 14):
        for seat in step.actions:
            view = step.state.view(seat)
            texts = [action_text(action) for action in step.state.legal(seat)]
            assert texts == sorted(expected(view, GAME.variants[variant]))
            phases[view.phase] += 1
            kinds.update(text.partition(">")[0][0] + text.partition(">")[2][:1] for text in texts)
    old = GAME.variants[variant].edition is Edition.OLD
    assert set(phases) == ({Phase.PLACE, Phase.REPLACE, Phase.MOVE} if old else {Phase.PLACE, Phase.MOVE})
    assert {"CC", "Cr"} <= set(kinds)
    assert old or {"rC", "rr", "SC", "Sr"} <= set(kinds)


@pytest.mark.parametrize("variant", GAME.variants)
def test_every_other_action_is_refused_and_no_legal_one_is(variant: str) -> None:
    numbers = range(-1, 52)
    actions = [*map(PlaceGuest, numbers), Stay(), *[MoveGuest(a, b) for a in numbers for b in numbers]]
    for step in positions(variant, 3)[::23]:
        for seat in range(len(step.state.view(None).guest_counts)):
            legal = set(step.state.legal(seat))
            for action in actions:
                if action in legal:
                    with pytest.raises(ValueError, match="breaks no rule"):
                        step.state.broken_rule(seat, action)
                else:
                    assert step.state.broken_rule(seat, action)[0] == "M"
