"""The matches of a cup in order. A pure function, so that a cup resumes by computing it again; it knows no results."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from croupier_server.rules import KeyedChance
from croupier_tournament.pairing.designs import tables
from croupier_tournament.pairing.seatings import seating_count, seatings


@dataclass(frozen=True, slots=True)
class ScheduledMatch:
    """One match as planned. `(set of entrants, block, seating)` is its identity, whatever the order of the schedule."""

    number: int  # place in the schedule, from 1
    block_number: int  # of its block in the schedule, from 1
    entrants: tuple[str, ...]  # by seat
    block: int  # among the blocks of the same entrants, from 0
    seating: int  # within the block, from 0


def match_count(entrants: int, players: int, blocks: int) -> int:
    """How many matches `schedule` gives for so many entrants, without making them."""
    return math.comb(entrants, players) * seating_count(players) * blocks


def schedule(entrants: Collection[str], players: int, blocks: int, seed: int) -> Iterator[ScheduledMatch]:
    """A round robin: every table of `players` entrants `blocks` times, each time in all its seatings.

    Passes follow each other, in each of which every table has one block, in the balanced order of `tables`; the
    matches of a block are neighbours. `seed` (0 to 2**64 - 1) only permutes who takes which number in that design,
    anew in each pass: the same matches exist for every seed, a cup with more blocks begins like one with fewer, and
    the order of `entrants` does not matter. Raises ValueError unless 2 <= players <= len(entrants).
    """
    chance = KeyedChance(hashlib.sha256(b"croupier schedule" + seed.to_bytes(8, "big")).digest())
    number = block_number = 0
    for block in range(blocks):
        names = chance.shuffle(f"pass {block}", sorted(entrants))
        for table in tables(len(names), players):
            block_number += 1
            for seating, order in enumerate(seatings(names[i] for i in table)):
                number += 1
                yield ScheduledMatch(number, block_number, order, block, seating)
