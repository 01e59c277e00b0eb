"""What a cup says at its end on a terminal: its table, who was withdrawn, who forfeited how, where its files are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rich.console import Console

from croupier_server.match import codec
from croupier_server.match.record import IncidentKind
from croupier_server.match.spec import ForfeitReason, Termination
from croupier_server.store import Store, reads
from croupier_tournament.place import CupPlace
from croupier_tournament.results import CupResults
from croupier_tournament.table import print_standings
from croupier_tournament.withdrawal import FAILED_STARTS

_SHOWN = 20  # forfeits


def print_report(console: Console, store: Store, results: CupResults, place: CupPlace, files: Iterable[Path]) -> None:
    """Prints all of it."""
    print_standings(console, results.cup, results.standings)
    lines = [
        f"{name} was withdrawn after match {after}: {FAILED_STARTS} failed starts in a row"
        for name, after in results.withdrawn.items()
    ]
    lines += [
        f"match {match.number} was aborted by a fault of the host, and its block does not count; see {place.server_log}"
        for match, played in results.over
        if played.result.termination is Termination.ABORTED
    ]
    lines += _forfeits(store, results)
    if any(place.bots.glob("*/*")):
        lines.append(f"what the bots wrote: {place.bots}")
    lines.append(f"results: {', '.join(map(str, files))}")
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _forfeits(store: Store, results: CupResults) -> list[str]:
    """A line each, but for those that follow from a withdrawal."""
    forfeits = [
        (match, forfeit)
        for match, played in results.over
        for forfeit in played.result.forfeits
        if forfeit.reason is not ForfeitReason.WITHDRAWN
    ]
    match_ids = {row.number: row.match_id for row in store.read(reads.matches, results.cup.name) if row.current}
    lines = []
    for match, forfeit in forfeits[:_SHOWN]:
        reason = forfeit.reason.name.lower().replace("_", " ")
        detail = _details(store, match_ids[match.number]).get(forfeit.seat)
        how = f" ({detail})" if detail else ""
        lines.append(f"match {match.number}: {match.entrants[forfeit.seat]} forfeited: {reason}{how}")
    if len(forfeits) > _SHOWN:
        lines.append(f"and {len(forfeits) - _SHOWN} more forfeits")
    return lines


def _details(store: Store, match_id: str | None) -> Mapping[int, str]:
    """How forfeits came about, in words, by seat."""
    row = store.read(reads.record, match_id) if match_id is not None else None
    if row is None:
        return {}
    clock = codec.read_clock(codec.read_record(row.record).clock)
    return {item.seat: item.detail for item in clock.incidents if item.kind is IncidentKind.FORFEITED}
