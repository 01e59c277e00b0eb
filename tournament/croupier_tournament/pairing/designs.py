"""Which entrants sit at a table together: every set of k among n exactly once, in an order whose prefixes are balanced.

Entrants are the numbers 0..n-1 here. No seats, no repeats, no luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations


def tables(entrants: int, players: int) -> Iterator[tuple[int, ...]]:
    """Every set of `players` numbers below `entrants`, once each.

    After any number of tables no entrant has sat at more tables than another by more than 1 (two players, an even
    number of entrants), 2 (two players, an odd number) or `players` (three or more). Raises ValueError unless
    2 <= players <= entrants.
    """
    if not 2 <= players <= entrants:
        raise ValueError(f"tables for {players} players from {entrants} entrants: expected 2 <= players <= entrants")
    return _circle(entrants) if players == 2 else _orbits(entrants, players)


def _circle(n: int) -> Iterator[tuple[int, int]]:
    """The circle method: rounds in which everyone plays once; with an odd n one sits out, another in every round."""
    ring = n - 1 + n % 2  # those who move round the circle; the one left over, ring itself, exists if n is even
    for turn in range(ring):
        if ring < n:
            yield turn, ring
        for i in range(1, (ring + 1) // 2):
            yield (turn + i) % ring, (turn - i) % ring


def _orbits(n: int, k: int) -> Iterator[tuple[int, ...]]:
    """All sets that are rotations of one set, then those of the next.

    Over all rotations of a set everyone sits at equally many tables, at most k, so k bounds the imbalance.
    """
    for rest in combinations(range(1, n), k - 1):
        base = (0, *rest)
        gaps = tuple(b - a for a, b in zip(base, (*rest, n), strict=True))
        turned = [gaps[i:] + gaps[:i] for i in range(1, k)]
        if all(gaps <= other for other in turned):  # the one member of its orbit that stands for all
            symmetry = 1 + turned.count(gaps)
            rotations = [tuple((seat + by) % n for seat in base) for by in range(n // symmetry)]
            yield from _in_rounds(rotations)


def _in_rounds(waiting: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """The same tables, reordered so that runs of them have nobody in common (first fit)."""
    while waiting:
        busy: set[int] = set()
        later = []
        for table in waiting:
            if busy.isdisjoint(table):
                busy.update(table)
                yield table
            else:
                later.append(table)
        waiting = later
