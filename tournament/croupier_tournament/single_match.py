"""Plays one match outside of any cup, with the same server, launcher and processes that a cup is played with.

Everything that it needs is in one folder, which may be thrown away after it. Nothing is stored but what is returned.
"""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import croupier
from croupier.v1 import record_pb2
from croupier_server.launcher.client import Launcher
from croupier_server.launcher.folder import BotFolder
from croupier_server.service.session import credential_hash
from croupier_server.store import Access, open_store
from croupier_tournament.engines.local import LocalEngine, MatchOrder, Program
from croupier_tournament.engines.server_process import server_process

_LISTEN = "127.0.0.1:0"
_KEEPALIVE_MARGIN_MS = 20_000  # beyond the longest turn


@dataclass(frozen=True, slots=True)
class SingleMatch:
    """A match to be played, and who plays it."""

    order: MatchOrder
    programs: Mapping[str, Program]  # by entrant
    person: tuple[str, Callable[[], croupier.Bot]] | None  # an entrant that this process plays, and how


async def play_single_match(match: SingleMatch, folder: Path) -> record_pb2.MatchRecord:
    """From an order to a record; SIGTERM cancels it.

    Raises ServerError, LaunchError or LauncherLostError when the host's machinery does not start or is gone, and
    StoreError.
    """
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    store = f"sqlite:///{folder / 'store.sqlite'}"
    with open_store(store, Access.CREATE):
        pass  # a server reads one, even one without any cup
    async with AsyncExitStack() as stack:
        launcher = await stack.enter_async_context(Launcher.start())
        server = await stack.enter_async_context(
            server_process(
                listen=_LISTEN,
                store=store,
                keepalive_timeout_ms=match.order.spec.clock.turn_cap_ms + _KEEPALIVE_MARGIN_MS,
                log=folder / "server.log",
                launcher=launcher,
            )
        )
        engine = LocalEngine(server, launcher, match.programs, folder / "bots", keep_alive=False)
        stack.push_async_callback(engine.close)
        if match.person is None:
            return await engine.play(match.order)
        return await _play_with_person(engine, server.address, match.order, *match.person)


def stderr_of(match: SingleMatch, entrant: str, folder: Path) -> str:
    """What a bot wrote to its standard error; "" when that was nothing."""
    try:
        return BotFolder(folder / "bots" / entrant / match.order.match_id).stderr.read_text(errors="replace")
    except FileNotFoundError:
        return ""


async def _play_with_person(
    engine: LocalEngine, address: str, order: MatchOrder, entrant: str, make: Callable[[], croupier.Bot]
) -> record_pb2.MatchRecord:
    """The person's session ends with the match; when it breaks before, so does the match, with what broke it."""
    token = secrets.token_urlsafe(32)
    engine.admit_remote(entrant, credential_hash(token))
    playing = asyncio.create_task(engine.play(order))
    session = asyncio.create_task(croupier.play_async(make, address=address, token=token))
    try:
        await asyncio.wait({playing, session}, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            await session
        return await playing
    finally:
        playing.cancel()
        session.cancel()
        await asyncio.gather(playing, session, return_exceptions=True)
