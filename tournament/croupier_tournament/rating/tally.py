"""Results added up by pair: all that the order-free fit needs, and what a jackknife takes out again.

Everything is summed as whole numbers and in one order, so the order in which results arrive cannot change a bit of a
rating.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier_tournament.rating.match import RatedMatch, pair_weight

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]


class PairSum(NamedTuple):
    """What some matches say of two entrants at tables of one size."""

    one: int  # index of an entrant, lower than `two`
    two: int
    players: int
    half_points: int  # of `one`: 2 a win, 1 a tie
    matches: int


Evidence: TypeAlias = tuple[PairSum, ...]  # of one block, ascending


def evidence_by_block(entrants: Sequence[str], matches: Iterable[RatedMatch]) -> dict[Evidence, int]:
    """What the blocks say, ascending, and how many blocks say just that. Raises KeyError for an unknown entrant."""
    index = {name: i for i, name in enumerate(entrants)}
    half_points: defaultdict[int, Counter[tuple[int, int, int]]] = defaultdict(Counter)
    counts: defaultdict[int, Counter[tuple[int, int, int]]] = defaultdict(Counter)
    for match in matches:
        at = [index[name] for name in match.entrants]
        for seat_one, seat_two, halves in match.half_points():
            one, two = at[seat_one], at[seat_two]
            if one > two:
                one, two, halves = two, one, 2 - halves
            half_points[match.block][one, two, len(at)] += halves
            counts[match.block][one, two, len(at)] += 1
    blocks = Counter(
        tuple(sorted(PairSum(*pair, half_points[block][pair], count) for pair, count in counted.items()))
        for block, counted in counts.items()
    )
    return dict(sorted(blocks.items()))


@dataclass(frozen=True, eq=False)
class Tally:
    """Weighted points and weights, one entry a pair of entrants that met."""

    entrants: int
    one: Indices
    two: Indices
    points: Floats  # of `one` against `two`
    weight: Floats  # of their matches

    @classmethod
    def of(cls, entrants: int, blocks: Mapping[Evidence, int]) -> Self:
        """The sum of evidence, each as many times as the mapping says."""
        totals: defaultdict[tuple[int, int, int], list[int]] = defaultdict(lambda: [0, 0])
        for evidence, times in blocks.items():
            for one, two, players, half_points, matches in evidence:
                total = totals[one, two, players]
                total[0] += times * half_points
                total[1] += times * matches
        pairs = sorted({(one, two) for one, two, _ in totals})
        ones, twos = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        nothing = cls(entrants, ones, twos, np.zeros(len(pairs)), np.zeros(len(pairs)))
        return nothing._plus(tuple(PairSum(*key, *totals[key]) for key in sorted(totals)), 1)

    def without(self, evidence: Evidence) -> Self:
        """The sum less one of its blocks."""
        return self._plus(evidence, -1)

    def _plus(self, evidence: Evidence, sign: int) -> Self:
        points, weight = self.points.copy(), self.weight.copy()
        keys = self.one * self.entrants + self.two  # ascending
        for one, two, players, half_points, matches in evidence:
            row = np.searchsorted(keys, one * self.entrants + two)
            points[row] += sign * pair_weight(players) * half_points / 2
            weight[row] += sign * pair_weight(players) * matches
        return replace(self, points=points, weight=weight)
