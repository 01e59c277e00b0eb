"""The runner's end of the control line: what a runner tells its server, and what it hears. Starts no process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from croupier.control.v1 import control_pb2 as pb
from croupier.v1 import match_pb2, record_pb2
from croupier_server.service.control import read_message, write_message

_END_SECONDS = 10.0


class ServerError(Exception):
    """The server did not start, or is gone; in words for the organiser."""


@dataclass(frozen=True, slots=True)
class SlotState:
    """Who is connected for a slot."""

    sessions: int = 0
    capacity: int = 0  # matches at a time, all sessions together


class ServerLine:
    """A server as its runner sees it. Call `listen` first."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.address = ""
        self.changed = asyncio.Condition()  # notified when a slot changes, and when the server is lost
        self._reader, self._writer = reader, writer
        self._slots: dict[str, SlotState] = {}
        self._running: dict[str, asyncio.Future[record_pb2.MatchRecord]] = {}
        self._lost: ServerError | None = None
        self._events: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        """Waits for the server's address and then hears what it says; raises ServerError when it cannot start."""
        event = await read_message(self._reader, pb.ControlEvent)
        match event.WhichOneof("payload") if event is not None else None:
            case "listening" if event is not None:
                self.address = event.listening.address
            case "failed" if event is not None:
                raise ServerError(event.failed.reason)
            case _:
                raise ServerError("the server ended before it could start")
        self._events = asyncio.create_task(self._read_events())

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

    @property
    def is_lost(self) -> bool:
        """Whether the server has ended."""
        return self._lost is not None

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
        """Opens a match and waits for its record; raises ServerError when the server is gone before.

        When the waiting is cancelled, so is the match.
        """
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
        except asyncio.CancelledError:
            self._send(pb.ControlRequest(abort_match=pb.AbortMatch(match_id=match_id, reason="the runner gave it up")))
            raise
        finally:
            del self._running[match_id]

    def _send(self, request: pb.ControlRequest) -> None:
        if not self._writer.is_closing():
            write_message(self._writer, request)

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
                    await self._notify()
                case _:
                    break
        self._lost = ServerError("the server process has ended")
        for future in self._running.values():
            if not future.done():
                future.set_exception(self._lost)
        await self._notify()

    async def _notify(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    async def close(self) -> None:
        """Asks the server to drain if there is nothing left to play; otherwise ends the line, and so the server."""
        if not self._running and self._lost is None:
            self._send(pb.ControlRequest(drain=pb.Drain()))
        else:
            self._writer.close()
        if self._events is not None:
            await asyncio.wait({self._events}, timeout=_END_SECONDS)
            self._events.cancel()
            await asyncio.gather(self._events, return_exceptions=True)
        self._writer.close()
