"""Plays a prepared cup with everything that it takes on this machine: launcher, server process, engine, remote bots.

It checks no input and shows no table.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
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
_EVERYWHERE = ("0.0.0.0", "[::]")  # where a server listens on every address of its machine


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
        for name in remote:
            watcher.say(_invitation(name, server.address, prepared.tokens.get(name)))
        if missing := await _missing(remote, engine, server, cup.join_ms):
            watcher.say(f"not here after {cup.join_ms / 1000:g} seconds: {', '.join(missing)}; the cup begins")
        runner = CupRunner(cup, prepared.secret, prepared.ledger, prepared.writer, engine, launcher, watcher)
        await runner.run()


def _admit_remote(prepared: PreparedCup, engine: LocalEngine) -> list[str]:
    """Lets the remote entrants in, and returns their names; those that were withdrawn stay outside."""
    rows = prepared.store.read(reads.entrants, prepared.cup.name)
    tokens = {row.name: row.token_hash for row in rows if row.token_hash is not None and not row.withdrawn}
    for name, token_hash in tokens.items():
        engine.admit_remote(name, token_hash)
    return list(tokens)


def _invitation(name: str, address: str, token: str | None) -> str:
    """What the owner of a remote bot needs; its token only when the cup begins, since no more than a hash is kept."""
    host, _, port = address.rpartition(":")
    if host in _EVERYWHERE:
        address = f"{socket.gethostname()}:{port}"
    secret = f"CROUPIER_TOKEN={token}" if token else "and the token that was shown when the cup began"
    return f"entrant {name} connects with CROUPIER_ADDRESS={address} {secret}"


async def _missing(remote: Sequence[str], engine: LocalEngine, server: ServerLine, join_ms: int) -> list[str]:
    """Waits until every remote entrant is there, but not longer than the cup file says; who is not.

    It does not wait for a server that is gone; the runner finds that.
    """

    def missing() -> list[str]:
        return [name for name in remote if not engine.connected(name)]

    with suppress(TimeoutError):
        async with asyncio.timeout(join_ms / 1000), server.changed:
            await server.changed.wait_for(lambda: server.is_lost or not missing())
    return [] if server.is_lost else missing()
