"""A real grpc.aio server whose PlayService follows a script: one coroutine a stream, in the order of their coming."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import grpc

from croupier.v1 import play_service_pb2 as pb
from croupier.v1 import play_service_pb2_grpc as pb_grpc

DEADLINE_S = 10.0


class Caller:
    """One stream as the server sees it."""

    def __init__(self, context: grpc.aio.ServicerContext[pb.PlayRequest, pb.PlayResponse]) -> None:
        self._context = context

    async def hears(self, payload: str) -> Any:
        """The next request, unwrapped; fails when it is of another kind or does not come."""
        async with asyncio.timeout(DEADLINE_S):
            request = await self._context.read()
        assert isinstance(request, pb.PlayRequest), f"the stream ended; {payload} was expected"
        assert request.WhichOneof("payload") == payload, f"{payload} was expected, not {request}"
        return getattr(request, payload)

    async def hears_goodbye(self) -> None:
        """Waits for the client to half-close its side."""
        async with asyncio.timeout(DEADLINE_S):
            request = await self._context.read()
        assert not isinstance(request, pb.PlayRequest), f"goodbye was expected, not {request}"

    async def says(self, *responses: pb.PlayResponse) -> None:
        """Sends them in order."""
        for response in responses:
            await self._context.write(response)

    async def cuts(self, status: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE) -> None:
        """Ends the stream with a status and no other word."""
        await self._context.abort(status, "cut by the script")


Script: TypeAlias = Callable[[Caller], Awaitable[None]]


class _Servicer(pb_grpc.PlayServiceServicer):
    def __init__(self, scripts: tuple[Script, ...]) -> None:
        self.left = list(scripts)
        self.failures: list[AssertionError | TimeoutError] = []

    async def Play(self, request_iterator: Any, context: Any) -> None:  # type: ignore[override]  # noqa: N802
        try:
            assert self.left, "another stream than the scripted ones"
            await self.left.pop(0)(Caller(context))
        except (AssertionError, TimeoutError) as failure:
            self.failures.append(failure)
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"the script failed: {failure}")


@asynccontextmanager
async def serve(*scripts: Script, listen: str = "127.0.0.1:0") -> AsyncGenerator[str, None]:
    """Serves the scripts and gives the address; at the end all of them must have been followed."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    servicer = _Servicer(scripts)
    pb_grpc.add_PlayServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port(listen)
    await server.start()
    try:
        yield listen if listen.startswith("unix:") else f"127.0.0.1:{port}"
    finally:
        await server.stop(None)
        if servicer.failures:
            raise servicer.failures[0]
    assert not servicer.left, f"{len(servicer.left)} of the scripts were never begun"
