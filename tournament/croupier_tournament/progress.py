"""How a running cup looks: a live table with a progress bar on a terminal, plain lines everywhere else."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from croupier_tournament.standings import Standings
from croupier_tournament.table import standings_table

_LINE_SECONDS = 5.0  # between two plain lines


class ProgressView:
    """Shows how a cup goes; a context manager."""

    def __init__(self, console: Console, cup: str, total: int) -> None:
        self._console, self._cup = console, cup
        self._line_due = 0.0
        self._done = -1
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            expand=True,
        )
        self._task = self._bar.add_task(f"cup {cup}", total=total)
        self._table: Table | None = None
        self._live = Live(self._picture(), console=console, transient=True) if console.is_terminal else None

    def say(self, line: str) -> None:
        """Prints a line, above the live table if there is one."""
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    def over(self) -> None:
        """One more match is over."""
        self._bar.advance(self._task)
        self._draw()

    def table(self, standings: Standings, done: int, total: int) -> None:
        """There is a new table."""
        self._bar.update(self._task, completed=done)
        self._table = standings_table(standings)
        self._draw()
        now = time.monotonic()
        if self._live is None and (now >= self._line_due or done == total) and done != self._done:
            leader = f"; {standings.rows[0].bot} leads" if standings.blocks else ""
            self.say(f"cup {self._cup}: {done} of {total} matches{leader}")
            self._line_due, self._done = now + _LINE_SECONDS, done

    def _picture(self) -> Group:
        return Group(self._table, self._bar) if self._table is not None else Group(self._bar)

    def _draw(self) -> None:
        if self._live is not None:
            self._live.update(self._picture())

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
