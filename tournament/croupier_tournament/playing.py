"""Plays a prepared cup with everything that it takes on this machine: launcher, server process, engine, remote bots.

It checks no input and shows no table.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from croupier_server.launcher.client import Launcher
from croupier_server.store import Store, Writer, reads
from croupier_tournament.cupfile import CupFile, Isolation
from croupier_tournament.engines.local import LocalEngine, Program
from croupier_tournament.engines.server_line import ServerLine
from croupier_tournament.engines.server_process import server_process
from croupier_tournament.ledger import Ledger
from croupier_tournament.place import CupPlace
from croupier_tournament.runner import CupRunner, Watcher

_KEEPALIVE_MARGIN_MS = 20_000  # beyond the longest turn


@dataclass(frozen=True)
class PreparedCup:
    """All that a cup needs to be played."""

    cup: CupFile
    place: CupPlace
    programs: Mapping[str, Program]  # of the entrants that are not remote, by name
    store: Store
    writer: Writer
    ledger: Ledger
    secret: bytes = field(repr=False)
    tokens: Mapping[str, str] = field(repr=False)  # of the remote entrants, by name; empty when they were shown before


async def play_cup(prepared: PreparedCup, watcher: Watcher) -> None:
    """Plays what is left of a cup; SIGTERM cancels it.

    Raises ServerError, LaunchError or LauncherLostError when the host's machinery does not start or is gone, and
    StoreError; the cup can be resumed then.
    """
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    cup, place = prepared.cup, prepared.place
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
        engine = LocalEngine(server, launcher, prepared.programs, place.bots, keep_alive=keep_alive)
        stack.push_async_callback(engine.close)
        remote = _admit_remote(prepared, engine)
        _invite(remote, server.address, prepared.tokens)
        await _wait_for(remote, engine, server, cup.join_ms)
        runner = CupRunner(cup, prepared.secret, prepared.ledger, prepared.writer, engine, launcher, watcher)
        await runner.run()


def _admit_remote(prepared: PreparedCup, engine: LocalEngine) -> list[str]:
    """Lets the remote entrants in, and returns their names."""
    rows = prepared.store.read(reads.entrants, prepared.cup.name)
    tokens = {row.name: row.token_hash for row in rows if row.token_hash is not None}
    for name, token_hash in tokens.items():
        engine.admit_remote(name, token_hash)
    return list(tokens)


def _invite(remote: Sequence[str], address: str, tokens: Mapping[str, str]) -> None:
    """Tells the organiser what the owners of remote bots need; the tokens this once, since only hashes are kept."""
    for name in remote:
        token = f"CROUPIER_TOKEN={tokens[name]}" if name in tokens else "the token that was shown when the cup began"
        print(f"entrant {name} connects with CROUPIER_ADDRESS={address} {token}", flush=True)


async def _wait_for(remote: Sequence[str], engine: LocalEngine, server: ServerLine, join_ms: int) -> None:
    """Waits until every remote entrant is there, but not longer than the cup file says."""
    if not remote:
        return
    try:
        async with asyncio.timeout(join_ms / 1000), server.slot_changed:
            await server.slot_changed.wait_for(lambda: all(engine.connected(name) for name in remote))
    except TimeoutError:
        missing = ", ".join(name for name in remote if not engine.connected(name))
        print(f"not here after {join_ms / 1000:g} seconds: {missing}; the cup begins", file=sys.stderr)
