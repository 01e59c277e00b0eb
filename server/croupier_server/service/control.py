"""The private line between a cup runner and the server that it started: length-prefixed messages over a socket.

Whoever holds the other end of the socket may open matches, so the socket is inherited and never has an address. When
it ends, so does the server: a runner that was killed leaves none behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from typing import TypeVar

from google.protobuf.message import Message

from croupier.control.v1 import control_pb2 as pb
from croupier.v1 import record_pb2
from croupier_server.match import codec
from croupier_server.service.lobby import Grant, Lobby
from croupier_server.service.room import TableRoom

log = logging.getLogger(__name__)

MessageT = TypeVar("MessageT", bound=Message)
_LENGTH_BYTES = 4
_LONGEST = 64 << 20
_LAST_WORDS_SECONDS = 0.5  # for what a bot sent before its process ended


async def read_message(reader: asyncio.StreamReader, kind: type[MessageT]) -> MessageT | None:
    """The next message, or None at the end of the line; raises ValueError for one that is too long."""
    try:
        length = int.from_bytes(await reader.readexactly(_LENGTH_BYTES), "big")
        if length > _LONGEST:
            raise ValueError(f"a control message of {length} bytes is too long; the longest is {_LONGEST}")
        data = await reader.readexactly(length)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    message = kind()
    message.ParseFromString(data)
    return message


def write_message(writer: asyncio.StreamWriter, message: Message) -> None:
    """Queues a message."""
    data = message.SerializeToString()
    writer.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)


class ControlLine:
    """The server's end."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, descriptor: int) -> ControlLine:
        """The line over an inherited socket."""
        reader, writer = await asyncio.open_connection(sock=socket.socket(fileno=descriptor))
        return cls(reader, writer)

    async def serve(self, lobby: Lobby, room: TableRoom) -> bool:
        """Does what the runner asks; returns True when it asks to drain, False when the line has ended."""
        while (request := await read_message(self._reader, pb.ControlRequest)) is not None:
            match request.WhichOneof("payload"):
                case "admit":
                    admit = request.admit
                    lobby.admit(admit.credential_hash, Grant(admit.slot, admit.entrant, admit.one_time))
                case "revoke":
                    lobby.revoke(request.revoke.slot)
                case "open_match":
                    order = request.open_match
                    spec = codec.read_spec(order.spec)
                    room.open(
                        order.match_id, order.attempt, spec, order.block_key, tuple(order.slots), order.withdrawn_seats
                    )
                case "process_started":
                    lobby.process_started(request.process_started.slot, request.process_started.pid)
                case "process_ended":
                    ended = request.process_ended
                    task = asyncio.create_task(_process_ended(lobby, ended.slot, ended.detail))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
                case "abort_match":
                    room.abort(request.abort_match.match_id, request.abort_match.reason)
                case "drain":
                    return True
                case other:
                    raise ValueError(f"the runner sent {other}: it is of another release")
        return False

    async def until_closed(self) -> None:
        """Waits until the runner has closed its end."""
        while await read_message(self._reader, pb.ControlRequest) is not None:
            pass

    def listening(self, address: str) -> None:
        """Tells the runner where bots connect."""
        write_message(self._writer, pb.ControlEvent(listening=pb.Listening(address=address)))

    def failed(self, reason: str) -> None:
        """Tells the runner that the server cannot go on."""
        write_message(self._writer, pb.ControlEvent(failed=pb.Failed(reason=reason)))

    def slot_changed(self, slot: str, sessions: int, capacity: int) -> None:
        """Tells the runner who is there."""
        changed = pb.SlotChanged(slot=slot, sessions=sessions, capacity=capacity)
        write_message(self._writer, pb.ControlEvent(slot_changed=changed))

    def match_over(self, match_id: str, record: record_pb2.MatchRecord) -> None:
        """Hands over a record."""
        over = pb.MatchOver(match_id=match_id, record=record)
        write_message(self._writer, pb.ControlEvent(match_over=over))

    async def close(self) -> None:
        """Sends what is queued and closes the line."""
        with contextlib.suppress(ConnectionError):
            await self._writer.drain()
            self._writer.close()
            await self._writer.wait_closed()


async def _process_ended(lobby: Lobby, slot: str, detail: str) -> None:
    """Lets the streams of the process end first, so that its last answers are read."""
    ended = [asyncio.ensure_future(stream.ended.wait()) for stream in lobby.streams_of(slot)]
    if ended:
        _, pending = await asyncio.wait(ended, timeout=_LAST_WORDS_SECONDS)
        for waiting in pending:
            waiting.cancel()
    lobby.process_ended(slot, detail)
