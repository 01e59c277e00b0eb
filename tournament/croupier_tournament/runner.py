"""Runs a cup: plays what its ledger says is next, several matches at a time, and commits every outcome once.

It is the only writer of its cup. A match is committed before the ledger knows of it, so whatever is killed when, a
resumed cup has the same outcomes and plays nothing twice.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection

from croupier.v1 import record_pb2
from croupier_server.launcher.client import Launcher, LauncherLostError
from croupier_server.store import AttemptState, NewAttempt, StandingRow, Walkover, Writer, reads, writes
from croupier_server.store import Standings as StoredStandings
from croupier_tournament.cupfile import CupFile, Isolation
from croupier_tournament.engines.local import MatchOrder
from croupier_tournament.ledger import Ledger, Outcome, outcome_of, walkover_rows
from croupier_tournament.orders import match_key, match_spec
from croupier_tournament.pairing import ScheduledMatch
from croupier_tournament.played import Played
from croupier_tournament.standings import Standings

P = ParamSpec("P")
T = TypeVar("T")

_TABLE_SECONDS = 1.0  # between two computations of the live table


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

    def over(self, match: ScheduledMatch, played: Played, details: dict[int, str]) -> None:
        """A match is over; `details` tells how forfeits came about, by seat."""
        ...

    def table(self, standings: Standings, done: int, total: int) -> None:
        """There is a new table."""
        ...


def take_up(writer: Writer, cup: CupFile, ledger: Ledger, blocks: dict[int, int]) -> int:
    """Ends the attempts that a dead runner left; returns how many.

    Where the bots were launched afresh the match is played again with the same deal. Bots that lived on, or were
    remote, have seen it: then the block is drawn anew and what was committed of it does not count (design: time and
    blame). `blocks` maps match numbers to block numbers.
    """
    interrupted = writer.submit(writes.mark_interrupted, cup.name, "the runner ended").result()
    remote = {entrant.name for entrant in cup.entrants if entrant.remote}
    by_number = {match.number: match for match in ledger.schedule}
    seen = {
        blocks[attempt.number]
        for attempt in interrupted
        if cup.isolation is Isolation.SESSION or remote.intersection(by_number[attempt.number].entrants)
    }
    for block in sorted(seen):
        ledger.redraws[block] = writer.submit(writes.redraw_block, cup.name, block).result()
        for number in [number for number in ledger.results if blocks[number] == block]:
            del ledger.results[number]
    return len(interrupted)


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

    async def run(self) -> Standings:
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
                done = [task for task in self._running if task.done()]
                for played in sorted(done, key=lambda task: self._running[task].number):
                    self._take(self._running.pop(played), played.result())
                await self._settle()
                await self._show_table()
        finally:
            for task in [lost, *self._running]:
                task.cancel()
            await asyncio.gather(lost, *self._running, return_exceptions=True)
        standings = await self._show_table(final=True)
        await self._write(writes.close_cup, self.cup.name, closed_unix_ms=_now_ms())
        return standings

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
        """One attempt, from its announcement in the store to its outcome there."""
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
        outcome = outcome_of(record.SerializeToString(deterministic=True), match.entrants, _now_ms())
        await self._write(writes.commit_match, outcome.row)
        return outcome

    def _take(self, match: ScheduledMatch, outcome: Outcome) -> None:
        self.ledger.results[match.number] = outcome.played
        self.watcher.over(match, outcome.played, dict(outcome.details))

    async def _settle(self) -> None:
        """Applies the withdrawal rule, and commits the matches that are not played because of it."""
        for name, after in self.ledger.newly_withdrawn().items():
            later = [m for m in self.ledger.schedule if name in m.entrants and m.number > after]
            await self._give_up([m for m in later if m in self._running.values()])
            overridden = [m.number for m in later if m.number in self.ledger.results]
            await self._write(writes.withdraw_entrant, self.cup.name, name, after_match=after, overridden=overridden)
            for match in later:
                played = self.ledger.stands(match)
                if played is not None and not played.play_hash:
                    await self._commit_walkover(match, played)

    async def _give_up(self, matches: list[ScheduledMatch]) -> None:
        """Ends running matches that no longer have to be played, or have to be played otherwise."""
        tasks = [task for task, match in self._running.items() if match in matches]
        for task in tasks:
            task.cancel()
        for task, outcome in zip(tasks, await asyncio.gather(*tasks, return_exceptions=True), strict=True):
            match = self._running.pop(task)
            if isinstance(outcome, Outcome):  # it was over already
                self._take(match, outcome)
            elif not isinstance(outcome, asyncio.CancelledError):
                raise outcome
        running = {match.number for match in matches}
        await self._write(_abort_attempts, self.cup.name, running, "an entrant was withdrawn")

    async def _commit_walkover(self, match: ScheduledMatch, played: Played) -> None:
        redraw = self.ledger.redraws[match.block_number]
        rows = walkover_rows(match, played)
        await self._write(writes.commit_walkover, Walkover(self.cup.name, match.number, redraw, rows, _now_ms()))
        self.watcher.over(match, played, {})

    async def _show_table(self, *, final: bool = False) -> Standings:
        loop = asyncio.get_running_loop()
        if not final and loop.time() < self._table_due:
            return Standings((), 0)
        standings = await asyncio.to_thread(self.ledger.standings)
        await self._write(writes.replace_standings, self.cup.name, stored_standings(standings))
        self.watcher.table(standings, len(self.ledger.effective()), len(self.ledger.schedule))
        self._table_due = loop.time() + _TABLE_SECONDS
        return standings

    async def _write(self, write: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        future: Future[T] = self.writer.submit(write, *args, **kwargs)
        return await asyncio.wrap_future(future)


def _abort_attempts(connection: Connection, cup: str, numbers: set[int], detail: str) -> None:
    """Ends the running attempts at some matches of a cup."""
    for attempt in reads.attempts(connection, cup, state=AttemptState.RUNNING):
        if attempt.number in numbers:
            writes.abort_attempt(connection, attempt.match_id, detail)


def stored_standings(standings: Standings) -> StoredStandings:
    """The table as the store keeps it."""
    rows: list[Any] = [
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
    ]
    return StoredStandings(standings.blocks, tuple(rows))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
