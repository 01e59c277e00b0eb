"""A real server in this process on a real socket, a real control line to it, and raw streams as bots."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

import croupier_server.service  # noqa: F401 - sets the event-engine switch before grpc is used
from croupier.v1 import play_service_pb2 as pb
from croupier.v1 import record_pb2
from croupier_server.games import GAMES
from croupier_server.match.codec import read_clock, read_play, spec_message
from croupier_server.match.record import MatchClock, MatchPlay
from croupier_server.match.spec import Clock, MatchSpec, Policy, ScheduleIdentity, SeatSpec
from croupier_server.match.verify import verify
from croupier_server.service.control import ControlLine
from croupier_server.service.server import Server, Settings
from croupier_tournament.engines.server_line import ServerLine

SECONDS = 20.0  # the deadline of every wait
JEKYLL = GAMES["jekyll"]
QUICK = Clock(start_up_ms=5_000, bank_ms=5_000, increment_ms=1_000, turn_cap_ms=5_000, disconnect_grace_ms=5_000)


class Stream:
    """A bot's end of one Play call: bytes out, PlayResponse in."""

    def __init__(self, call: Any) -> None:
        self._call = call

    async def send(self, **payload: Any) -> None:
        """Sends a PlayRequest with this payload."""
        await self._call.write(pb.PlayRequest(**payload).SerializeToString())

    async def send_bytes(self, data: bytes) -> None:
        """Sends whatever."""
        await self._call.write(data)

    async def next(self) -> pb.PlayResponse | None:
        """The next message, or None when the stream has ended."""
        async with asyncio.timeout(SECONDS):
            try:
                data = await self._call.read()
            except grpc.aio.AioRpcError:
                return None
        return pb.PlayResponse.FromString(data) if isinstance(data, bytes) else None

    async def until(self, payload: str) -> Any:
        """The next message of this kind; others are passed over. Fails when the stream ends first."""
        async with asyncio.timeout(SECONDS):
            while (response := await self.next()) is not None:
                if response.WhichOneof("payload") == payload:
                    return getattr(response, payload)
        raise AssertionError(f"the stream ended before {payload}: {await self.status()}")

    async def hello(self, token: str, **more: Any) -> pb.Welcome:
        """Says Hello and hears Welcome."""
        await self.send(hello=pb.Hello(**{"token": token, "protocol_version": 1, **more}))
        welcome: pb.Welcome = await self.until("welcome")
        return welcome

    async def begin(self, token: str, **more: Any) -> pb.MatchStart:
        """Says Hello and Ready."""
        await self.hello(token, **more)
        return await self.ready()

    async def ready(self) -> pb.MatchStart:
        """Says Ready to the next match."""
        start: pb.MatchStart = await self.until("match_start")
        await self.send(ready=pb.Ready(match_id=start.match_id))
        return start

    async def act(self, turn: pb.Turn, index: int = 0, **more: Any) -> None:
        """Answers a turn."""
        await self.send(act=pb.Act(match_id=turn.match_id, turn_id=turn.turn_id, index=index, **more))

    async def play_on(self) -> pb.MatchEnd:
        """Plays the first legal action until the match is over."""
        async with asyncio.timeout(SECONDS):
            while (response := await self.next()) is not None:
                if response.HasField("turn"):
                    await self.act(response.turn)
                elif response.HasField("match_end"):
                    return response.match_end
        raise AssertionError(f"the stream ended before the match: {await self.status()}")

    async def status(self) -> grpc.StatusCode:
        """The status of the stream, once it has ended."""
        async with asyncio.timeout(SECONDS):
            code: grpc.StatusCode = await self._call.code()
        return code

    async def half_close(self) -> None:
        """Says that nothing more will come."""
        await self._call.done_writing()

    def drop(self) -> None:
        """Breaks the call off."""
        self._call.cancel()


@dataclass(frozen=True)
class Played:
    """A match that is over, with its record taken apart and verified."""

    record: record_pb2.MatchRecord
    play: MatchPlay
    clock: MatchClock


class Arena:
    """The server, seen from its runner and from its bots."""

    def __init__(self, line: ServerLine, channel: grpc.aio.Channel) -> None:
        self.line, self.channel = line, channel

    def admit(self, slot: str, *, one_time: bool = True) -> str:
        """Lets a bot in; its token."""
        token = secrets.token_urlsafe(16)
        self.line.admit(slot, slot, hashlib.sha256(token.encode()).digest(), one_time=one_time)
        return token

    def stream(self) -> Stream:
        """Opens a Play call."""
        method: Any = self.channel.stream_stream("/croupier.v1.PlayService/Play")
        return Stream(method())

    def open(self, *slots: str, clock: Clock = QUICK, strikes: int = 3, **clock_changes: int) -> asyncio.Task[Played]:
        """Opens a match of jekyll on these slots; the task gives its verified record."""
        spec = MatchSpec(
            game=JEKYLL,
            options=JEKYLL.options(),
            behavior=JEKYLL.behavior,
            seats=tuple(SeatSpec(slot, 7 + seat) for seat, slot in enumerate(slots)),
            identity=ScheduleIdentity("test", 0, 0),
            clock=replace(clock, **clock_changes),
            policy=Policy(strikes),
        )
        return asyncio.create_task(self._play(spec, slots))

    async def _play(self, spec: MatchSpec, slots: tuple[str, ...]) -> Played:
        match_id = secrets.token_hex(8)
        async with asyncio.timeout(SECONDS):
            record = await self.line.play(
                match_id=match_id, attempt=1, spec=spec_message(spec), block_key=os.urandom(32), slots=slots
            )
        verify(record.SerializeToString(deterministic=True))
        return Played(record, read_play(record.play), read_clock(record.clock))


@asynccontextmanager
async def running_arena(listen: str = "127.0.0.1:0") -> AsyncIterator[Arena]:
    """An arena for the block; at its end the server is asked to drain and has to end."""
    ours, theirs = socket.socketpair()
    server = Server(Settings(listen, keepalive_timeout_ms=20_000), None, await ControlLine.open(theirs.detach()))
    await server.start()
    serving = asyncio.create_task(server.run())
    line = ServerLine(*await asyncio.open_connection(sock=ours))
    async with asyncio.timeout(SECONDS):
        await line.listen()
    options = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(line.address, options=options) as channel:
        yield Arena(line, channel)
    await line.close()
    async with asyncio.timeout(SECONDS):
        await serving


@pytest.fixture
def arena() -> Any:
    """How a test gets an arena: `async with arena() as a`."""
    return running_arena


@pytest.fixture
def short_path(tmp_path: Path) -> Path:
    """A path that fits a Unix socket."""
    return tmp_path / "s"
