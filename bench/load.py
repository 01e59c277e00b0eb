"""The load: many bots in one process, each on a connection of its own, and the measurement of a stretch of their play.

Bots answer a turn as fast as they can, the real ones with a random legal action. Bytes in, bytes out: nothing of the
SDK is measured. When every stream has had its first turn and the warm-up is over, counts turns and processor time for
the given seconds, prints them as one line of JSON and ends without a goodbye.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import os
import time
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, TypeAlias

import grpc.aio

from bare import padding_for, pong
from croupier.v1 import play_service_pb2 as pb
from processes import busy_us, cpu_us

_START_SECONDS = 60.0  # until every stream has had its first turn
_METHOD = "/croupier.v1.PlayService/Play"
_OPTIONS = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]  # one connection a channel

Call: TypeAlias = "grpc.aio.StreamStreamCall[bytes, bytes]"
Play: TypeAlias = Callable[[int, Call, "Tally"], Coroutine[Any, Any, None]]


class Tally:
    """What all streams together have done so far."""

    def __init__(self, streams: int) -> None:
        self.turns = self.request_bytes = self.response_bytes = 0
        self.all_started = asyncio.Event()
        self._waiting = set(range(streams))

    def add(self, stream: int, request: bytes, response: bytes) -> None:
        """Counts a turn: what was asked and what was answered."""
        self.turns += 1
        self.request_bytes += len(request)
        self.response_bytes += len(response)
        if self._waiting:
            self._waiting.discard(stream)
            if not self._waiting:
                self.all_started.set()


@dataclasses.dataclass(frozen=True, slots=True)
class Measured:
    """A stretch of play. Processor time is of all threads; bytes are those of the messages of the turns alone.

    `other_cores` tells how quiet the machine was: the cores that everything but server and load kept busy.
    """

    seconds: float
    turns: int
    server_cpu_us: float
    load_cpu_us: float
    request_bytes: int
    response_bytes: int
    other_cores: float


async def play_real(stream: int, call: Call, tally: Tally) -> None:
    """A bot of the real server; its token is its number. Raises RuntimeError when it is refused anything."""
    hello = pb.Hello(token=str(stream), protocol_version=1, sdk="bench")
    await call.write(pb.PlayRequest(hello=hello).SerializeToString())
    luck = Random(stream)
    while isinstance(data := await call.read(), bytes):
        response = pb.PlayResponse.FromString(data)
        match response.WhichOneof("payload"):
            case "turn":
                turn = response.turn
                index = int(luck.random() * len(turn.legal_actions))
                act = pb.Act(match_id=turn.match_id, turn_id=turn.turn_id, index=index)
                request = pb.PlayRequest(act=act).SerializeToString()
                tally.add(stream, request, data)
                await call.write(request)
            case "match_start":
                ready = pb.Ready(match_id=response.match_start.match_id)
                await call.write(pb.PlayRequest(ready=ready).SerializeToString())
            case "error":
                raise RuntimeError(f"stream {stream}: the server refused something: {response.error}")
    raise RuntimeError(f"stream {stream}: the server ended it: {await call.details()}")


def play_bare(request_bytes: int) -> Play:
    """A bot of the bare server that sends requests of this size."""
    padding = "-" * padding_for(request_bytes, lambda length: pong(1, "-" * length).ByteSize())

    async def play(stream: int, call: Call, tally: Tally) -> None:
        await call.write(pong(1, padding).SerializeToString())
        while isinstance(data := await call.read(), bytes):
            asked = pb.PlayResponse.FromString(data).match_start
            request = pong(asked.bot_seed, padding).SerializeToString()
            tally.add(stream, request, data)
            await call.write(request)
        raise RuntimeError(f"stream {stream}: the bare server ended it: {await call.details()}")

    return play


async def measure(address: str, pid: int, play: Play, streams: int, warm_up: float, seconds: float) -> Measured:
    """Opens the streams and measures their play; raises what a stream raises."""
    tally = Tally(streams)
    channels = [grpc.aio.insecure_channel(address, options=_OPTIONS) for _ in range(streams)]
    bots = [asyncio.create_task(play(i, channel.stream_stream(_METHOD)(), tally)) for i, channel in enumerate(channels)]
    measuring = asyncio.create_task(_measure(tally, pid, warm_up, seconds))
    done, _ = await asyncio.wait({measuring, *bots}, return_when=asyncio.FIRST_COMPLETED)
    for task in done - {measuring}:
        task.result()
    return measuring.result()


async def _measure(tally: Tally, pid: int, warm_up: float, seconds: float) -> Measured:
    async with asyncio.timeout(_START_SECONDS):
        await tally.all_started.wait()
    await asyncio.sleep(warm_up)
    before = _reading(tally, pid)
    await asyncio.sleep(seconds)
    after = _reading(tally, pid)
    took, turns, server, load, busy, requests, responses = [now - was for now, was in zip(after, before, strict=True)]
    return Measured(
        seconds=took,
        turns=int(turns),
        server_cpu_us=server,
        load_cpu_us=load,
        request_bytes=round(requests / turns),
        response_bytes=round(responses / turns),
        other_cores=max(busy - server - load, 0) / (took * 1e6),
    )


def _reading(tally: Tally, pid: int) -> tuple[float, ...]:
    cpu = cpu_us(pid), cpu_us(os.getpid()), busy_us()
    return time.monotonic(), tally.turns, *cpu, tally.request_bytes, tally.response_bytes


def main() -> None:
    """Measures once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--pid", type=int, required=True, help="of the server")
    parser.add_argument("--streams", type=int, required=True)
    parser.add_argument("--warm-up", type=float, required=True, metavar="SECONDS")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--bare-request-bytes", type=int, metavar="N", help="play with the bare server, this size")
    args = parser.parse_args()
    play = play_real if args.bare_request_bytes is None else play_bare(args.bare_request_bytes)
    measured = asyncio.run(measure(args.address, args.pid, play, args.streams, args.warm_up, args.seconds))
    print(json.dumps(dataclasses.asdict(measured)), flush=True)
    os._exit(0)  # without waiting for 128 streams to close


if __name__ == "__main__":
    main()
