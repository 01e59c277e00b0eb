"""In which orders the entrants of one table sit down, so that no seat favours anybody over a block."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import permutations

ALL_ORDERS_UP_TO = 3  # players; k! orders are affordable so far


def seating_count(players: int) -> int:
    """How many matches a block of that many players has."""
    return math.factorial(players) if players <= ALL_ORDERS_UP_TO else players


def seatings(entrants: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The seatings of a table, by seating index; each gives the entrants by seat.

    All orders for up to three players, else the cyclic rotations, in which everyone has every seat exactly once. They
    depend on the set of names only, so an index means the same seating in every cup.
    """
    names = tuple(sorted(entrants))
    if len(names) <= ALL_ORDERS_UP_TO:
        return tuple(permutations(names))
    return tuple(names[i:] + names[:i] for i in range(len(names)))
