"""One gRPC stream: a bounded queue of outgoing bytes, one task that writes it, and how the stream ends."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

import grpc
import grpc.aio

from croupier.v1 import play_service_pb2 as pb
from croupier_server.service.limits import Limits

_STATUS = {
    pb.ERROR_CODE_UNAUTHENTICATED: grpc.StatusCode.UNAUTHENTICATED,
    pb.ERROR_CODE_PROTOCOL_MISUSE: grpc.StatusCode.INVALID_ARGUMENT,
    pb.ERROR_CODE_UNSUPPORTED_VERSION: grpc.StatusCode.FAILED_PRECONDITION,
    pb.ERROR_CODE_LIMIT_EXCEEDED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    pb.ERROR_CODE_SHUTTING_DOWN: grpc.StatusCode.UNAVAILABLE,
    pb.ERROR_CODE_INTERNAL: grpc.StatusCode.INTERNAL,
    pb.ERROR_CODE_REPLACED: grpc.StatusCode.ABORTED,
}


@dataclass(frozen=True, slots=True)
class FatalError(Exception):
    """Why a stream ends; sent in-band and then as the status that belongs to the code."""

    code: pb.ErrorCode.ValueType
    message: str

    @property
    def status(self) -> grpc.StatusCode:
        """The gRPC status of the code."""
        return _STATUS[self.code]

    def response(self) -> bytes:
        """The in-band form."""
        error = pb.Error(code=self.code, message=self.message, fatal=True)
        return pb.PlayResponse(error=error).SerializeToString()


class Stream:
    """The sending half of one call of Play."""

    def __init__(self, context: grpc.aio.ServicerContext[bytes, bytes], limits: Limits) -> None:
        self._context = context
        self._limits = limits
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self._wake = asyncio.Event()
        self.closed = False
        self.ended = asyncio.Event()  # set when the call is over
        self.fatal: FatalError | None = None

    def send(self, data: bytes) -> None:
        """Queues a message; a reader that has fallen too far behind loses the stream instead."""
        if self.closed:
            return
        full = len(self._queue) >= self._limits.outbox_messages
        if full or self._queued_bytes + len(data) > self._limits.outbox_bytes:
            self._queue.clear()
            self.close(FatalError(pb.ERROR_CODE_LIMIT_EXCEEDED, "too many messages wait to be read"))
            return
        self._queue.append(data)
        self._queued_bytes += len(data)
        self._wake.set()

    def send_refusal(self, data: bytes) -> None:
        """Queues a refusal, or drops it when others wait already."""
        if len(self._queue) <= self._limits.refusals_queued:
            self.send(data)

    def close(self, fatal: FatalError | None = None) -> None:
        """Ends the stream once what is queued has been written; the first call counts."""
        if not self.closed:
            if fatal is not None:
                self._queue.append(fatal.response())
            self.closed, self.fatal = True, fatal
            self._wake.set()

    async def write_all(self) -> None:
        """Writes what is queued until the stream is closed and nothing is left."""
        while True:
            while self._queue:
                data = self._queue.popleft()
                self._queued_bytes -= len(data)
                await self._context.write(data)
            if self.closed:
                return
            self._wake.clear()
            await self._wake.wait()
