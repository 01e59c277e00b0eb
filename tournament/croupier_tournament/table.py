"""The table of a cup for people, on a terminal or in a log; 80 columns are enough. It rounds; the files do not."""

from __future__ import annotations

from collections.abc import Callable

from rich import box
from rich.console import Console
from rich.table import Table

from croupier_tournament.cupfile import CupFile, Isolation
from croupier_tournament.standings import Standing, Standings

_COLUMNS: tuple[tuple[str, Callable[[Standing], str]], ...] = (
    ("#", lambda row: str(row.rank)),
    ("bot", lambda row: row.bot),
    ("Elo", lambda row: f"{row.elo:.0f}"),
    ("±", lambda row: _number(row.elo_margin, 0)),
    ("seq.", lambda row: f"{row.sequential_elo:.0f}"),
    ("matches", lambda row: str(row.matches)),
    ("wins", lambda row: str(row.wins)),
    ("draws", lambda row: str(row.draws)),
    ("losses", lambda row: str(row.losses)),
    ("forf.", lambda row: str(row.forfeits)),
    ("ms/turn", lambda row: _number(row.ms_per_turn, 1)),
)
_NAME = "bot"  # the one column that is set to the left, and the one that gives way where a terminal is too narrow
_KEEPS_APART = {
    Isolation.SESSION: "bots live on from match to match and can remember",
    Isolation.PROCESS: "a fresh process for every match",
}


def standings_table(standings: Standings) -> Table:
    """The rows, best first."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False)
    for header, _ in _COLUMNS:
        if header == _NAME:
            table.add_column(header, overflow="fold")
        else:
            table.add_column(header, justify="right", no_wrap=True)
    for row in standings.rows:
        table.add_row(*(cell(row) for _, cell in _COLUMNS))
    return table


def print_standings(console: Console, cup: CupFile, standings: Standings) -> None:
    """The table, and below it what it rests on and what kept the bots apart."""
    remote = "; remote bots live on" if any(entrant.remote for entrant in cup.entrants) else ""
    console.print(standings_table(standings))
    console.print(
        f"{standings.blocks} complete block{'s' * (standings.blocks != 1)}, {cup.deals.name.lower()} deals; "
        f"isolation {cup.isolation.name.lower()}: {_KEEPS_APART[cup.isolation]}{remote}; "
        "trusted: bots were not locked in",
        highlight=False,
        markup=False,
    )


def _number(value: float | None, decimals: int) -> str:
    return "-" if value is None else f"{value:.{decimals}f}"
