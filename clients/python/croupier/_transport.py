"""One gRPC stream to the server at a time, opened again when it is lost. What is said over it is none of its business.

This is the only module that imports grpc.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator
from contextlib import suppress
from ipaddress import ip_address
from random import Random
from typing import TypeAlias

# Both count only before gRPC is imported. Its event engine costs grpc.aio a third of its speed; and unless told not to
# it writes notes about streams that ended in peace to stderr, which is the bot's.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

import grpc

from croupier._errors import ConnectionLost, CroupierError, ProtocolError
from croupier._session import Session, refusal
from croupier.v1 import play_service_pb2
from croupier.v1.play_service_pb2_grpc import PlayServiceStub

PATIENCE_S = 30.0  # for a server that cannot be reached while no match runs
LEAVE_S = 2.0  # for the server's goodbye
BACKOFF_S = (0.05, 2.0)  # the first and the longest pause between two attempts, before jitter

# Statuses that end a session for good though no Error came before them, and what they mean.
_REFUSALS = {
    grpc.StatusCode.UNAUTHENTICATED: play_service_pb2.ERROR_CODE_UNAUTHENTICATED,
    grpc.StatusCode.INVALID_ARGUMENT: play_service_pb2.ERROR_CODE_PROTOCOL_MISUSE,
    grpc.StatusCode.FAILED_PRECONDITION: play_service_pb2.ERROR_CODE_UNSUPPORTED_VERSION,
    grpc.StatusCode.RESOURCE_EXHAUSTED: play_service_pb2.ERROR_CODE_LIMIT_EXCEEDED,
}
# Statuses of a stream that was lost on its way; a proxy or a dying server may give any of them.
_LOSSES = {
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.UNKNOWN,
}


_Stream: TypeAlias = "grpc.aio.StreamStreamCall[play_service_pb2.PlayRequest, play_service_pb2.PlayResponse]"


def check_address(address: str) -> str:
    """The address as it came; raises CroupierError unless it is host:port or unix:path."""
    host, _, port = address.rpartition(":")
    if address.startswith("unix:") and len(address) > len("unix:"):
        return address
    if host and port.isascii() and port.isdigit() and 0 < int(port) < 65536:
        return address
    raise CroupierError(f"server address: found {address!r}, expected host:port or unix:path")


def is_local(address: str) -> bool:
    """Whether the server is on this machine, where no proxy must come between."""
    if address.startswith("unix:"):
        return True
    host = address.rpartition(":")[0].strip("[]")
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


class Transport:
    """The way to the server. `responses` is read by one task; `send` may be called by several."""

    def __init__(self, address: str, session: Session) -> None:
        self._address = check_address(address)
        self._session = session
        self._stream: _Stream | None = None  # None while there is none that has been opened
        self._writing = asyncio.Lock()  # gRPC takes one message at a time
        self._jitter = Random()  # apart from the global one, which may be the bot's

    async def send(self, request: play_service_pb2.PlayRequest) -> None:
        """Sends a request over the present stream; without one it is dropped, and the session knows what to repeat."""
        async with self._writing:
            if self._stream is not None:
                await _write(self._stream, request)

    async def responses(self) -> AsyncGenerator[play_service_pb2.PlayResponse]:
        """What the server says, over as many streams as it takes, until it ends one in peace.

        Raises RefusedError or ProtocolError when the server ends a stream for good, ConnectionLost when no stream is
        to be had for as long as the running matches wait for their bots (30 seconds when none runs).
        """
        lost_at: float | None = None
        pause, longest = BACKOFF_S
        while True:
            async with grpc.aio.insecure_channel(self._address, _options(self._address)) as channel:
                stream: _Stream = PlayServiceStub(channel).Play()
                async with self._writing:  # nothing must come before Hello or Resume
                    for request in self._session.open():
                        await _write(stream, request)
                    self._stream = stream
                try:
                    while isinstance(response := await stream.read(), play_service_pb2.PlayResponse):
                        lost_at, pause = None, BACKOFF_S[0]
                        yield response
                    return
                except grpc.aio.AioRpcError as error:
                    lost_at = lost_at or time.monotonic()
                    self._judge(error, time.monotonic() - lost_at)
                finally:
                    self._stream = None
                    await _leave(stream)
            await asyncio.sleep(pause * self._jitter.uniform(0.5, 1.0))
            pause = min(2 * pause, longest)

    def _judge(self, error: grpc.aio.AioRpcError, lost_for_s: float) -> None:
        """Returns when another attempt makes sense, and raises otherwise."""
        code, details = error.code(), error.details()
        if code in _REFUSALS:
            raise refusal(_REFUSALS[code], f"{details} ({self._address})") from None
        if code is grpc.StatusCode.UNIMPLEMENTED:
            raise ProtocolError(f"{self._address} is no Croupier server: {details}") from None
        if code not in _LOSSES:
            raise ProtocolError(f"{self._address} ended the stream with {code.name}: {details}") from None
        grace_s = self._session.grace_s
        if lost_for_s >= (PATIENCE_S if grace_s is None else grace_s):
            raise ConnectionLost(f"no connection to {self._address} for {lost_for_s:.1f} s: {details}") from None


def _options(address: str) -> tuple[tuple[str, int], ...]:
    return (
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.min_reconnect_backoff_ms", 5_000),  # how long one attempt may take
        ("grpc.use_local_subchannel_pool", 1),  # a shared one adds its own, longer pauses between attempts
        ("grpc.enable_http_proxy", 0 if is_local(address) else 1),
    )


async def _write(stream: _Stream, request: play_service_pb2.PlayRequest) -> None:
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # whoever reads learns that the stream is lost
        await stream.write(request)


async def _leave(stream: _Stream) -> None:
    """Says goodbye over a stream if it still stands, and waits a little for the server to do the same."""
    with suppress(TimeoutError, grpc.aio.AioRpcError):
        async with asyncio.timeout(LEAVE_S):
            await stream.done_writing()
            while isinstance(await stream.read(), play_service_pb2.PlayResponse):
                pass
    stream.cancel()
