"""Runs a cup: plays what its ledger says is next, several matches at a time, and commits every outcome once.

It is the only writer of its cup. A match is committed before the ledger knows of it, so whatever is killed when, a
resumed cup has the same outcomes and plays nothing twice.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from croupier.v1 import record_pb2
from croupier_server.launcher.client import Launcher, LauncherLostError
from croupier_server.store import AttemptRow, Connection, NewAttempt, StandingRow, Walkover, Writer, writes
from croupier_server.store import Standings as StoredStandings
from croupier_tournament import bookkeeping
from croupier_tournament.cupfile import CupFile, Isolation
from croupier_tournament.engines.local import MatchOrder
from croupier_tournament.ledger import Ledger, Outcome, outcome_of, walkover_rows
from croupier_tournament.orders import match_key, match_spec
from croupier_tournament.pairing import ScheduledMatch
from croupier_tournament.played import Played
from croupier_tournament.standings import Standings

P = ParamSpec("P")
T = TypeVar("T")

_TABLE_SECONDS = 1.0  # between two computations of the live table, at least,
_TABLE_SHARE = 10  # and so many times as long as one takes: no match begins meanwhile


class Engine(Protocol):
    """Whoever plays matches."""

    async def play(self, order: MatchOrder) -> record_pb2.MatchRecord:
        """From an order to a record."""
        ...

    def capacity(self, entrant: str) -> int | None:
        """How many matches an entrant can play at a time; None for no bound."""
        ...


class Watcher(Protocol):
    """Whoever shows how a cup goes."""

    def say(self, line: str) -> None:
        """There is something to be told at once."""
        ...

    def over(self) -> None:
        """One more match is over."""
        ...

    def table(self, standings: Standings, done: int, total: int) -> None:
        """There is a new table."""
        ...


def take_up(writer: Writer, cup: CupFile, ledger: Ledger) -> None:
    """Ends the attempts that a dead runner left.

    Where the bots were launched afresh the match is played again with the same deal. Bots that lived on, or were
    remote, have seen it: then the block is drawn anew and what was committed of it does not count (design: time and
    blame).
    """
    remote = {entrant.name for entrant in cup.entrants if entrant.remote}
    entrants = {match.number: match.entrants for match in ledger.schedule}

    def seen(attempt: AttemptRow) -> bool:
        return cup.isolation is Isolation.SESSION or not remote.isdisjoint(entrants[attempt.number])

    ledger.redraw(writer.submit(bookkeeping.take_up, cup.name, seen).result())


@dataclass
class CupRunner:
    """Plays a cup to its end."""

    cup: CupFile
    secret: bytes
    ledger: Ledger
    writer: Writer
    engine: Engine
    launcher: Launcher
    watcher: Watcher

    def __post_init__(self) -> None:
        self._running: dict[asyncio.Task[Outcome], ScheduledMatch] = {}
        self._table_due = 0.0

    async def run(self) -> None:
        """Plays what is open, writes the table and closes the cup.

        Raises ServerError or LauncherLostError when the host's machinery is gone; the cup can be resumed then.
        """
        lost = asyncio.create_task(self.launcher.lost())
        try:
            await self._settle()
            while self._start_matches() or self._running:
                await asyncio.wait({*self._running, lost}, return_when=asyncio.FIRST_COMPLETED)
                if lost.done():
                    raise LauncherLostError(f"the launcher of the bots has ended: {lost.result()}")
                await self._commit([task for task in self._running if task.done()])
                await self._settle()
                if asyncio.get_running_loop().time() >= self._table_due:
                    await self._show_table()
        finally:
            for task in [lost, *self._running]:
                task.cancel()
            await asyncio.gather(lost, *self._running, return_exceptions=True)
        await self._show_table()
        await self._write(writes.close_cup, self.cup.name, closed_unix_ms=_now_ms())

    def _start_matches(self) -> bool:
        """Starts matches while there is room; tells whether it started any."""
        started = False
        while len(self._running) < self.cup.parallel:
            match = self.ledger.next_match(self._running.values(), self.engine.capacity)
            if match is None:
                break
            self._running[asyncio.create_task(self._play(match))] = match
            started = True
        return started

    async def _play(self, match: ScheduledMatch) -> Outcome:
        """One attempt, from its announcement in the store to its outcome, which is not there yet."""
        redraw = self.ledger.redraws[match.block_number]
        match_id = secrets.token_hex(16)
        number = await self._write(
            writes.begin_attempt, NewAttempt(match_id, self.cup.name, match.number, redraw, _now_ms())
        )
        order = MatchOrder(
            match_id=match_id,
            number=match.number,
            attempt=number,
            spec=match_spec(self.cup, match, self.secret, redraw),
            block_key=match_key(self.cup, match, self.secret, redraw),
            withdrawn_seats=self.ledger.withdrawn_seats(match),
        )
        record = await self.engine.play(order)
        return outcome_of(record.SerializeToString(deterministic=True), match.entrants, _now_ms())

    async def _commit(self, done: Sequence[asyncio.Task[Outcome]]) -> None:
        """Commits what was played, and only then knows of it."""
        over = [(self._running.pop(task), task.result()) for task in done]
        await asyncio.gather(*[self._write(writes.commit_match, outcome.row) for _, outcome in over])
        for match, outcome in over:
            self.ledger.results[match.number] = outcome.played
            self.watcher.over()

    async def _settle(self) -> None:
        """Applies the withdrawal rule, and commits what follows from it."""
        for name, after in self.ledger.newly_withdrawn().items():
            later = [match for match in self.ledger.schedule if name in match.entrants and match.number > after]
            given_up = await self._give_up(later)
            overridden = self.ledger.override(later)
            walkovers = self.ledger.walkovers(later)
            rows = tuple([self._walkover(match, played) for match, played in walkovers.items()])
            withdrawal = bookkeeping.Withdrawal(name, after, given_up, overridden, rows)
            await self._write(bookkeeping.withdraw, self.cup.name, withdrawal)
            self.ledger.results.update({match.number: played for match, played in walkovers.items()})

    async def _give_up(self, matches: Sequence[ScheduledMatch]) -> frozenset[int]:
        """Ends the running ones of these matches, also those that were just played; returns their numbers."""
        tasks = [task for task, match in self._running.items() if match in matches]
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception):  # which a cancellation is not
                raise outcome
        return frozenset(self._running.pop(task).number for task in tasks)

    def _walkover(self, match: ScheduledMatch, played: Played) -> Walkover:
        redraw = self.ledger.redraws[match.block_number]
        return Walkover(self.cup.name, match.number, redraw, walkover_rows(match, played), _now_ms())

    async def _show_table(self) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        standings = await asyncio.to_thread(self.ledger.standings)
        await self._write(writes.replace_standings, self.cup.name, stored_standings(standings))
        self.watcher.table(standings, len(self.ledger.effective()), len(self.ledger.schedule))
        self._table_due = loop.time() + max(_TABLE_SECONDS, _TABLE_SHARE * (loop.time() - began))

    async def _write(self, write: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        future: Future[T] = self.writer.submit(write, *args, **kwargs)
        return await asyncio.wrap_future(future)


def stored_standings(standings: Standings) -> StoredStandings:
    """The table as the store keeps it."""
    rows = tuple(
        StandingRow(
            rank=row.rank,
            entrant=row.bot,
            elo=row.elo,
            elo_margin=row.elo_margin,
            sequential_elo=row.sequential_elo,
            matches=row.matches,
            wins=row.wins,
            draws=row.draws,
            losses=row.losses,
            forfeits=row.forfeits,
            ms_per_turn=row.ms_per_turn,
        )
        for row in standings.rows
    )
    return StoredStandings(standings.blocks, rows)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
