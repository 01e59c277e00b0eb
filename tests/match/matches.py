"""Finished matches to examine: honest ones, with a little of everything that may happen in one."""

from __future__ import annotations

import functools
from typing import TypeAlias

from tests.match import auction
from tests.match.virtual_table import VirtualTable, attempt, match_spec
from tests.support.worlds import luck

from croupier.v1 import record_pb2
from croupier_server.games import GAMES
from croupier_server.match import codec
from croupier_server.match.record import MatchClock, MatchNotes, MatchPlay, hashes
from croupier_server.match.recording import record_parts
from croupier_server.match.spec import Clock
from croupier_server.rules import Chance

Parts: TypeAlias = tuple[MatchPlay, MatchClock, MatchNotes]

JEKYLL = GAMES["jekyll"]
JEKYLL_PLAYS = tuple(JEKYLL.parse_action(f"play {card}") for card in ("P1", "R1", "G1", "P7", "R7", "G7", "2+", "5+"))


def play_on(table: VirtualTable, choices: Chance, steps: int = 1000, ms: int = 7) -> None:
    """Whoever is asked answers after some time, at random, for some steps or to the end."""
    for _ in range(steps):
        for seat in table.asked():
            table.wait(ms)
            table.answer(seat, choices.below("choice", len(table.turn(seat).legal)))
        if table.over:
            return


def parts_of(table: VirtualTable) -> Parts:
    """The parts of the record of a match that is over."""
    return record_parts(table.referee, attempt())


def sealed(parts: Parts) -> bytes:
    """A record in bytes, its hashes over whatever the parts say."""
    return codec.seal(*parts).SerializeToString(deterministic=True)


def resealed(record: record_pb2.MatchRecord) -> bytes:
    """A record whose parts were changed as bytes, with all four hashes made right again."""
    made = hashes(record.play, record.clock, record.notes)
    record.play_hash, record.clock_hash, record.notes_hash = made.play, made.clock, made.notes
    record.record_hash = made.record
    return record.SerializeToString(deterministic=True)


@functools.cache
def jekyll_to_the_end() -> Parts:
    """A match of jekyll to its end, with notes, illegal answers, a time-out, a lost connection and delays."""
    table = VirtualTable(match_spec(game=JEKYLL, clock=Clock(), strikes=4))
    choices = luck("jekyll")
    table.join()
    table.wait(3)
    table.ready(1)
    table.wait(4)
    table.ready(0)
    table.answer(0, 0, note="an exchange of the first legal cards")
    play_on(table, choices, 5)
    (seat,) = table.asked()
    table.answer(seat, 999)
    table.answer(seat, next(a for a in JEKYLL_PLAYS if a not in table.turn(seat).legal))
    play_on(table, choices, 5)
    table.wait(5000)
    play_on(table, choices, 2)
    (seat,) = table.asked()
    table.leave(seat)
    table.delay(30)
    table.wait(50)
    table.join(seat, last_sequence=3)
    table.answer(seat, 0, turn_id=1)
    table.delay(30, seat)
    table.wait(5005)  # longer than the turn allows, but not by its own time
    table.answer(seat, 0, note="just in time")
    play_on(table, choices)
    return parts_of(table)


@functools.cache
def jekyll_given_up() -> Parts:
    """A short match of jekyll: seat 1 resigns while both exchange cards, after the other has answered."""
    table = VirtualTable(match_spec(game=JEKYLL, clock=Clock()))
    table.begin()
    table.wait(9)
    table.answer(0, 5, note="x")
    table.wait(9)
    table.resign(1)
    return parts_of(table)


@functools.cache
def jekyll_never_begun() -> Parts:
    """A match of jekyll in which seat 0 was not ready in time."""
    table = VirtualTable(match_spec(game=JEKYLL, clock=Clock()))
    table.join()
    table.ready(1)
    table.wait(20_000)
    return parts_of(table)


@functools.cache
def auction_of_five() -> Parts:
    """To the end: seat 3 was not ready, seat 1 is silent twice, seat 0 answers illegally twice, 2 and 4 play well."""
    table = VirtualTable(match_spec(5, options=auction.Options(rounds=3), strikes=2))
    table.join()
    table.ready(0, 1, 2, 4)
    table.wait(1000)
    for _ in range(2):
        for seat, coins in ((0, 0), (2, 2), (4, 3)):
            table.wait(10)
            table.answer(seat, auction.Bid(coins))
        table.wait(470)  # the turn of seat 1 runs out, and seat 4 has bought
        table.answer(4, auction.KEEP)
    table.answer(0, auction.Bid(9))
    table.wait(20)
    table.answer(0, None)
    table.answer(2, auction.Bid(3))
    table.wait(20)
    table.answer(4, auction.Bid(1))
    table.leave(4)
    table.wait(20)
    table.answer(2, auction.KEEP)
    return parts_of(table)


@functools.cache
def auction_that_two_give_up() -> Parts:
    """Three seats: one resigns in the first round, another loses its connection for good in the second."""
    table = VirtualTable(match_spec(3))
    table.begin()
    table.wait(10)
    table.resign(2)
    table.wait(10)
    table.answer(0, auction.Bid(1))
    table.answer(1, auction.Bid(0))
    table.wait(10)
    table.answer(0, auction.KEEP)
    table.leave(1)
    table.wait(20)
    table.answer(0, auction.Bid(1))
    table.wait(300)
    return parts_of(table)
