"""The keeper of one bot: starts it, copies its output, ends it with all its descendants, tells the runner.

A fork of the warden, never of a process with threads or grpc. It is the subreaper of its bot, so "nothing is left" is a
fact from the kernel (no child to wait for) and needs no marks in environments, which a bot can shed. It judges nothing.
"""

from __future__ import annotations

import errno
import os
import selectors
import signal
import socket
import subprocess
import time
from pathlib import Path

from croupier_server.launcher.folder import BotFolder
from croupier_server.launcher.logs import CappedLog
from croupier_server.launcher.messages import LONGEST, Ended, Failed, Message, Start, Started, Stop, decode, encode
from croupier_server.launcher.processes import (
    become_subreaper,
    children,
    describe_end,
    die_with_parent,
    group_is_empty,
    kill_children,
    reap,
    signal_group,
)
from croupier_server.launcher.signals import SignalPipe

KILL_SECONDS = 5.0
"""How long SIGKILL may take to empty a tree; what is left then cannot be killed by us."""

KILL_AGAIN_SECONDS = 0.005
"""Between two rounds of killing: orphans come to us one generation a round."""


class Keeper:
    """Speaks with the runner over `runner`, a stream socket, and ends with the process `warden`, its parent."""

    def __init__(self, runner: socket.socket, warden: int) -> None:
        self._runner = runner
        self._inbox = bytearray()
        self._signals = SignalPipe(signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        self._selector = selectors.DefaultSelector()
        self._selector.register(runner, selectors.EVENT_READ, self._read_runner)
        self._selector.register(self._signals, selectors.EVENT_READ, self._read_signals)
        self._start: Start | None = None
        self._kill_at: float | None = None  # on the monotonic clock; None while the bot may run
        self._warden_gone = False
        self._ended: dict[int, int] = {}  # pid to wait status
        become_subreaper()
        die_with_parent(warden, signal.SIGTERM)

    def run(self) -> bool:
        """Serve until the bot and all below it are gone. False when something could not be killed."""
        while self._start is None and self._kill_at is None:
            self._step()
        if self._start is None:
            return True
        logs: list[CappedLog] = []
        try:
            bot = self._spawn(self._start, logs)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            self._tell(Failed(_reason(error, self._start)))
            return True
        self._tell(Started(bot.pid))
        while bot.pid not in self._ended and self._kill_at is None:
            self._step()
        if bot.pid not in self._ended:
            self._ask_to_end(bot.pid)
        left = self._kill_all()
        for log in logs:
            log.drain()
        self._report(bot.pid, left)
        return not left

    def _spawn(self, start: Start, logs: list[CappedLog]) -> subprocess.Popen[bytes]:
        folder = BotFolder(Path(start.folder))
        folder.create()
        logs += (CappedLog(folder.stdout, start.output_limit), CappedLog(folder.stderr, start.output_limit))
        stdout, stderr = (log.write_end for log in logs)
        me = os.getpid()
        # preexec_fn runs Python between fork and exec, which is safe here alone: one thread, no locks, no grpc.
        bot = subprocess.Popen(
            start.command,
            cwd=folder.home,
            env=start.environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            preexec_fn=lambda: die_with_parent(me, signal.SIGKILL),
        )
        for log in logs:
            os.close(log.write_end)
            self._selector.register(log.read_end, selectors.EVENT_READ, log.copy)
        return bot

    def _ask_to_end(self, bot: int) -> None:
        """SIGTERM to the bot's group, and time to follow it; under a shell the group is more than the bot."""
        if self._patience() > 0:
            signal_group(bot, signal.SIGTERM)
        while not group_is_empty(bot) and self._patience() > 0:
            self._step(self._patience())

    def _patience(self) -> float:
        """Seconds until the killing; a second Stop may have shortened them."""
        return 0.0 if self._kill_at is None else self._kill_at - time.monotonic()

    def _kill_all(self) -> tuple[int, ...]:
        """SIGKILL everything below until nothing is left; the pids that withstood, which should be none."""
        give_up = time.monotonic() + KILL_SECONDS
        while not self._reap():
            if time.monotonic() > give_up:
                return children()
            kill_children()
            self._step(KILL_AGAIN_SECONDS)
        return ()

    def _report(self, bot: int, left: tuple[int, ...]) -> None:
        if self._warden_gone:
            return  # the host ended this bot, and its silence says so
        detail = describe_end(os.waitstatus_to_exitcode(self._ended[bot])) if bot in self._ended else "does not end"
        if left:
            detail += f"; SIGKILL did not end the processes {', '.join(map(str, left))}"
        self._tell(Ended(detail))

    def _step(self, seconds: float | None = None) -> None:
        """Wait for the next things to happen, at most `seconds`, and take note of them."""
        for key, _ in self._selector.select(seconds):
            if key.data() is False:
                self._selector.unregister(key.fileobj)

    def _read_runner(self) -> bool:
        """Take the runner's orders; False at the end of its socket: it closed the bot, or died."""
        try:
            chunk = self._runner.recv(1 << 16)
        except ConnectionResetError:
            chunk = b""
        if not chunk:
            self._kill_within(0.0)
            return False
        self._inbox += chunk
        if len(self._inbox) > LONGEST:
            raise ValueError(f"a message of more than {LONGEST} bytes from the runner")
        *lines, self._inbox = self._inbox.split(b"\n")
        for line in lines:
            match decode(line):
                case Start() as start:
                    self._start = start
                case Stop(grace_seconds):
                    self._kill_within(grace_seconds)
                case other:
                    raise ValueError(f"{type(other).__name__} is no message to a keeper")
        return True

    def _read_signals(self) -> bool:
        if self._signals.take() - {signal.SIGCHLD}:
            self._warden_gone = True
            self._kill_within(0.0)
        self._reap()
        return True

    def _kill_within(self, seconds: float) -> None:
        at = time.monotonic() + seconds
        self._kill_at = at if self._kill_at is None else min(at, self._kill_at)

    def _reap(self) -> bool:
        reaped = reap()
        self._ended |= reaped.ended
        return reaped.childless

    def _tell(self, message: Message) -> None:
        try:
            self._runner.sendall(encode(message))
        except OSError:  # it died; that is seen where its socket is read
            return


def _reason(error: Exception, start: Start) -> str:
    """Why a bot did not start. Only the command's first word is named: the others may hold secrets."""
    program = start.command[0]
    if not isinstance(error, OSError) or error.errno is None:
        return f"command {program!r}: {error}"
    if error.filename not in (program, None):
        return f"its folder: {error.strerror}: {str(error.filename)!r}"
    if error.errno == errno.ENOENT and "/" in program:
        return f"command {program!r} not found, or the interpreter that its first line names"
    if error.errno == errno.ENOENT:
        return f"command {program!r} not found on the PATH {start.environment.get('PATH')!r}"
    return f"command {program!r}: {error.strerror}"
