"""The two properties that make a game keep its secrets, for any game; each check compares enough of them.

1. `log_decides`: what a viewer sees is a function of what it was told and did. So a view holds nothing that the log
   does not hold, and the log holds all that a bot needs.
2. `nothing_interferes`: two worlds that differ in luck or choices which a viewer may not know are one world to it, as
   long as it may not know them. So the log tells nobody what is not his.

"Sees" is the view, the legal list, the reasons of refusals, and the outcome. Sequence numbers and turn ids count what
is told and asked, and sizes are those of equal values, so they are equal where these are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.secrecy.altered import OtherLuck, OtherTape, Tape, UnlikeError
from tests.secrecy.rightful import RIGHTFUL
from tests.support.worlds import Choose, Step, Viewer, as_played, at_random, luck, play, some_actions, viewers

from croupier_server.rules import AnyGame, AnyState, Chance, Outcome, Recorder, Seat

ENOUGH = 1000  # pairs of positions that differ, of which a viewer must notice nothing; fewer would prove little
MOST_WORLDS = 200  # games of a check, each with
CHANGES = 10  # other worlds beside it
PROBES = 4  # actions of each kind that are tried where they are not legal, for the reasons of refusals


class LeakError(AssertionError):
    """Somebody has seen, or been told, what he may not know."""


@dataclass(frozen=True)
class Sight:
    """All that a position shows to one viewer."""

    view: Any
    legal: tuple[Any, ...]
    refusals: tuple[str, ...]
    outcome: Outcome | None

    @classmethod
    def of(cls, state: AnyState, viewer: Viewer, probes: Sequence[Any]) -> Sight:
        """What a position shows."""
        legal = () if viewer is None else tuple(state.legal(viewer))
        tried = () if viewer is None else tuple([state.broken_rule(viewer, a) for a in probes if a not in legal])
        return cls(state.view(viewer), legal, tried, state.outcome())


def _require_equal(who: str, found: Any, expected: Any) -> None:
    if found != expected:
        raise LeakError(f"{who}:\n  {expected}\n  {found}")


# --- 1 ---


@dataclass
class _Logs:
    """What was seen under which log. A log is a number: that of the shorter log and of what was added."""

    numbers: dict[tuple[int, Any], int] = field(default_factory=dict)
    sights: dict[int, tuple[Sight, list[AnyState]]] = field(default_factory=dict)
    collisions: int = 0

    def longer(self, log: int, item: Any) -> int:
        """The log with one more item."""
        return self.numbers.setdefault((log, item), len(self.numbers) + 1)

    def add(self, viewer: Viewer, log: int, sight: Sight, state: AnyState) -> bool:
        """Compares with what was seen under an equal log, if it is known; counts only positions that really differ."""
        known, states = self.sights.setdefault(log, (sight, []))
        _require_equal(f"{_name(viewer)} sees different things after being told and doing the same", sight, known)
        if state not in states:
            self.collisions += bool(states)
            states.append(state)
        return len(states) > 1 or known is not sight


def log_decides(game: AnyGame, variant: str, seats: int, *, enough: int = ENOUGH) -> None:
    """Plays worlds that differ in one place of their luck, or in one choice of seats that choose at the same time.

    Stops when `enough` pairs of positions that differ by luck were one to some viewer.

    Raises LeakError when a viewer could tell two worlds apart, AssertionError when there are not enough pairs.
    """
    options = game.variants[variant]
    probes = some_actions(game, options, seats, PROBES)
    logs = _Logs()
    collisions = 0
    for world in range(MOST_WORLDS):
        recorder = Recorder(luck(f"world {world}"))
        base = list(play(game, options, seats, recorder, at_random(f"world {world}")))
        _follow(base, seats, probes, logs, to_the_end=True)
        pick = luck(f"pick {world}")
        together = [
            (number, seat) for number, step in enumerate(base) if len(step.actions) > 1 for seat in step.actions
        ]
        before = logs.collisions
        for change in range(CHANGES):
            other = OtherLuck(recorder.draws, pick, luck(f"beyond {world} {change}"))
            choose = as_played(base, at_random(f"otherwise {world} {change}"))
            _follow(play(game, options, seats, other, choose), seats, probes, logs, to_the_end=False)
        collisions += logs.collisions - before
        for change in range(CHANGES // 2 if together else 0):  # beyond what is enough
            but = together[pick.below("choice", len(together))]
            choose = as_played(base, at_random(f"but {world} {change}"), but=but)
            _follow(play(game, options, seats, luck(f"world {world}"), choose), seats, probes, logs, to_the_end=False)
        if collisions >= enough:
            return
    raise AssertionError(f"only {collisions} pairs of positions that differ were one to a viewer, not {enough}")


def _follow(steps: Iterable[Step], seats: int, probes: Sequence[Any], logs: _Logs, *, to_the_end: bool) -> None:
    """Adds what is seen to the logs; unless `to_the_end`, stops once all logs are new: what follows is new too."""
    log = {viewer: logs.longer(0, f"log of {_name(viewer)}") for viewer in viewers(seats)}
    for step in steps:
        known = False
        for viewer in viewers(seats):
            for event in step.told[viewer]:
                log[viewer] = logs.longer(log[viewer], event)
            known |= logs.add(viewer, log[viewer], Sight.of(step.state, viewer, probes), step.state)
        if not known and not to_the_end:
            break
        for seat, action in step.actions.items():
            log[seat] = logs.longer(log[seat], ("did", action))


# --- 2 ---


@dataclass
class _World:
    """A game, and how much luck had been drawn at each of its positions."""

    game: AnyGame
    options: Any
    seats: int
    tape: Tape
    steps: list[Step] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)

    def play(self, choose: Choose) -> Iterator[Step]:
        """Plays it, and keeps every position."""
        for step in play(self.game, self.options, self.seats, self.tape, choose):
            self.steps.append(step)
            self.drawn.append(len(self.tape.draws))
            yield step

    def shown(self, number: int, viewer: Viewer) -> list[Any]:
        """The items that the viewer may know for what was done in a position and drawn on the way to the next."""
        rightful = RIGHTFUL[self.game.id]
        step = self.steps[number]
        items = [item for item, readers in rightful.shown(step.state, step.actions) if viewer in readers]
        for draw in self.tape.draws[self.drawn[number] : self.drawn[number + 1]]:
            if isinstance(draw.result, tuple):
                readers = rightful.drawn(self.options, self.seats, draw.label, draw.size)
                items += [item for item, who in zip(draw.result, readers, strict=True) if viewer in who]
        return items

    def hidden_choice(self, number: int, seat: Seat, action: Any, viewer: Viewer) -> set[Any]:
        """The items in an action of another seat, if the viewer may know none of them."""
        shown = list(RIGHTFUL[self.game.id].shown(self.steps[number].state, {seat: action}))
        return set() if seat == viewer or any(viewer in who for _, who in shown) else {item for item, _ in shown}


@dataclass(frozen=True)
class _Twin:
    """A world that differs from another one, from some position on, in what one viewer may not know."""

    viewer: Viewer
    since: int  # the first position, or the first choice, that differs
    hidden: set[Any]  # the items in which it differs
    chance: Chance
    choices: Mapping[tuple[int, Seat], Any]  # by position and seat, where they differ


def nothing_interferes(game: AnyGame, variant: str, seats: int, *, enough: int = ENOUGH) -> None:
    """Changes what a viewer may not know, plays the same, and compares `enough` pairs of positions that differ.

    Changed are two items of a shuffle, or a choice that another seat makes in secret. Raises LeakError when the viewer
    is told or shown anything else before what it may know differs, AssertionError when there are not enough pairs.
    """
    options = game.variants[variant]
    probes = some_actions(game, options, seats, PROBES)
    compared = 0
    for number in range(MOST_WORLDS):
        world = _World(game, options, seats, Tape(luck(f"hidden {number}")))
        for _ in world.play(at_random(f"hidden {number}")):
            pass
        pick = luck(f"twin {number}")
        for _ in range(CHANGES):
            viewer = viewers(seats)[pick.below("viewer", seats + 1)]
            for twin in (_other_luck(world, viewer, pick), _other_choice(world, viewer, pick)):
                compared += _compare(world, twin, probes) if twin else 0
        if compared >= enough:
            return
    raise AssertionError(f"only {compared} pairs of positions that differ were compared, not {enough}")


def _other_luck(world: _World, viewer: Viewer, pick: Chance) -> _Twin | None:
    """The world in which two items of a shuffle have changed places, if the picked ones are hidden from the viewer."""
    number = pick.below("draw", len(world.tape.draws))
    draw = world.tape.draws[number]
    if not isinstance(draw.result, tuple):
        return None
    readers = RIGHTFUL[world.game.id].drawn(world.options, world.seats, draw.label, draw.size)
    places = [place for place, who in enumerate(readers) if viewer not in who]
    if len(places) < 2:
        return None
    one, other = (places[pick.below("place", len(places))] for _ in range(2))
    a, b = draw.result[one], draw.result[other]
    draws = [*world.tape.draws[:number], draw.swapped(one, other), *world.tape.draws[number + 1 :]]
    since = next(at for at, drawn in enumerate(world.drawn) if drawn > number)
    return _Twin(viewer, since, {a, b}, OtherTape(draws, {a: b, b: a}), {})


def _other_choice(world: _World, viewer: Viewer, pick: Chance) -> _Twin | None:
    """The world in which another seat makes another secret choice, if there is one."""
    secret = [
        (number, seat, items)
        for number, step in enumerate(world.steps)
        for seat, action in step.actions.items()
        if (items := world.hidden_choice(number, seat, action, viewer))
    ]
    if not secret:
        return None
    number, seat, items = secret[pick.below("choice", len(secret))]
    legal = world.steps[number].state.legal(seat)
    other = legal[pick.below("other", len(legal))]
    others = world.hidden_choice(number, seat, other, viewer)
    gone, come = sorted(items - others), sorted(others - items)
    if len(gone) != len(come):
        return None
    swapped = dict(zip([*gone, *come], [*come, *gone], strict=True))
    return _Twin(viewer, number, items ^ others, OtherTape(world.tape.draws, swapped), {(number, seat): other})


def _compare(world: _World, twin: _Twin, probes: Sequence[Any]) -> int:
    """Follows both worlds until what the viewer may know differs, or a choice is not possible in the other one."""
    compared = 0
    viewer = twin.viewer
    who = f"{_name(viewer)} notices {sorted(twin.hidden)}, hidden since step {twin.since + 1},"

    def choose(number: int, seat: Seat, _legal: Sequence[Any]) -> Any:
        return twin.choices.get((number, seat), world.steps[number].actions.get(seat))

    other = _World(world.game, world.options, world.seats, Tape(twin.chance))
    try:
        for number, (step, alike) in enumerate(zip(world.steps, other.play(choose), strict=False)):
            if number > 0 and world.shown(number - 1, viewer) != other.shown(number - 1, viewer):
                break
            _require_equal(f"{who} by what it is told", alike.told[viewer], step.told[viewer])
            sights = [Sight.of(state, viewer, probes) for state in (alike.state, step.state)]
            _require_equal(f"{who} by what it sees", *sights)
            compared += alike.state != step.state
            if any(action not in alike.state.legal(seat) for seat, action in alike.actions.items()):
                break
    except UnlikeError:
        pass  # the other world has come to ask for other luck
    return compared


def _name(viewer: Viewer) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"
