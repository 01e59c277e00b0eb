"""What a rating is made of: one match, and what it says of each pair at its table. Not where the match came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

MEAN = 1500.0  # the mean rating of all entrants
SCALE = 400.0  # Elo points that make the expected odds 10 to 1


def pair_weight(players: int) -> float:
    """What each pair of a table weighs, so that a match weighs 1 for an entrant at a table of any size."""
    return 1 / (players - 1)


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """One match that counts. Raises ValueError unless there is a place for each of two or more different entrants."""

    block: int  # any number that its whole block shares, and no other block
    entrants: tuple[str, ...]  # by seat
    places: tuple[int, ...]  # by seat, from 1; equal means tied

    def __post_init__(self) -> None:
        if len(self.entrants) != len(self.places) or not 2 <= len(set(self.entrants)) == len(self.entrants):
            raise ValueError(
                f"{self.entrants} with places {self.places}: expected a place for each of 2 or more entrants"
            )

    def half_points(self) -> Iterator[tuple[int, int, int]]:
        """For each pair of seats, lower seat first: the seats and the lower one's half points (2, 1 or 0)."""
        for one, two in combinations(range(len(self.places)), 2):
            yield one, two, 1 + (self.places[one] < self.places[two]) - (self.places[one] > self.places[two])
