"""The run-queue delay that the kernel reports, of real processes that want the same processor."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.launcher.support import launch, read, until

from croupier_server.launcher.client import Launcher
from croupier_server.launcher.delay import run_queue_delay_us

pytestmark = pytest.mark.asyncio

PROCESSOR = str(min(os.sched_getaffinity(0)))
BURN = (sys.executable, "-SIc", "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass")
BURN_IN_A_THREAD = (
    sys.executable,
    "-SIc",
    f"import signal, threading; threading.Thread(target=exec, args=[{BURN[-1]!r}]).start(); signal.pause()",
)
SLEEP = "import signal; print('asleep'); signal.pause()"


def delay(pid: int) -> int:
    waited = run_queue_delay_us(pid)
    assert waited is not None
    return waited


@pytest.mark.parametrize("burn", [BURN, BURN_IN_A_THREAD], ids=["main thread", "other thread"])
async def test_who_waits_for_a_processor_is_credited(launcher: Launcher, tmp_path: Path, burn: tuple[str, ...]) -> None:
    bots = [await launch(launcher, tmp_path / name, *burn, PROCESSOR) for name in ("ann", "bob")]
    await until(lambda: all(delay(bot.pid) > 50_000 for bot in bots))


async def test_who_sleeps_is_not(launcher: Launcher, tmp_path: Path) -> None:
    sleeper = await launch(launcher, tmp_path / "sleeper", sys.executable, "-SIuc", SLEEP)
    await until(lambda: read(sleeper.folder.stdout))
    before = delay(sleeper.pid)
    burners = [await launch(launcher, tmp_path / name, *BURN, PROCESSOR) for name in ("ann", "bob")]
    await until(lambda: all(delay(burner.pid) > 50_000 for burner in burners))
    assert delay(sleeper.pid) - before < 5_000


async def test_a_process_that_is_gone_has_none(launcher: Launcher, tmp_path: Path) -> None:
    bot = await launch(launcher, tmp_path / "ann", "true")
    await bot.exited()
    assert run_queue_delay_us(bot.pid) is None
