"""A match between a referee and bots that misbehave, over lines that do so too, under a virtual clock.

Everything that goes wrong follows from one seed. The book is kept beside it, and everything that the referee says is
compared with the book at once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.match.simulation.book import Book
from tests.match.simulation.bots import Bot, Plan

from croupier_server.match.record import MatchClock, MatchNotes, MatchPlay
from croupier_server.match.recording import Attempt, record_parts
from croupier_server.match.referee import Phase, Referee
from croupier_server.match.signals import Ask, End, Input, Joined, Message, News, Refused, Send
from croupier_server.match.spec import MatchSpec
from croupier_server.match.timing import US
from croupier_server.rules import KeyedChance, Seat

LONGEST_US = 3600 * 1000 * US  # no match takes longer


@dataclass(order=True)
class Happening:
    """Something that is going to happen."""

    at: int
    number: int
    what: Callable[[], None] = field(compare=False)


class World:
    """One match from its opening until nothing more can happen."""

    def __init__(self, spec: MatchSpec, attempt: Attempt, seed: str, illegal: tuple[Any, ...]) -> None:
        self.random = Random(seed)
        self.attempt = attempt
        self.illegal = illegal  # actions that may be refused
        self.referee = Referee(spec, KeyedChance(attempt.block_key))
        self.book = Book(spec, attempt.block_key)
        self.now = 0
        self.trace: list[tuple[int, Any]] = []
        self.faults: list[str] = []
        self.plans = [Plan.draw(self.random) for _ in spec.seats]
        self.bots = [Bot(self, seat, plan) for seat, plan in enumerate(self.plans)]
        self.ends = [-1 for _ in spec.seats]  # told beyond the one that is due to each
        self._lazy = self.random.random() < 0.3  # deadlines are judged late, but before anything else happens
        self._happenings: list[Happening] = []
        self._number = 0

    def run(self) -> tuple[MatchPlay, MatchClock, MatchNotes]:
        """Plays the match, then lets everything arrive that is still on its way; returns what is recorded of it."""
        for bot in self.bots:
            self.after(self.ms(0, 40), bot.connect)
        while self.referee.phase is not Phase.OVER:
            assert self.now < LONGEST_US, "the match does not end"
            due, coming = self.referee.next_deadline, self._happenings[0].at if self._happenings else LONGEST_US
            assert due == self.book.next_due
            if due is not None and due <= coming:
                late = self.ms(0, 20) if self._lazy else 0
                self.now = min(due + late, max(coming, due))
                self._tick()
            else:
                self._next()
        recorded = record_parts(self.referee, self.attempt)
        while self._happenings:
            self._next()
        assert record_parts(self.referee, self.attempt) == recorded, "something changed after the end"
        return recorded

    def after(self, us: int, what: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._happenings, Happening(self.now + us, self._number, what))

    def ms(self, low: float, high: float) -> int:
        """Some microseconds between so many milliseconds."""
        return int(self.random.uniform(low, high) * US)

    def host(self, event: Input) -> None:
        """An event reaches the host."""
        if self.referee.phase is not Phase.OVER:
            self._tick()
        if self.referee.phase is Phase.OVER and isinstance(event, Joined):
            self.ends[event.seat] -= 1  # who comes later is told again
        self.trace.append((self.now, event))
        self.book.happened(event, self.now)
        self._deliver(self.referee.receive(event, self.now))

    def _next(self) -> None:
        happening = heapq.heappop(self._happenings)
        self.now = max(self.now, happening.at)
        happening.what()

    def _tick(self) -> None:
        self.book.let_time_pass(self.now)
        self._deliver(self.referee.tick(self.now))

    def _deliver(self, sends: list[Send]) -> None:
        for send in sends:
            self.trace.append((self.now, send))
            self._compare(send.seat, send.message)
            self.bots[send.seat].send_down(send.message)
        for seat, account in enumerate(self.book.accounts):
            turn = account.open
            assert turn is None or self.book.over or turn.announced, f"seat {seat} was not asked turn {turn.turn_id}"
        assert (self.referee.phase is Phase.OVER) == self.book.over

    def _compare(self, seat: Seat, message: Message) -> None:
        account = self.book.accounts[seat]
        match message:
            case Ask(turn_id, _, _, last_sequence, legal, remaining_us, bank_us, strikes):
                turn = account.open
                assert turn is not None, f"seat {seat} is not to be asked"
                assert (turn_id, legal, bank_us) == (turn.turn_id, turn.legal, turn.bank)
                assert remaining_us == max(turn.deadline - self.now, 0)
                assert (strikes, last_sequence) == (account.strikes, len(account.told))
                turn.announced = True
            case News(_, last_sequence, _):
                assert last_sequence == len(account.told)
            case Refused(strikes=int(strikes)):
                assert strikes <= account.strikes
            case End():
                self.ends[seat] += 1
