"""Luck that is the luck of an earlier game but for one thing. For worlds that differ where somebody must not notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from croupier_server.rules import Chance, Draw, NumberDraw, ShuffleDraw

T = TypeVar("T")


class UnlikeError(Exception):
    """The altered world has come to ask for luck that the earlier one has no match for."""


class OtherLuck(Chance):
    """The recorded draws, one of them changed; luck from elsewhere once a call does not fit."""

    def __init__(self, draws: Sequence[Draw], pick: Chance, beyond: Chance) -> None:
        changed = pick.below("draw", len(draws))
        self._draws: dict[str, list[Draw]] = {}
        for place, draw in enumerate(draws):
            self._draws.setdefault(draw.label, []).append(_changed(draw, pick) if place == changed else draw)
        self._beyond = beyond

    def _next(self, label: str) -> Draw | None:
        left = self._draws.get(label)
        return left.pop(0) if left else None

    def below(self, label: str, n: int) -> int:
        """See `Chance.below`."""
        draw = self._next(label)
        return draw.value if isinstance(draw, NumberDraw) and draw.bound == n else self._beyond.below(label, n)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """See `Chance.shuffle`."""
        draw = self._next(label)
        if isinstance(draw, ShuffleDraw) and len(draw.order) == len(items):
            return tuple([items[i] for i in draw.order])
        return self._beyond.shuffle(label, items)


def _changed(draw: Draw, pick: Chance) -> Draw:
    if isinstance(draw, NumberDraw):
        return NumberDraw(draw.label, draw.bound, pick.below("number", draw.bound))
    order = list(draw.order)
    a, b = (pick.below("place", len(order)) for _ in range(2))
    order[a], order[b] = order[b], order[a]
    return ShuffleDraw(draw.label, tuple(order))


@dataclass(frozen=True)
class Taped:
    """One draw with what came of it: a number, or the items in their drawn order."""

    label: str
    size: int
    result: Any

    def swapped(self, a: int, b: int) -> Taped:
        """This shuffle with two places swapped; the items may be twins of others, which stay where they are."""
        result = list(self.result)
        result[a], result[b] = result[b], result[a]
        return Taped(self.label, self.size, tuple(result))


class Tape(Chance):
    """Passes luck through and keeps the items themselves, not their order."""

    def __init__(self, source: Chance) -> None:
        self._source = source
        self.draws: list[Taped] = []

    def below(self, label: str, n: int) -> int:
        """See `Chance.below`."""
        value = self._source.below(label, n)
        self.draws.append(Taped(label, n, value))
        return value

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """See `Chance.shuffle`."""
        result = self._source.shuffle(label, items)
        self.draws.append(Taped(label, len(items), result))
        return result


class OtherTape(Chance):
    """A tape for a world in which items have changed places with each other, so later shuffles find them elsewhere."""

    def __init__(self, draws: Iterable[Taped], swapped: Mapping[Any, Any]) -> None:
        self._draws = list(draws)
        self._next = 0
        self._swapped = swapped

    def _take(self, label: str, size: int) -> Any:
        if self._next == len(self._draws):
            raise UnlikeError
        taped = self._draws[self._next]
        if (taped.label, taped.size) != (label, size):
            raise UnlikeError
        self._next += 1
        return taped.result

    def below(self, label: str, n: int) -> int:
        """See `Chance.below`; raises UnlikeError."""
        value = self._take(label, n)
        assert isinstance(value, int)
        return value

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """See `Chance.shuffle`; raises UnlikeError."""
        result: tuple[T, ...] = self._take(label, len(items))
        if Counter(result) != Counter(items):
            result = tuple([self._swapped.get(item, item) for item in result])
        if Counter(result) != Counter(items):
            raise UnlikeError
        return result
