"""The server as a whole: a grpc.aio server with PlayService, ArenaService, health and reflection, and its end.

It ends in peace on SIGTERM or when the runner asks: no new matches, the running ones are played out. It ends at once
when the runner's end of the control line is closed.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable
from dataclasses import dataclass

import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from croupier.v1 import arena_service_pb2, arena_service_pb2_grpc, record_pb2
from croupier_server.service.arena import ArenaService
from croupier_server.service.control import ControlLine
from croupier_server.service.limits import LIMITS
from croupier_server.service.lobby import Lobby
from croupier_server.service.play import SERVICE as PLAY
from croupier_server.service.play import PlayService
from croupier_server.service.room import TableRoom
from croupier_server.store import Store

log = logging.getLogger(__name__)

ARENA = arena_service_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name
_STOP_SECONDS = 2.0  # for calls that are still open when the server stops


class AddressError(Exception):
    """The server cannot listen where it was told to."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is run."""

    listen: str  # "127.0.0.1:0" (0: any free port) or "unix:/path"
    keepalive_timeout_ms: int  # longer than any turn: a single-threaded bot answers no ping while it thinks


def transport_options(settings: Settings) -> list[tuple[str, int]]:
    """How gRPC is set up: the channel options of a listening server."""
    return [
        ("grpc.so_reuseport", 0),  # else a second server takes the same port in silence
        ("grpc.max_receive_message_length", LIMITS.max_message_bytes),
        ("grpc.max_send_message_length", -1),  # a legal list is never cut
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", settings.keepalive_timeout_ms),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    ]


class Server:
    """The listening server and what stands behind it; make it inside the event loop that runs it."""

    def __init__(self, settings: Settings, store: Store | None, line: ControlLine | None) -> None:
        self._line = line
        self._lobby = Lobby(LIMITS, self._slot_changed)
        self._room = TableRoom(self._lobby, self._match_over)
        self._health = health.aio.HealthServicer()  # pyright: ignore[reportAttributeAccessIssue]  # set at run time
        self._grpc = grpc.aio.server(options=transport_options(settings))
        self._grpc.add_generic_rpc_handlers((PlayService(self._lobby, LIMITS).handler(),))
        arena_service_pb2_grpc.add_ArenaServiceServicer_to_server(ArenaService(store), self._grpc)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._grpc)
        names = (PLAY, ARENA, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._grpc)
        self._address = self._bind(settings.listen)
        self._stop = asyncio.Event()

    def _bind(self, listen: str) -> str:
        try:
            port = self._grpc.add_insecure_port(listen)
        except RuntimeError as error:
            raise AddressError(f"cannot listen on {listen}: is the address in use, or not this machine's?") from error
        if listen.startswith("unix:"):
            return listen
        return f"{listen.rpartition(':')[0]}:{port}"

    @property
    def address(self) -> str:
        """Where bots connect."""
        return self._address

    async def start(self) -> None:
        """Lets bots and readers in."""
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, self._stop.set)
        await self._grpc.start()
        for service in ("", PLAY, ARENA):
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        log.info("listening on %s", self._address)

    async def run(self) -> None:
        """Serves, once started, until SIGTERM, SIGINT, the runner's word or the runner's end."""
        beat = asyncio.create_task(self._room.beat())
        try:
            if self._line is None:
                await self._stop.wait()
                await self._drain("the server is going down")
            else:
                await self._run_for(self._line)
        finally:
            beat.cancel()
            await self._grpc.stop(_STOP_SECONDS)
            if self._line is not None:
                await self._line.close()

    async def _run_for(self, line: ControlLine) -> None:
        line.listening(self._address)
        asked = asyncio.create_task(line.serve(self._lobby, self._room))
        await _first(self._stop.wait(), asked)
        if asked.done() and not asked.result():
            log.info("the runner has gone")
            return
        asked.cancel()
        await _first(self._drain("the cup is over"), line.until_closed())

    async def _drain(self, reason: str) -> None:
        await self._health.enter_graceful_shutdown()
        self._lobby.drain(reason)
        await self._room.until_empty()

    def _slot_changed(self, slot: str, sessions: int, capacity: int) -> None:
        if self._line is not None:
            self._line.slot_changed(slot, sessions, capacity)

    def _match_over(self, match_id: str, record: record_pb2.MatchRecord) -> None:
        if self._line is not None:
            self._line.match_over(match_id, record)


async def _first(*things: Awaitable[object]) -> None:
    """Waits until one of the things has happened, and gives up the others that were started here."""
    tasks = [asyncio.ensure_future(thing) for thing in things]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task, thing in zip(tasks, things, strict=True):
        if task is not thing:
            task.cancel()
