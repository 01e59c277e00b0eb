"""What has happened in a match of midnight, as the lists that a view holds. No rules."""

from __future__ import annotations

from typing import NamedTuple

from croupier_server.games.midnight_words import Square
from croupier_server.rules import Seat

# By number of seats and the first one: all seats clockwise.
_ORDER = [[(*range(first, seats), *range(first)) for first in range(seats)] for seats in range(9)]


class Placed(NamedTuple):
    """Every guest that was placed, in order."""

    squares: tuple[Square, ...] = ()
    by: tuple[Seat, ...] = ()


class Moves(NamedTuple):
    """Every move of a guest, in order."""

    rolls: tuple[int, ...] = ()  # the place of the roll of each move
    origins: tuple[Square, ...] = ()
    targets: tuple[Square, ...] = ()
    kicks: tuple[int, ...] = ()  # the places of the moves that put a guest out
    kicked: tuple[Seat, ...] = ()  # and its owner


class Captures(NamedTuple):
    """Every guest that was captured, in order."""

    rolls: tuple[int, ...] = ()  # the place of the roll of each capture
    owners: tuple[Seat, ...] = ()
    squares: tuple[Square, ...] = ()
    stairs: tuple[Square, ...] = ()


class Rounds(NamedTuple):
    """The rounds so far; the new edition has one."""

    firsts: tuple[Seat, ...]  # who rolls first, also in the round at hand
    rolls: tuple[int, ...] = ()  # in each finished one
    scores: tuple[int, ...] = ()  # at the end of each finished one, by seat

    def in_this(self, rolls: int) -> int:
        """How many of all rolls belong to the round at hand, or to the last one once the game is over."""
        return rolls - sum(self.rolls)

    def rolled_by(self, rolls: int, seats: int) -> tuple[Seat, ...]:
        """Who made each of the rolls: the seats clockwise, in every round from the one that rolls first."""
        found: tuple[Seat, ...] = ()
        for first, count in zip(self.firsts, (*self.rolls, self.in_this(rolls)), strict=False):
            found += (_ORDER[seats][first] * (count // seats + 1))[:count]
        return found
