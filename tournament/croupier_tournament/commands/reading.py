"""`croupier cup status`, `standings`, `export`: what a store says of a cup, also while it runs. They only read it."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from croupier_server.games import GAMES
from croupier_server.store import AttemptState, Store, open_store, reads
from croupier_tournament.cupfile import CupFile, parse_cup_file
from croupier_tournament.ledger import load_ledger
from croupier_tournament.place import PlaceError, find_place
from croupier_tournament.results import CupResults, write_results
from croupier_tournament.table import print_standings

RECORDS = "records"  # the folder of exported records


def status(args: argparse.Namespace) -> int:
    """Says how far a cup has come."""
    place = find_place(args.cup, args.folder, args.store)
    with open_store(place.store) as store:
        cup = store.read(reads.cup, place.cup)
        attempts = store.read(reads.attempts, place.cup)
        entrants = store.read(reads.entrants, place.cup)
    state = "over" if cup.closed else "open"
    print(f"cup {cup.name}: {state}, {cup.matches_over} of {cup.matches_scheduled} matches over")
    print(f"game {cup.game}, isolation {cup.isolation}, deals {'duplicate' if cup.duplicate else 'independent'}")
    for attempt_state in AttemptState:
        count = sum(attempt.state is attempt_state for attempt in attempts)
        if count:
            print(f"attempts {attempt_state}: {count}")
    for entrant in entrants:
        if entrant.withdrawn:
            print(f"entrant {entrant.name} was withdrawn after match {entrant.withdrawn_after}")
    return 0


def standings(args: argparse.Namespace) -> int:
    """Prints the table of a cup as of now."""
    place = find_place(args.cup, args.folder, args.store)
    with open_store(place.store) as store:
        results = read_results(store, place.cup)
    print_standings(Console(), results.cup, results.standings)
    return 0


def export(args: argparse.Namespace) -> int:
    """Writes results.json, results.csv and the records of all blocks that are over."""
    place = find_place(args.cup, args.folder, args.store)
    folder: Path = args.to or place.folder
    with open_store(place.store) as store:
        try:
            paths = write_results(read_results(store, place.cup), folder)
            count = _write_records(store, place.cup, folder / RECORDS)
        except OSError as error:
            raise PlaceError(f"{error.filename}: {error.strerror}; expected a folder that can be written to") from error
    print(*paths, f"{folder / RECORDS} ({count} records)", sep="\n")
    return 0


def read_results(store: Store, name: str) -> CupResults:
    """The results of a cup as of now."""
    cup = stored_cup(store, name)
    ledger = load_ledger(store, cup)
    return CupResults(cup, ledger.schedule, ledger.effective(), ledger.withdrawn, ledger.standings())


def stored_cup(store: Store, name: str) -> CupFile:
    """The cup as its file ordered it; the store keeps the file's bytes."""
    return parse_cup_file(store.read(reads.cup_setup, name).file, f"the file of cup {name}", GAMES, cores=1)


def _write_records(store: Store, cup: str, folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for row in store.read(reads.matches, cup):
        if row.open_to_all and row.match_id is not None:
            record = store.read(reads.record, row.match_id)
            assert record is not None
            (folder / f"{row.number:06d}-{row.match_id}.record").write_bytes(record.record)
            count += 1
    return count
