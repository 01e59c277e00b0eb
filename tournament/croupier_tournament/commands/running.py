"""`croupier cup run` and `resume`: everything is checked before anything is written or started; then it is played."""

from __future__ import annotations

import argparse
import asyncio
import difflib
import os
import secrets
import shlex
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from croupier import VERSION
from croupier_server.games import GAMES
from croupier_server.launcher.client import LauncherLostError, LaunchError
from croupier_server.match.keys import SECRET_BYTES
from croupier_server.service.session import credential_hash
from croupier_server.store import (
    Access,
    CupExistsError,
    NewCup,
    NewEntrant,
    Store,
    StoreError,
    Writer,
    open_store,
    reads,
    writes,
)
from croupier_server.store import Isolation as StoredIsolation
from croupier_tournament.commands.reading import read_results
from croupier_tournament.cupfile import CupFile, Deals
from croupier_tournament.cupfile_on_disk import check_commands, load_cup_file
from croupier_tournament.engines.local import Program
from croupier_tournament.engines.server_line import ServerError
from croupier_tournament.ledger import cup_schedule, load_ledger
from croupier_tournament.place import CupPlace
from croupier_tournament.playing import PreparedCup, play_cup
from croupier_tournament.progress import ProgressView
from croupier_tournament.report import print_report
from croupier_tournament.results import write_results
from croupier_tournament.runner import take_up

FAILED, FORFEITED, INTERRUPTED = 1, 3, 130


class RunError(Exception):
    """A cup cannot be run like this; nothing was started or written."""


def run(args: argparse.Namespace) -> int:
    """Plays a cup from its file to the final table."""
    cup, programs = _read_cup(args.file)
    secret = _read_secret(args.secret_file) if args.secret_file else secrets.token_bytes(SECRET_BYTES)
    place = CupPlace.of(cup.name, args.folder, args.store)
    tokens = {entrant.name: secrets.token_urlsafe(32) for entrant in cup.entrants if entrant.remote}
    with _at_work(place, Access.CREATE) as (store, writer):
        try:
            writer.submit(writes.create_cup, _new_cup(cup, args.file.read_bytes(), secret, tokens)).result()
        except CupExistsError as error:
            raise RunError(f"{error}; {_go_on(args)}") from error
        ledger = load_ledger(store, cup)
        return _play(args, PreparedCup(cup, place, programs, store, writer, ledger, secret, tokens))


def resume(args: argparse.Namespace) -> int:
    """Goes on with a cup that was interrupted; of one that is over it writes the results again."""
    cup, programs = _read_cup(args.file)
    place = CupPlace.of(cup.name, args.folder, args.store)
    place.check_there()
    with _at_work(place, Access.WRITE) as (store, writer):
        setup = store.read(reads.cup_setup, cup.name)
        _check_unchanged(setup.file, args.file)
        if store.read(reads.cup, cup.name).closed:
            return _report(args, store, place)
        ledger = load_ledger(store, cup)
        take_up(writer, cup, ledger)
        return _play(args, PreparedCup(cup, place, programs, store, writer, ledger, setup.secret, {}))


def _play(args: argparse.Namespace, prepared: PreparedCup) -> int:
    """Plays and reports; the exit code."""
    place = prepared.place
    try:
        with ProgressView(_console(args), prepared.cup.name, len(prepared.ledger.schedule)) as view:
            asyncio.run(play_cup(prepared, view))
    except (KeyboardInterrupt, asyncio.CancelledError):
        print(f"interrupted; {_go_on(args)}", file=sys.stderr)
        return INTERRUPTED
    except (ServerError, LaunchError, LauncherLostError, StoreError) as error:
        print(f"croupier cup: {error}; see {place.server_log}; {_go_on(args)}", file=sys.stderr)
        return FAILED
    return _report(args, prepared.store, place)


def _report(args: argparse.Namespace, store: Store, place: CupPlace) -> int:
    """Says how the cup ended, on the terminal and in files; the exit code."""
    results = read_results(store, place.cup)
    try:
        files = write_results(results, place.folder)
    except OSError as error:
        print(f"croupier cup: {error.filename}: {error.strerror}; {_go_on(args)}", file=sys.stderr)
        return FAILED
    print_report(_console(args), store, results, place, files)
    forfeited = any(played.result.forfeits for _, played in results.over)
    return FORFEITED if args.strict and forfeited else 0


def _console(args: argparse.Namespace) -> Console:
    return Console(force_terminal=False if args.plain else None)


def _go_on(args: argparse.Namespace) -> str:
    """How to go on with the cup that these arguments are about, ready to be typed."""
    words = ["croupier", "cup", "resume", str(args.file)]
    for option in ("folder", "store"):
        if value := getattr(args, option):
            words += [f"--{option}", str(value)]
    return f"go on with: {shlex.join(words)}"


def _read_cup(file: Path) -> tuple[CupFile, dict[str, Program]]:
    """The cup and the programs of its launched entrants, checked as far as this machine goes."""
    cup = load_cup_file(file, GAMES, len(os.sched_getaffinity(0)))
    entrants = {entrant.name: entrant for entrant in cup.entrants}
    programs = {name: Program(command, entrants[name].env) for name, command in check_commands(cup, file).items()}
    _check_listen(cup.listen, file)
    return cup, programs


@contextmanager
def _at_work(place: CupPlace, access: Access) -> Iterator[tuple[Store, Writer]]:
    """The store and its writing end, for the one runner that the cup may have."""
    with (
        place.made(),
        open_store(place.store, access) as store,
        store.run_lock(place.cup),
        store.writer() as writer,
    ):
        yield store, writer


def _new_cup(cup: CupFile, data: bytes, secret: bytes, tokens: dict[str, str]) -> NewCup:
    hashes = {name: credential_hash(token) for name, token in tokens.items()}
    return NewCup(
        name=cup.name,
        game=cup.game.id,
        file=data,
        secret=secret,
        isolation=StoredIsolation[cup.isolation.name],
        duplicate=cup.deals is Deals.DUPLICATE,
        seats=cup.players,
        entrants=tuple(NewEntrant(e.name, e.remote, hashes.get(e.name)) for e in cup.entrants),
        schedule=tuple(match.block_number for match in cup_schedule(cup)),
        created_unix_ms=time.time_ns() // 1_000_000,
        version=VERSION,
    )


def _read_secret(path: Path) -> bytes:
    try:
        secret = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as error:
        raise RunError(f"{path}: expected {2 * SECRET_BYTES} hexadecimal digits ({error})") from error
    if len(secret) != SECRET_BYTES:
        raise RunError(
            f"{path}: {len(secret)} bytes; expected {SECRET_BYTES}, as {2 * SECRET_BYTES} hexadecimal digits"
        )
    return secret


def _check_listen(listen: str, file: Path) -> None:
    """Refuses an address that cannot be had, before anything is written."""
    host, _, port = listen.rpartition(":")
    family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host.strip("[]"), int(port)))
    except OSError as error:
        raise RunError(f"{file}: cup.listen: cannot listen on {listen}: {error.strerror}") from error


def _check_unchanged(stored: bytes, path: Path) -> None:
    found = path.read_bytes()
    if found == stored:
        return
    before, after = (data.decode(errors="replace").splitlines() for data in (stored, found))
    difference = difflib.unified_diff(before, after, "as the cup began", str(path), n=0, lineterm="")
    raise RunError("the cup file has changed since the cup began:\n" + "\n".join(difference))
