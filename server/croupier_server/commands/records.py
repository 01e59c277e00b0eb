"""`croupier replay` and `croupier verify`: what a record says, and whether it is true. From a file or from a store."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from croupier_server.match.faults import Fault
from croupier_server.match.playthrough import playthrough
from croupier_server.match.verify import Verified, describe
from croupier_server.match.verify import verify as verify_record

MAX_RECORD_BYTES = 64 << 20


class RecordError(Exception):
    """There is no record to read; in words for whoever asked."""


def replay(argv: Sequence[str]) -> int:
    """Prints a readable playthrough of a record."""
    return _run("replay", replay.__doc__, argv, playthrough)


def verify(argv: Sequence[str]) -> int:
    """Checks a record: hashes, commitment, every draw, legality, verdicts, clocks and outcome."""
    return _run("verify", verify.__doc__, argv, describe)


def _run(name: str, about: str | None, argv: Sequence[str], show: Callable[[Verified], Iterator[str]]) -> int:
    parser = argparse.ArgumentParser(prog=f"croupier {name}", description=about)
    parser.add_argument("record", metavar="RECORD", help="a record's file; with --store the id of a match")
    parser.add_argument("--store", metavar="URL", help="read the match from this store, e.g. sqlite:///cup.sqlite")
    args = parser.parse_args(argv)
    try:
        data = _from_store(args.store, args.record) if args.store else _from_file(Path(args.record))
        for line in show(verify_record(data)):
            print(line)
    except (RecordError, Fault) as error:
        print(f"croupier {name}: {args.record}: {error}", file=sys.stderr)
        return 2
    return 0


def _from_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_RECORD_BYTES + 1)
    except OSError as error:
        raise RecordError(error.strerror or str(error)) from error
    if len(data) > MAX_RECORD_BYTES:
        raise RecordError(f"is larger than {MAX_RECORD_BYTES} bytes, so it is no record")
    return data


def _from_store(url: str, match_id: str) -> bytes:
    try:
        from croupier_server.store import StoreError, open_store, reads
    except ModuleNotFoundError as error:  # a bare install reads files alone
        raise RecordError("--store needs the extra 'arena': pip install 'croupier[arena]'") from error
    try:
        with open_store(url) as store:
            row = store.read(reads.record, match_id)
    except StoreError as error:
        raise RecordError(str(error)) from error
    if row is None:
        raise RecordError("there is no such match in the store")
    if not row.match.open_to_all:
        raise RecordError("its block is not over; nothing of it but places, scores and time use is told before")
    return row.record
