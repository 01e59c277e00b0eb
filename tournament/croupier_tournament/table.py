"""The table of a cup for people: plain text, and a rich table for terminals. It rounds; the files do not."""

from __future__ import annotations

from collections.abc import Callable

from rich.table import Table

from croupier_tournament.cupfile import CupFile, Isolation
from croupier_tournament.standings import Standing, Standings

_COLUMNS: tuple[tuple[str, Callable[[Standing], str]], ...] = (
    ("#", lambda row: str(row.rank)),
    ("bot", lambda row: row.bot),
    ("Elo", lambda row: f"{row.elo:.1f}"),
    ("±", lambda row: _number(row.elo_margin)),
    ("seq. Elo", lambda row: f"{row.sequential_elo:.1f}"),
    ("matches", lambda row: str(row.matches)),
    ("wins", lambda row: str(row.wins)),
    ("draws", lambda row: str(row.draws)),
    ("losses", lambda row: str(row.losses)),
    ("forfeits", lambda row: str(row.forfeits)),
    ("ms/turn", lambda row: _number(row.ms_per_turn)),
)
_TO_THE_LEFT = {"bot"}
_KEEPS_APART = {
    Isolation.SESSION: "bots live on from match to match and can remember",
    Isolation.PROCESS: "a fresh process for every match",
}


def standings_text(standings: Standings) -> str:
    """Lines of plain text, the header first; columns are two spaces apart."""
    lines = [[header for header, _ in _COLUMNS], *([cell(row) for _, cell in _COLUMNS] for row in standings.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(
        "  ".join(
            cell.ljust(width) if header in _TO_THE_LEFT else cell.rjust(width)
            for cell, width, (header, _) in zip(line, widths, _COLUMNS, strict=True)
        ).rstrip()
        + "\n"
        for line in lines
    )


def standings_table(standings: Standings, caption: str | None = None) -> Table:
    """The same for a terminal."""
    table = Table(caption=caption)
    for header, _ in _COLUMNS:
        table.add_column(header, justify="left" if header in _TO_THE_LEFT else "right")
    for row in standings.rows:
        table.add_row(*(cell(row) for _, cell in _COLUMNS))
    return table


def standings_caption(cup: CupFile, standings: Standings) -> str:
    """One line that says what the table rests on, and what kept the bots apart."""
    apart = _KEEPS_APART[cup.isolation]
    remote = "; remote bots live on" if any(entrant.remote for entrant in cup.entrants) else ""
    return (
        f"{standings.blocks} complete blocks, {cup.deals.name.lower()} deals; "
        f"isolation {cup.isolation.name.lower()}: {apart}{remote}; trusted: bots were not locked in"
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
