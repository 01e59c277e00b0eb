from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from croupier.v1 import play_service_pb2 as pb
from croupier_server.match.spec import Termination

pytestmark = pytest.mark.asyncio


async def test_sigterm_lets_running_matches_end_and_takes_no_new_bots(arena: Any) -> None:
    async with arena() as a:
        one, two, idle, late = (a.stream() for _ in range(4))
        match = a.open("one", "two")
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")), idle.hello(a.admit("idle")))
        turn = await one.until("turn")
        health: Any = health_pb2_grpc.HealthStub(a.channel)
        watch = health.Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING

        os.kill(os.getpid(), signal.SIGTERM)

        assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        await idle.until("draining")
        assert await idle.status() is grpc.StatusCode.OK
        await late.send(hello=pb.Hello(token=a.admit("late"), protocol_version=1))
        assert (await late.until("error")).code == pb.ERROR_CODE_SHUTTING_DOWN
        await one.act(turn)
        await asyncio.gather(one.play_on(), two.play_on())
        assert await one.status() is grpc.StatusCode.OK
        assert (await match).play.result.termination is Termination.NORMAL


async def test_the_end_of_the_runner_ends_the_server_at_once(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        await one.until("turn")
        await a.line.close()  # with a match that goes on
        match.cancel()
        assert await one.status() is not grpc.StatusCode.OK
