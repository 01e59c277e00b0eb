"""`croupier cup run` and `resume`: from a cup file to a final table, through real processes."""

from __future__ import annotations

import argparse
import asyncio
import difflib
import os
import secrets
import signal
import socket
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

from rich.console import Console

from croupier import VERSION
from croupier_server.games import GAMES
from croupier_server.launcher.client import Launcher, LauncherLostError, LaunchError
from croupier_server.match.keys import SECRET_BYTES
from croupier_server.service.session import credential_hash
from croupier_server.store import Access, CupExistsError, NewCup, NewEntrant, Store, Writer, open_store, reads, writes
from croupier_server.store import Isolation as StoredIsolation
from croupier_tournament.commands.reading import read_results
from croupier_tournament.cupfile import CupFile, Deals, Isolation
from croupier_tournament.cupfile_on_disk import check_commands, load_cup_file
from croupier_tournament.engines.local import LocalEngine, Program
from croupier_tournament.engines.server_line import ServerError, ServerLine
from croupier_tournament.engines.server_process import server_process
from croupier_tournament.ledger import Ledger, cup_schedule, load_ledger
from croupier_tournament.place import CupPlace
from croupier_tournament.progress import ProgressView
from croupier_tournament.results import write_results
from croupier_tournament.runner import CupRunner, take_up
from croupier_tournament.standings import Standings
from croupier_tournament.table import standings_caption, standings_table

FAILED, FORFEITED, INTERRUPTED = 1, 3, 130
_KEEPALIVE_MARGIN_MS = 20_000  # beyond the longest turn
_SHOWN_FORFEITS = 20


class RunError(Exception):
    """A cup cannot be run like this; nothing was started or written."""


def run(args: argparse.Namespace) -> int:
    """Plays a cup from its file to the final table."""
    cup = load_cup_file(args.file, GAMES, _cores())
    programs = _programs(cup, args.file)
    secret = _read_secret(args.secret_file) if args.secret_file else secrets.token_bytes(SECRET_BYTES)
    place = CupPlace.of(cup.name, args.folder, args.store)
    _check_listen(cup.listen)
    tokens = {entrant.name: secrets.token_urlsafe(32) for entrant in cup.entrants if entrant.remote}
    place.folder.mkdir(parents=True, exist_ok=True)
    with open_store(place.store, Access.CREATE) as store, store.run_lock(cup.name), store.writer() as writer:
        try:
            writer.submit(writes.create_cup, _new_cup(cup, args.file.read_bytes(), secret, tokens)).result()
        except CupExistsError as error:
            raise RunError(f"{error}; go on with it: croupier cup resume {args.file}") from error
        return _play(args, cup, place, programs, store, writer, load_ledger(store, cup), secret, tokens)


def resume(args: argparse.Namespace) -> int:
    """Goes on with a cup that was interrupted."""
    cup = load_cup_file(args.file, GAMES, _cores())
    programs = _programs(cup, args.file)
    place = CupPlace.of(cup.name, args.folder, args.store)
    _check_listen(cup.listen)
    with open_store(place.store, Access.WRITE) as store, store.run_lock(cup.name), store.writer() as writer:
        setup = store.read(reads.cup_setup, cup.name)
        _check_unchanged(setup.file, args.file)
        if store.read(reads.cup, cup.name).closed:
            raise RunError(f"cup {cup.name!r} is over: croupier cup standings {args.file}")
        ledger = load_ledger(store, cup)
        blocks = {match.number: match.block_number for match in ledger.schedule}
        take_up(writer, cup, ledger, blocks)
        return _play(args, cup, place, programs, store, writer, ledger, setup.secret, {})


def _play(
    args: argparse.Namespace,
    cup: CupFile,
    place: CupPlace,
    programs: dict[str, Program],
    store: Store,
    writer: Writer,
    ledger: Ledger,
    secret: bytes,
    tokens: dict[str, str],
) -> int:
    console = Console(force_terminal=False if args.plain else None)
    errors = Console(stderr=True)
    with ProgressView(console, cup.name, len(ledger.schedule)) as view:
        try:
            standings = asyncio.run(_run_cup(cup, place, programs, store, writer, ledger, secret, tokens, view))
        except (KeyboardInterrupt, asyncio.CancelledError):
            errors.print(f"interrupted; go on with: croupier cup resume {args.file}", highlight=False)
            return INTERRUPTED
        except (ServerError, LaunchError, LauncherLostError) as error:
            errors.print(f"croupier cup: {error}; go on with: croupier cup resume {args.file}", highlight=False)
            return FAILED
    paths = write_results(read_results(store, cup.name), place.folder)
    _report(console, cup, standings, view, paths)
    return FORFEITED if args.strict and any(row.forfeits for row in standings.rows) else 0


async def _run_cup(
    cup: CupFile,
    place: CupPlace,
    programs: dict[str, Program],
    store: Store,
    writer: Writer,
    ledger: Ledger,
    secret: bytes,
    tokens: dict[str, str],
    view: ProgressView,
) -> Standings:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with AsyncExitStack() as stack:
        launcher = await stack.enter_async_context(Launcher.start())
        server = await stack.enter_async_context(
            server_process(
                listen=cup.listen,
                store=place.store,
                keepalive_timeout_ms=cup.clock.turn_cap_ms + _KEEPALIVE_MARGIN_MS,
                log=place.server_log,
                launcher=launcher,
            )
        )
        keep_alive = cup.isolation is Isolation.SESSION
        engine = LocalEngine(server, launcher, programs, place.bots, keep_alive=keep_alive)
        stack.push_async_callback(engine.close)
        remote = _admit_remote(store, cup, engine)
        _show_tokens(server.address, tokens)
        await _wait_for(remote, engine, server, cup.join_ms)
        runner = CupRunner(cup, secret, ledger, writer, engine, launcher, view)
        return await runner.run()


def _admit_remote(store: Store, cup: CupFile, engine: LocalEngine) -> list[str]:
    remote = [row for row in store.read(reads.entrants, cup.name) if row.token_hash is not None]
    for row in remote:
        assert row.token_hash is not None
        engine.admit_remote(row.name, row.token_hash)
    return [row.name for row in remote]


def _show_tokens(address: str, tokens: dict[str, str]) -> None:
    """Tells the organiser, this once, what the owners of remote bots need."""
    for name, token in tokens.items():
        print(f"entrant {name} connects with CROUPIER_ADDRESS={address} CROUPIER_TOKEN={token}", flush=True)


async def _wait_for(remote: list[str], engine: LocalEngine, server: ServerLine, join_ms: int) -> None:
    """Waits until every remote entrant is there, but not longer than the cup file says."""
    if not remote:
        return
    try:
        async with asyncio.timeout(join_ms / 1000), server.slot_changed:
            await server.slot_changed.wait_for(lambda: all(engine.connected(name) for name in remote))
    except TimeoutError:
        missing = ", ".join(name for name in remote if not engine.connected(name))
        print(f"not here after {join_ms / 1000:g} seconds: {missing}; the cup begins", file=sys.stderr)


def _programs(cup: CupFile, file: Path) -> dict[str, Program]:
    commands = check_commands(cup, file)
    entrants = {entrant.name: entrant for entrant in cup.entrants}
    return {name: Program(command, entrants[name].env) for name, command in commands.items()}


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


def _check_listen(listen: str) -> None:
    """Refuses an address that cannot be had, before anything is written."""
    host, _, port = listen.rpartition(":")
    family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host.strip("[]"), int(port)))
    except OSError as error:
        raise RunError(f"cannot listen on {listen}: {error.strerror}") from error


def _check_unchanged(stored: bytes, path: Path) -> None:
    found = path.read_bytes()
    if found == stored:
        return
    before, after = (data.decode(errors="replace").splitlines() for data in (stored, found))
    difference = difflib.unified_diff(before, after, "as the cup began", str(path), n=0, lineterm="")
    raise RunError("the cup file has changed since the cup began:\n" + "\n".join(difference))


def _report(console: Console, cup: CupFile, standings: Standings, view: ProgressView, paths: tuple[Path, ...]) -> None:
    console.print(standings_table(standings, standings_caption(cup, standings)))
    for line in view.forfeits[:_SHOWN_FORFEITS]:
        console.print(line, highlight=False, markup=False)
    if len(view.forfeits) > _SHOWN_FORFEITS:
        console.print(f"and {len(view.forfeits) - _SHOWN_FORFEITS} more forfeits", highlight=False)
    console.print(f"results: {', '.join(map(str, paths))}", highlight=False, soft_wrap=True)


def _cores() -> int:
    return len(os.sched_getaffinity(0))
