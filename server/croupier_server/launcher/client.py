"""The launcher as the runner sees it: asyncio, nothing that blocks, every wait with a deadline.

    async with Launcher.start() as launcher:
        bot = await launcher.launch(Launch(name="ann", command=("python3", "/bots/ann.py"), folder=folder))
        detail = await bot.exited()

When the block is left, or the process that is in it is killed, all bots and adopted processes are gone.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from croupier_server.launcher.folder import BotFolder
from croupier_server.launcher.keeper import KILL_SECONDS
from croupier_server.launcher.messages import (
    LONGEST,
    Adopt,
    Ended,
    Failed,
    Keep,
    Message,
    Start,
    Started,
    Stop,
    decode,
    encode,
)
from croupier_server.launcher.processes import describe_end, start_time

_ANSWER_SECONDS = 30.0  # for a start or an end that should take milliseconds
_STARTS_AT_A_TIME = 16  # more gain nothing, and these always fit the socket's buffer
_PACKAGES = Path(__file__).parents[2]
_INTERPRETER_NEEDS = ("LD_LIBRARY_PATH", "PYTHONHOME")


class LaunchError(Exception):
    """A bot could not be started: names the bot, its command or folder, and what is wrong."""


class LauncherLostError(Exception):
    """The host's own machinery ended or does not answer, so the end of a bot says nothing about the bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How to start one bot.

    Its environment is PATH of this process, HOME, TMPDIR and a UTF-8 locale, and `env` over these; nothing else. Its
    working directory is `folder`/home (see module `folder`), so relative paths in `command` mean files there.
    """

    name: str  # for messages only
    command: tuple[str, ...]  # program, looked up on PATH when it has no slash, and arguments; any user can read these
    folder: Path  # made by the launch; must not exist
    env: Mapping[str, str] = field(default_factory=dict, repr=False)  # the place for a token, so never shown
    output_limit: int = 1 << 20  # bytes kept of stdout and of stderr

    def __post_init__(self) -> None:
        """ValueError for what no launch can be."""
        if not self.command or not self.command[0]:
            raise ValueError(f"bot {self.name!r}: an empty command, expected a program and its arguments")
        if self.output_limit < 0:
            raise ValueError(f"bot {self.name!r}: output_limit is {self.output_limit}, expected at least 0")


class Bot:
    """A bot that was started. Made by `Launcher.launch`."""

    def __init__(
        self, name: str, pid: int, folder: BotFolder, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.name = name
        self.pid = pid
        self.folder = folder
        self._writer = writer
        self._ending = asyncio.create_task(self._wait(reader), name=f"end of bot {name}")

    async def exited(self) -> str:
        """Wait until the bot and all it started are gone, its output files complete; how it ended.

        "exit status 3", "killed by SIGSEGV". It may be called by many and again. LauncherLostError when the launcher
        ended instead.
        """
        detail = await asyncio.shield(self._ending)
        if detail is None:
            raise LauncherLostError(f"bot {self.name!r}: its keeper ended and the bot with it")
        return detail

    async def stop(self, grace_seconds: float) -> str:
        """Send SIGTERM to the bot's process group, after the grace SIGKILL to all it started; how it ended.

        0 kills at once. A bot that has ended keeps its end. LauncherLostError when nothing answers.
        """
        if not self._ending.done():
            self._writer.write(encode(Stop(grace_seconds)))
        try:
            async with asyncio.timeout(grace_seconds + KILL_SECONDS + _ANSWER_SECONDS):
                return await self.exited()
        except TimeoutError:
            raise LauncherLostError(f"bot {self.name!r}: its keeper does not answer") from None

    def _leave(self) -> asyncio.Task[str | None]:
        """Have it killed at once."""
        if not self._ending.done():
            self._writer.write_eof()
        return self._ending

    async def _wait(self, reader: asyncio.StreamReader) -> str | None:
        """How the bot ended; None when its keeper ended without a word."""
        try:
            message = await _receive(reader)
        finally:
            self._writer.close()
        return message.detail if isinstance(message, Ended) else None


class Launcher:
    """Starts bots. Made by `Launcher.start`."""

    def __init__(self, control: socket.socket, warden: asyncio.subprocess.Process) -> None:
        self._control = control
        self._warden = warden
        self._slots = asyncio.Semaphore(_STARTS_AT_A_TIME)
        self._bots: set[Bot] = set()

    @classmethod
    @asynccontextmanager
    async def start(cls) -> AsyncIterator[Launcher]:
        """A launcher for the block; at its end every bot is killed and every adopted process with them.

        LaunchError on a system that is not Linux.
        """
        if sys.platform != "linux":
            raise LaunchError(f"launching bots needs Linux (prctl, /proc), and this is {sys.platform}")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            ours.setblocking(False)
            with theirs:
                warden = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-S", "-P", "-m", "croupier_server.launcher.warden", str(theirs.fileno())),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.DEVNULL,
                    env=_warden_environment(),
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,  # out of reach of Ctrl-C and of a signal to the runner's group
                )
            launcher = cls(ours, warden)
            try:
                yield launcher
            finally:
                await launcher._close()

    async def launch(self, launch: Launch) -> Bot:
        """Start a bot; it runs when this returns.

        LaunchError when the bot cannot be started, LauncherLostError when the launcher does not answer.
        """
        folder = BotFolder(launch.folder.absolute())
        order = encode(Start(launch.command, _environment(launch, folder), str(folder.root), launch.output_limit))
        if len(order) > LONGEST:
            raise LaunchError(f"bot {launch.name!r}: command and environment take {len(order)} bytes, limit {LONGEST}")
        async with self._slots:
            reader, writer = await self._new_keeper()
            try:
                writer.write(order)
                async with asyncio.timeout(_ANSWER_SECONDS):
                    answer = await _receive(reader)
            except BaseException as error:
                writer.close()  # which ends the keeper and its bot
                if isinstance(error, TimeoutError):
                    raise LauncherLostError(f"bot {launch.name!r}: the launcher does not answer") from None
                raise
        match answer:
            case Started(pid):
                bot = Bot(launch.name, pid, folder, reader, writer)
                self._bots.add(bot)
                bot._ending.add_done_callback(lambda _: self._bots.discard(bot))
                return bot
            case Failed(reason):
                writer.close()
                raise LaunchError(f"bot {launch.name!r} did not start: {reason}")
            case _:
                writer.close()
                raise LauncherLostError(f"bot {launch.name!r} did not start: the launcher ended")

    def adopt(self, pid: int) -> None:
        """Have a process that this one started, and did not wait for yet, killed when this one ends, however it ends.

        ProcessLookupError when there is none, LauncherLostError when the launcher has ended.
        """
        started = start_time(pid)
        if started is None:
            raise ProcessLookupError(f"no process {pid} to adopt")
        try:
            self._control.send(encode(Adopt(pid, started)))
        except OSError as error:
            raise LauncherLostError(f"process {pid} is not adopted: {error.strerror}") from None

    async def lost(self) -> str:
        """Wait until the warden ends, which it does not by itself while the block runs; how it ended.

        All bots have been killed then, or are about to be, and no other can be started.
        """
        return describe_end(await self._warden.wait())

    async def _new_keeper(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._control, [encode(Keep())], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise LauncherLostError(f"the launcher does not listen: {error.strerror}") from None
        return await asyncio.open_unix_connection(sock=ours)

    async def _close(self) -> None:
        ends = [bot._leave() for bot in self._bots]
        if ends:
            await asyncio.wait(ends, timeout=KILL_SECONDS + _ANSWER_SECONDS)
        self._control.close()
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                await self._warden.wait()
        except TimeoutError:
            self._warden.kill()
            await self._warden.wait()


def _warden_environment() -> dict[str, str]:
    """What a Python needs to find itself and this package; bots do not even inherit that."""
    needs = {name: os.environ[name] for name in _INTERPRETER_NEEDS if name in os.environ}
    return {"PYTHONPATH": str(_PACKAGES), **needs}


def _environment(launch: Launch, folder: BotFolder) -> dict[str, str]:
    """All that the bot gets to see: never what else this process has in its environment."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder.home),
        "TMPDIR": str(folder.temporary),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        **launch.env,
    }


async def _receive(reader: asyncio.StreamReader) -> Message | None:
    """The next message, or None when the other end has closed."""
    try:
        line = await reader.readline()
    except ConnectionResetError:
        return None
    return decode(line) if line.endswith(b"\n") else None
