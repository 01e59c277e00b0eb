"""Plays a recorded match again, step by step, through the rules. Pure: luck comes from the record or from its key."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from croupier_server.match.record import Decision, MatchClock, MatchPlay
from croupier_server.rules import AnyState, Chance, ChanceError, Entry, KeyedChance, RecordedChance, Table

T = TypeVar("T")


class DivergedError(ValueError):
    """The record and the rules do not agree; says at which step, what was found and what the rules say."""


class CheckedChance(Chance):
    """Luck read from a record that must also be the luck of its key; raises ChanceError where it is not."""

    def __init__(self, recorded: RecordedChance, keyed: KeyedChance) -> None:
        self._recorded, self._keyed = recorded, keyed

    def below(self, label: str, n: int) -> int:
        """See `Chance.below`."""
        found, expected = self._recorded.below(label, n), self._keyed.below(label, n)
        if found != expected:
            raise ChanceError(f"below({label!r}, {n}) is recorded as {found}, the block key gives {expected}")
        return found

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """See `Chance.shuffle`."""
        order = self._recorded.shuffle(label, range(len(items)))
        if order != self._keyed.shuffle(label, range(len(items))):
            raise ChanceError(f"shuffle({label!r}) is recorded in an order that the block key does not give")
        return tuple([items[i] for i in order])


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a replayed match."""

    step: int  # the step that is about to be decided, from 1
    state: AnyState
    news: tuple[Entry[Any], ...]  # what led here was told like this
    decisions: tuple[Decision, ...]  # what is decided next; empty in the last position


def replay(play: MatchPlay, clock: MatchClock, chance: Chance) -> Iterator[Position]:
    """Every position from the deal to the last recorded step; nothing when the match never began.

    Raises DivergedError when a decision is not one that the rules ask for, and ChanceError when a draw is not.
    """
    if not (play.draws or play.decisions or clock.turns):  # a deal may be without luck, and end before a decision
        return
    table: Table[Any] = Table(chance)
    spec = play.spec
    state = spec.game.deal(spec.options, len(spec.seats), table)
    steps = [tuple(group) for _, group in itertools.groupby(play.decisions, key=lambda decision: decision.step)]
    for number, decisions in enumerate(steps, 1):
        yield Position(number, state, tuple(table.news), decisions)
        table.news.clear()
        state = state.play(_choices(number, state, decisions), table)
    yield Position(len(steps) + 1, state, tuple(table.news), ())


def _choices(number: int, state: AnyState, decisions: tuple[Decision, ...]) -> dict[int, Any]:
    seats = tuple(decision.seat for decision in decisions)
    if decisions[0].step != number or seats != state.to_act():
        raise DivergedError(
            f"step {number}: decisions of step {decisions[0].step} by seats {seats}, the rules ask {state.to_act()}"
        )
    for decision in decisions:
        if decision.action not in state.legal(decision.seat):
            raise DivergedError(f"step {number}, seat {decision.seat}: {decision.action} is not legal")
    return {decision.seat: decision.action for decision in decisions}
