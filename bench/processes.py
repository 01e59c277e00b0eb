"""Processes of a benchmark: each on its core, with its processor time read from outside. Measures nothing by itself."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
_CPU_CLOCK = 2  # of all threads of a process, those that have ended included; see clock_getcpuclockid(3)
_LOG_SHOWN = 4_000  # bytes


def cores() -> tuple[int, int] | None:
    """One core for the server and one for the load; None where there is no second, or no way to choose."""
    if sys.platform != "linux":
        return None
    usable = sorted(os.sched_getaffinity(0))
    return (usable[0], usable[1]) if len(usable) > 1 else None


@contextlib.contextmanager
def on_core(core: int | None) -> Iterator[None]:
    """Within the block this thread, and every process that it starts, runs on that core alone; None: anywhere."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def cpu_us(pid: int) -> float:
    """Processor time of a process since its start, all threads together, in microseconds. Linux only."""
    return time.clock_gettime_ns((~pid << 3) | _CPU_CLOCK) / 1000


def busy_us() -> float:
    """Processor time of everything that runs on this machine, all cores together, in microseconds. Linux only."""
    user, nice, system, _idle, _waiting, *rest = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])
    hardware, software, stolen = rest[:3]
    ticks = user + nice + system + hardware + software + stolen
    return ticks / os.sysconf("SC_CLK_TCK") * 1e6


@contextlib.asynccontextmanager
async def running(
    command: Sequence[str], core: int | None, pass_fds: Sequence[int] = ()
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process for the block, killed at its end. Its output is a pipe; its log is shown if the block fails."""
    with tempfile.TemporaryFile() as log:
        with on_core(core):
            process = await asyncio.create_subprocess_exec(
                *command, stdout=asyncio.subprocess.PIPE, stderr=log, pass_fds=pass_fds
            )
        try:
            yield process
        except BaseException:
            log.seek(0)
            sys.stderr.write(log.read()[-_LOG_SHOWN:].decode(errors="replace"))
            raise
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def line_of(process: asyncio.subprocess.Process, what: str, seconds: float) -> str:
    """The next line that a process prints; raises RuntimeError when it ends first, TimeoutError when it is silent."""
    assert process.stdout is not None
    async with asyncio.timeout(seconds):
        line = await process.stdout.readline()
    if not line:
        raise RuntimeError(f"{what} ended before it had said anything")
    return line.decode().rstrip("\n")


def script(name: str, *arguments: str) -> list[str]:
    """The command line of a script beside this one."""
    return [sys.executable, str(HERE / name), *arguments]
