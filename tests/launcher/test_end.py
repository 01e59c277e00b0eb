"""How a bot ends, by itself or asked, and that nothing of it is left."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from tests.launcher.support import PROGRAMS, Family, is_alive, launch, read, shell, state, until

from croupier_server.launcher.client import Launcher

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        ("exit 0", "exit status 0"),
        ("exit 3", "exit status 3"),
        ("kill -SEGV $$", "killed by SIGSEGV"),
        ("kill -KILL $$", "killed by SIGKILL"),
        ("kill -40 $$", "killed by signal 40"),
    ],
)
async def test_the_end_is_told_in_words(launcher: Launcher, tmp_path: Path, script: str, detail: str) -> None:
    bot = await shell(launcher, tmp_path / "ann", script)
    assert await bot.exited() == detail


async def test_the_end_can_be_awaited_by_many_and_again(launcher: Launcher, tmp_path: Path) -> None:
    bot = await shell(launcher, tmp_path / "ann", "exit 3")
    assert list(await asyncio.gather(bot.exited(), bot.exited())) == ["exit status 3", "exit status 3"]
    assert await bot.exited() == "exit status 3"


async def test_a_cancelled_wait_leaves_the_bot_alone(launcher: Launcher, tmp_path: Path) -> None:
    bot = await shell(launcher, tmp_path / "ann", "sleep 100")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(bot.exited(), 0.01)
    assert is_alive(bot.pid)
    assert await bot.stop(0) == "killed by SIGKILL"


async def test_what_a_bot_wrote_last_is_in_its_files_when_its_end_is_told(launcher: Launcher, tmp_path: Path) -> None:
    bot = await shell(launcher, tmp_path / "ann", "yes | head -c 50000; echo oops >&2; exit 1")
    await bot.exited()
    assert len(bot.folder.stdout.read_bytes()) == 50_000
    assert bot.folder.stderr.read_text() == "oops\n"


async def test_a_bot_that_ends_takes_all_that_it_started_with_it(launcher: Launcher, tmp_path: Path) -> None:
    family = Family(tmp_path / "family")
    bot = await launch(launcher, tmp_path / "ann", *family.command)
    await until(family.is_complete)
    os.kill(bot.pid, signal.SIGSEGV)
    assert await bot.exited() == "killed by SIGSEGV"
    assert family.alive() == []


async def test_a_bot_may_use_its_grace_to_say_goodbye(launcher: Launcher, tmp_path: Path) -> None:
    bot = await shell(
        launcher, tmp_path / "ann", "trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done"
    )
    await until(lambda: read(bot.folder.stdout))
    assert await bot.stop(grace_seconds=10) == "exit status 0"
    assert bot.folder.stdout.read_text() == "ready\nbye\n"


async def test_a_bot_under_a_shell_gets_the_grace_too(launcher: Launcher, tmp_path: Path) -> None:
    """The shell dies of SIGTERM at once; what it waits for is still at its goodbye then."""
    slow = "import signal, sys, time; signal.signal(15, lambda *_: (time.sleep(0.2), print('bye'), sys.exit()))"
    code = f"{slow}; print('ready', flush=True); signal.pause()"
    bot = await shell(launcher, tmp_path / "ann", f'{sys.executable} -Sc "{code}"; true')
    await until(lambda: read(bot.folder.stdout))
    assert await bot.stop(grace_seconds=10) == "killed by SIGTERM"
    assert bot.folder.stdout.read_text() == "ready\nbye\n"


async def test_a_bot_that_is_deaf_to_sigterm_is_killed_after_the_grace(launcher: Launcher, tmp_path: Path) -> None:
    bot = await shell(launcher, tmp_path / "ann", "trap '' TERM; echo ready; while :; do sleep 0.01; done")
    await until(lambda: read(bot.folder.stdout))
    began = time.monotonic()
    assert await bot.stop(grace_seconds=0.3) == "killed by SIGKILL"
    assert 0.3 <= time.monotonic() - began < 3


async def test_a_stopped_bot_is_killed(launcher: Launcher, tmp_path: Path) -> None:
    bot = await shell(launcher, tmp_path / "ann", "kill -STOP $$")
    await until(lambda: state(bot.pid) == "T")
    assert await bot.stop(grace_seconds=0.1) == "killed by SIGKILL"


async def test_a_second_stop_shortens_the_grace(launcher: Launcher, tmp_path: Path) -> None:
    bot = await shell(launcher, tmp_path / "ann", "trap '' TERM; echo ready; while :; do sleep 0.01; done")
    await until(lambda: read(bot.folder.stdout))
    patient = asyncio.create_task(bot.stop(grace_seconds=1000))
    await asyncio.sleep(0)
    assert await bot.stop(grace_seconds=0) == "killed by SIGKILL"
    assert await patient == "killed by SIGKILL"


async def test_a_bot_that_has_ended_keeps_its_end_when_it_is_stopped(launcher: Launcher, tmp_path: Path) -> None:
    bot = await shell(launcher, tmp_path / "ann", "exit 3")
    await bot.exited()
    assert await bot.stop(grace_seconds=10) == "exit status 3"


@pytest.mark.parametrize("grace_seconds", [0.0, 0.2])
async def test_a_stopped_bot_takes_its_whole_family_with_it(
    launcher: Launcher, tmp_path: Path, grace_seconds: float
) -> None:
    family = Family(tmp_path / "family")
    bot = await launch(launcher, tmp_path / "ann", *family.command)
    await until(family.is_complete)
    assert bot.pid == family.pid("bot")
    await bot.stop(grace_seconds)
    assert family.alive() == []


async def test_the_end_of_one_bot_spares_the_family_of_another(launcher: Launcher, tmp_path: Path) -> None:
    families = [Family(tmp_path / f"family of {name}") for name in ("ann", "bob")]
    ann, bob = [await launch(launcher, tmp_path / family.folder.name[-3:], *family.command) for family in families]
    for family in families:
        await until(family.is_complete)
    await ann.stop(0)
    assert families[0].alive() == []
    assert families[1].alive() == families[1].members()
    await bob.stop(0)
    assert families[1].alive() == []


async def test_a_process_that_forks_on_and_on_into_new_sessions_is_caught(launcher: Launcher, tmp_path: Path) -> None:
    """It is never the same process for longer than a fork takes, and never in a group that was seen before."""
    generations = tmp_path / "generations"
    hopper = f"{sys.executable} -S {PROGRAMS / 'hopper.py'} {generations}"
    bot = await shell(launcher, tmp_path / "ann", f"{hopper} & sleep 100")
    await until(lambda: generations.exists() and generations.stat().st_size > 20)
    await bot.stop(0)
    size = generations.stat().st_size
    again = await shell(launcher, tmp_path / "bob", "sleep 0.05")
    await again.exited()
    assert generations.stat().st_size == size
