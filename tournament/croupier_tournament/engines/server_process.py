"""The runner's end of the control line, and the server process at the other end of it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from croupier.control.v1 import control_pb2 as pb
from croupier.v1 import match_pb2, record_pb2
from croupier_server.launcher.client import Launcher
from croupier_server.service.control import read_message, write_message

_START_SECONDS = 30.0
_END_SECONDS = 10.0


class ServerError(Exception):
    """The server did not start, or is gone; in words for the organiser."""


@dataclass(frozen=True, slots=True)
class SlotState:
    """Who is connected for a slot."""

    sessions: int = 0
    capacity: int = 0  # matches at a time, all sessions together


class ServerProcess:
    """A running server. Made by `start`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.address = ""
        self.slot_changed = asyncio.Condition()
        self._reader, self._writer = reader, writer
        self._slots: dict[str, SlotState] = {}
        self._running: dict[str, asyncio.Future[record_pb2.MatchRecord]] = {}
        self._lost: ServerError | None = None

    @classmethod
    @contextlib.asynccontextmanager
    async def start(
        cls, *, listen: str, store: str, keepalive_timeout_ms: int, log: Path, launcher: Launcher
    ) -> AsyncIterator[ServerProcess]:
        """A server for the block, drained at its end; raises ServerError when it cannot start.

        The launcher ends it when this process is killed, and so does the end of the control line.
        """
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-P", "-m", "croupier", "serve", "--listen", listen, "--store", store]
        command += ["--keepalive-timeout-ms", str(keepalive_timeout_ms), "--control-fd", str(theirs.fileno())]
        with theirs, log.open("ab") as log_file:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log_file,
                stderr=log_file,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # Ctrl-C is for the runner, which then ends the server
            )
        launcher.adopt(process.pid)
        server = cls(*await asyncio.open_connection(sock=ours))
        try:
            await server._wait_until_listening(log)
            events = asyncio.create_task(server._read_events())
            try:
                yield server
            finally:
                await server._end(process, events)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    def admit(self, slot: str, entrant: str, credential_hash: bytes, *, one_time: bool) -> None:
        """Lets a bot in; see control.proto."""
        admit = pb.Admit(slot=slot, entrant=entrant, credential_hash=credential_hash, one_time=one_time)
        self._send(pb.ControlRequest(admit=admit))

    def revoke(self, slot: str) -> None:
        """Shuts a slot."""
        self._slots.pop(slot, None)
        self._send(pb.ControlRequest(revoke=pb.Revoke(slot=slot)))

    def process_started(self, slot: str, pid: int) -> None:
        """A launched bot's process runs."""
        self._send(pb.ControlRequest(process_started=pb.ProcessStarted(slot=slot, pid=pid)))

    def process_ended(self, slot: str, detail: str) -> None:
        """A launched bot's process has ended, in words."""
        self._send(pb.ControlRequest(process_ended=pb.ProcessEnded(slot=slot, detail=detail)))

    def slot(self, slot: str) -> SlotState:
        """Who is connected for a slot now."""
        return self._slots.get(slot, SlotState())

    async def play(
        self,
        *,
        match_id: str,
        attempt: int,
        spec: match_pb2.MatchSpec,
        block_key: bytes,
        slots: Sequence[str],
        withdrawn_seats: Sequence[int] = (),
    ) -> record_pb2.MatchRecord:
        """Opens a match and waits for its record; raises ServerError when the server is gone before."""
        if self._lost is not None:
            raise self._lost
        future: asyncio.Future[record_pb2.MatchRecord] = asyncio.get_running_loop().create_future()
        self._running[match_id] = future
        order = pb.OpenMatch(
            match_id=match_id,
            attempt=attempt,
            spec=spec,
            block_key=block_key,
            slots=slots,
            withdrawn_seats=withdrawn_seats,
        )
        self._send(pb.ControlRequest(open_match=order))
        try:
            return await future
        finally:
            del self._running[match_id]

    def _send(self, request: pb.ControlRequest) -> None:
        if not self._writer.is_closing():
            write_message(self._writer, request)

    async def _wait_until_listening(self, log: Path) -> None:
        try:
            async with asyncio.timeout(_START_SECONDS):
                event = await read_message(self._reader, pb.ControlEvent)
        except TimeoutError:
            raise ServerError(f"the server did not start within {_START_SECONDS:g} seconds; see {log}") from None
        match event and event.WhichOneof("payload"):
            case "listening" if event:
                self.address = event.listening.address
            case "failed" if event:
                raise ServerError(event.failed.reason)
            case _:
                raise ServerError(f"the server ended before it could start; see {log}")

    async def _read_events(self) -> None:
        while (event := await read_message(self._reader, pb.ControlEvent)) is not None:
            match event.WhichOneof("payload"):
                case "match_over":
                    future = self._running.get(event.match_over.match_id)
                    if future is not None and not future.done():
                        future.set_result(event.match_over.record)
                case "slot_changed":
                    changed = event.slot_changed
                    self._slots[changed.slot] = SlotState(changed.sessions, changed.capacity)
                    async with self.slot_changed:
                        self.slot_changed.notify_all()
                case _:
                    break
        self._lost = ServerError("the server process has ended")
        for future in self._running.values():
            if not future.done():
                future.set_exception(self._lost)

    async def _end(self, process: asyncio.subprocess.Process, events: asyncio.Task[None]) -> None:
        """Drains the server if there is nothing left to play, else ends it at once."""
        if not self._running:
            self._send(pb.ControlRequest(drain=pb.Drain()))
        else:
            self._writer.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS):
                await process.wait()
        events.cancel()
        self._writer.close()
        await asyncio.gather(events, return_exceptions=True)
