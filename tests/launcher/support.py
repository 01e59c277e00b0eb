"""What the launcher's tests share: a short way to start a bot, families of processes, waits with a deadline."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from croupier_server.launcher.client import Bot, Launch, Launcher

PROGRAMS = Path(__file__).with_name("programs")
DEADLINE_SECONDS = 20.0


async def launch(launcher: Launcher, folder: Path, *command: str, env: Mapping[str, str] | None = None) -> Bot:
    """Start a bot that is named after its folder."""
    return await launcher.launch(Launch(name=folder.name, command=command, env=env or {}, folder=folder))


async def shell(launcher: Launcher, folder: Path, script: str) -> Bot:
    """Start a bot that is a shell script."""
    return await launch(launcher, folder, "sh", "-c", script)


class Family:
    """The processes of `programs/unruly.py`: each makes an empty file ROLE.PID in `folder`."""

    roles = frozenset({"bot", "child", "grandchild", "session", "deaf", "daemon"})

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.command = (sys.executable, "-S", str(PROGRAMS / "unruly.py"), str(folder))
        folder.mkdir()

    def members(self) -> list[tuple[str, int]]:
        """Role and pid of all that have begun."""
        names = (path.name.split(".") for path in self.folder.iterdir())
        return [(role, int(pid)) for role, pid in names]

    def pid(self, role: str) -> int:
        """The pid of the only member with this role."""
        (pid,) = (pid for its_role, pid in self.members() if its_role == role)
        return pid

    def is_complete(self) -> bool:
        """Whether each role has begun."""
        return {role for role, _ in self.members()} >= self.roles

    def alive(self) -> list[tuple[str, int]]:
        """The members that still run."""
        return [(role, pid) for role, pid in self.members() if is_alive(pid)]


def is_alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and waits to be reaped does not."""
    return state(pid) not in "ZX"


def state(pid: int) -> str:
    """The kernel's letter for what the process does: S sleeps, T is stopped, Z has ended, X is gone."""
    return _stat(pid)[0]


def parent(pid: int) -> int:
    """The parent's pid."""
    return int(_stat(pid)[1])


def _stat(pid: int) -> list[str]:
    """State, parent's pid and so on; state X and parent 0 for a process that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ["X", "0"]


async def until(condition: Callable[[], object]) -> None:
    """Poll until the condition holds; TimeoutError when it does not in time."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while not condition():
            await asyncio.sleep(0.002)


def read(path: Path) -> str:
    """The file's text, "" while there is none."""
    return path.read_text() if path.exists() else ""
