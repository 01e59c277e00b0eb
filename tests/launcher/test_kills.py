"""kill -9 of the runner, of the warden and of a keeper: no process is left, and who remains notices."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.launcher.support import DEADLINE_SECONDS, PROGRAMS, Family, is_alive, launch, parent, shell, until

from croupier_server.launcher.client import Launcher, LauncherLostError
from croupier_server.launcher.messages import Adopt, encode
from croupier_server.launcher.processes import start_time

pytestmark = pytest.mark.asyncio

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


@asynccontextmanager
async def a_runner(folder: Path, family: Family, *, members: int = 14) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process of its own that runs two unruly bots and has adopted a child; the block begins with so many members."""
    runner = await asyncio.create_subprocess_exec(
        *(sys.executable, str(PROGRAMS / "runner.py"), str(folder), str(family.folder)),
        env=ENVIRONMENT,
        start_new_session=True,
    )
    try:
        await until(lambda: len(family.members()) >= members)
        yield runner
    finally:
        if runner.returncode is None:
            runner.kill()
        await runner.wait()


async def test_nothing_is_left_when_the_runner_is_killed(tmp_path: Path) -> None:
    family = Family(tmp_path / "family")
    async with a_runner(tmp_path / "bots", family) as runner:
        keepers = [parent(pid) for role, pid in family.members() if role == "bot"]
        warden = parent(keepers[0])
        assert len(family.alive()) == 14
        runner.kill()
        await until(lambda: not family.alive() and not any(map(is_alive, (*keepers, warden))))


@pytest.mark.parametrize("members", [1, 3, 5, 7, 9, 11, 13])
async def test_nothing_is_left_when_the_runner_is_killed_while_its_bots_start(tmp_path: Path, members: int) -> None:
    family = Family(tmp_path / "family")
    async with a_runner(tmp_path / "bots", family, members=members) as runner:
        runner.kill()
        await until(lambda: not family.alive())


async def test_nothing_is_left_when_the_runner_is_killed_with_its_whole_group(tmp_path: Path) -> None:
    family = Family(tmp_path / "family")
    async with a_runner(tmp_path / "bots", family) as runner:
        os.killpg(runner.pid, signal.SIGKILL)
        await until(lambda: not family.alive())


async def test_nothing_is_left_when_the_runner_is_killed_while_a_keeper_is_stopped(tmp_path: Path) -> None:
    family = Family(tmp_path / "family")
    async with a_runner(tmp_path / "bots", family) as runner:
        bot = next(pid for role, pid in family.members() if role == "bot")
        os.kill(parent(bot), signal.SIGSTOP)
        runner.kill()
        await until(lambda: not family.alive())


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM], ids=lambda signum: signum.name)
async def test_bots_die_with_the_warden_and_the_client_notices(tmp_path: Path, signum: signal.Signals) -> None:
    family = Family(tmp_path / "family")
    async with asyncio.timeout(DEADLINE_SECONDS), Launcher.start() as launcher:
        bot = await launch(launcher, tmp_path / "ann", *family.command)
        await until(family.is_complete)
        os.kill(parent(parent(bot.pid)), signum)
        assert await launcher.lost() == ("killed by SIGKILL" if signum == signal.SIGKILL else "exit status 0")
        with pytest.raises(LauncherLostError, match="bot 'ann': its keeper ended and the bot with it"):
            await bot.exited()
        await until(lambda: not family.alive())


async def test_no_bot_starts_and_nothing_is_adopted_when_the_warden_is_dead(tmp_path: Path) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS), Launcher.start() as launcher:
        bot = await shell(launcher, tmp_path / "ann", "sleep 100")
        os.kill(parent(parent(bot.pid)), signal.SIGKILL)
        await launcher.lost()
        with pytest.raises(LauncherLostError, match="the launcher does not listen: Broken pipe"):
            await shell(launcher, tmp_path / "bob", "sleep 100")
        with pytest.raises(LauncherLostError, match="is not adopted: Broken pipe"):
            launcher.adopt(os.getpid())


async def test_a_bots_family_dies_with_its_keeper_and_other_bots_live_on(launcher: Launcher, tmp_path: Path) -> None:
    family = Family(tmp_path / "family")
    ann = await launch(launcher, tmp_path / "ann", *family.command)
    bob = await shell(launcher, tmp_path / "bob", "sleep 100")
    await until(family.is_complete)
    os.kill(parent(ann.pid), signal.SIGKILL)
    with pytest.raises(LauncherLostError, match="bot 'ann': its keeper ended and the bot with it"):
        await ann.exited()
    await until(lambda: not family.alive())
    assert await bob.stop(grace_seconds=10) == "killed by SIGTERM"


async def test_leaving_the_block_kills_every_bot_and_says_how_it_ended(tmp_path: Path) -> None:
    family = Family(tmp_path / "family")
    async with Launcher.start() as launcher:
        bot = await launch(launcher, tmp_path / "ann", *family.command)
        await until(family.is_complete)
    assert family.alive() == []
    assert await bot.exited() == "killed by SIGKILL"


async def test_an_error_in_the_block_kills_every_bot(tmp_path: Path) -> None:
    family = Family(tmp_path / "family")

    async def fail() -> None:
        async with Launcher.start() as launcher:
            await launch(launcher, tmp_path / "ann", *family.command)
            await until(family.is_complete)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert family.alive() == []


async def test_an_adopted_process_dies_when_the_block_is_left() -> None:
    async with Launcher.start() as launcher:
        server = await asyncio.create_subprocess_exec("sleep", "100")
        launcher.adopt(server.pid)
    async with asyncio.timeout(DEADLINE_SECONDS):
        assert await server.wait() == -signal.SIGKILL


async def test_only_a_process_can_be_adopted(launcher: Launcher) -> None:
    server = await asyncio.create_subprocess_exec("true")
    await server.wait()
    with pytest.raises(ProcessLookupError, match=f"no process {server.pid} to adopt"):
        launcher.adopt(server.pid)


async def test_a_process_that_has_the_pid_of_an_adopted_one_is_spared() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    stranger = await asyncio.create_subprocess_exec("sleep", "100")
    with theirs:
        command = (sys.executable, "-m", "croupier_server.launcher.warden", str(theirs.fileno()))
        warden = await asyncio.create_subprocess_exec(*command, pass_fds=(theirs.fileno(),), env=ENVIRONMENT)
    began = start_time(stranger.pid)
    assert began is not None
    with ours:
        ours.send(encode(Adopt(stranger.pid, began - 1)))
    async with asyncio.timeout(DEADLINE_SECONDS):
        assert await warden.wait() == 0
        assert stranger.returncode is None
        assert is_alive(stranger.pid)
        stranger.kill()
        await stranger.wait()
