"""`croupier.play` as it is used: a program of its own with an address and a token in its environment."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.support import play_messages as say
from tests.support.scripted_server import Caller, serve

from croupier.v1 import play_service_pb2 as pb

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_S = 30.0
pytestmark = pytest.mark.asyncio(loop_scope="module")  # grpc.aio wants one loop a process

FIRST_BOT = re.findall(r"```python\n(.*?)```", (ROOT / "clients/python/README.md").read_text(), re.DOTALL)[0]


@asynccontextmanager
async def program(text: str, **settings: str) -> AsyncGenerator[Process]:
    """Runs a Python program whose environment holds only these of Croupier's settings."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    path = os.pathsep.join([str(ROOT / "clients/python"), os.environ.get("PYTHONPATH", "")])
    env = inherited | {"PYTHONPATH": path} | settings
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", text, env=env, stdout=PIPE, stderr=PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def ended(process: Process) -> tuple[int | None, list[str]]:
    """The exit code and the lines on stderr."""
    async with asyncio.timeout(DEADLINE_S):
        _, stderr = await process.communicate()
    return process.returncode, stderr.decode().splitlines()


def script(*then: Callable[[Caller], Awaitable[None]]) -> Callable[[Caller], Awaitable[None]]:
    """Opens a session and a match, asks the first turn, and then does the rest."""

    async def run(bot: Caller) -> None:
        assert (await bot.hears("hello")).token == "ticket"
        await bot.says(say.welcome(), say.match_start())
        await bot.hears("ready")
        await bot.says(say.turn(1))
        for step in then:
            await step(bot)

    return run


async def answered(bot: Caller) -> None:
    assert (await bot.hears("act")).HasField("index")


async def drained(bot: Caller) -> None:
    await bot.says(say.match_end(), say.draining())
    await bot.hears_goodbye()


async def test_the_first_bot_of_the_readme_plays_and_ends_with_0() -> None:
    assert len(FIRST_BOT.split("\n\n\n")) == 3
    assert len([line for line in FIRST_BOT.splitlines() if line]) <= 10
    async with (
        serve(script(answered, drained)) as address,
        program(FIRST_BOT, CROUPIER_ADDRESS=address, CROUPIER_TOKEN="ticket") as bot,
    ):
        assert await ended(bot) == (0, [])


async def test_sigterm_ends_it_with_0() -> None:
    playing = asyncio.Event()

    async def tell(bot: Caller) -> None:
        playing.set()
        await bot.hears_goodbye()

    async with (
        serve(script(answered, tell)) as address,
        program(FIRST_BOT, CROUPIER_ADDRESS=address, CROUPIER_TOKEN="ticket") as bot,
    ):
        async with asyncio.timeout(DEADLINE_S):
            await playing.wait()
        bot.send_signal(signal.SIGTERM)
        assert await ended(bot) == (0, [])


@pytest.mark.parametrize(
    ("missing", "settings"),
    [
        ("CROUPIER_ADDRESS", {"CROUPIER_TOKEN": "ticket"}),
        ("CROUPIER_TOKEN", {"CROUPIER_ADDRESS": "127.0.0.1:1"}),
        ("CROUPIER_TOKEN", {"CROUPIER_ADDRESS": "127.0.0.1:1", "CROUPIER_TOKEN": ""}),
    ],
)
async def test_a_missing_setting_is_named_and_ends_it_with_1(missing: str, settings: dict[str, str]) -> None:
    async with program(FIRST_BOT, **settings) as bot:
        code, lines = await ended(bot)
    assert code == 1
    assert lines[-1].startswith(f"croupier.CroupierError: {missing} is not set: expected ")
    assert len(lines) < 8  # no frames of the library's inside


async def test_a_refused_ticket_ends_it_with_1_and_the_servers_words() -> None:
    async def refuse(bot: Caller) -> None:
        await bot.hears("hello")
        await bot.says(say.fatal(pb.ERROR_CODE_UNAUTHENTICATED, "no such ticket"))

    async with (
        serve(refuse) as address,
        program(FIRST_BOT, CROUPIER_ADDRESS=address, CROUPIER_TOKEN="ticket") as bot,
    ):
        code, lines = await ended(bot)
    assert (code, lines[-1]) == (1, "croupier.RefusedError: UNAUTHENTICATED: no such ticket")
    assert len(lines) < 8


async def test_a_bot_that_crashes_ends_it_with_1_and_its_own_traceback() -> None:
    broken = FIRST_BOT.replace("return self.luck.choice(turn.legal)", "return self.memory")
    async with (
        serve(script(Caller.hears_goodbye)) as address,
        program(broken, CROUPIER_ADDRESS=address, CROUPIER_TOKEN="ticket") as bot,
    ):
        code, lines = await ended(bot)
    assert (code, lines[-1]) == (1, "AttributeError: 'MyBot' object has no attribute 'memory'")
    assert any("in act" in line for line in lines)


async def test_importing_the_sdk_loads_neither_grpc_nor_protobuf() -> None:
    heavy = "import sys, croupier; print({'grpc', 'google.protobuf', 'asyncio'} & set(sys.modules))"
    async with program(heavy) as process:
        stdout, _ = await process.communicate()
    assert stdout.decode().strip() == "set()"
