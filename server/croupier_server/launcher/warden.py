"""The warden: the runner's one child. Forks a keeper for each bot and cleans up when the runner or a keeper is killed.

    python -S -P -m croupier_server.launcher.warden FD

FD is an inherited SOCK_SEQPACKET socket; its end means that the runner has gone. Standard library only, one thread, no
asyncio: forking is cheap and safe here, and nowhere near grpc. The warden never speaks, it only listens.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import sys
import time
import traceback

from croupier_server.launcher.keeper import KILL_AGAIN_SECONDS, KILL_SECONDS, Keeper
from croupier_server.launcher.messages import LONGEST, Adopt, Failed, Keep, decode, encode
from croupier_server.launcher.processes import become_subreaper, kill_children, reap, start_time
from croupier_server.launcher.signals import SignalPipe

_KEEPERS_SECONDS = KILL_SECONDS + 1  # a keeper that has not ended by then is stopped or stuck


class Warden:
    """Listens on `control` until its end or a signal to end."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._signals = SignalPipe(signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ, self._read_control)
        self._selector.register(self._signals, selectors.EVENT_READ, self._read_signals)
        self._keepers: set[int] = set()
        self._adopted: list[Adopt] = []
        self._ending = False
        become_subreaper()

    def run(self) -> None:
        """Serve the runner; when it has gone, kill what it adopted and see that all keepers end."""
        while not self._ending:
            self._step()
        for process in self._adopted:
            if start_time(process.pid) == process.start_time:
                with contextlib.suppress(OSError):  # it ended just now
                    os.kill(process.pid, signal.SIGKILL)
        for keeper in self._keepers:
            os.kill(keeper, signal.SIGTERM)
        began = time.monotonic()
        while not self._reap() and time.monotonic() < began + _KEEPERS_SECONDS + KILL_SECONDS:
            kill_children(spare=self._keepers if time.monotonic() < began + _KEEPERS_SECONDS else ())
            self._step(KILL_AGAIN_SECONDS)

    def _step(self, seconds: float | None = None) -> None:
        for key, _ in self._selector.select(seconds):
            key.data()

    def _read_control(self) -> None:
        data, descriptors, _, _ = socket.recv_fds(self._control, LONGEST, 1, socket.MSG_CMSG_CLOEXEC)
        if not data:
            self._ending = True
            self._selector.unregister(self._control)
            return
        match decode(data):
            case Keep():
                with socket.socket(fileno=descriptors[0]) as runner:
                    self._fork_keeper(runner)
            case Adopt() as process:
                self._adopted.append(process)
            case other:
                raise ValueError(f"{type(other).__name__} is no message to the warden")

    def _fork_keeper(self, runner: socket.socket) -> None:
        warden = os.getpid()
        try:
            keeper = os.fork()
        except OSError as error:  # no memory or no process left
            with contextlib.suppress(OSError):  # it did not wait for the answer
                runner.sendall(encode(Failed(f"its keeper: {error.strerror}")))
            return
        if keeper == 0:
            self._become_keeper(runner, warden)
        self._keepers.add(keeper)

    def _become_keeper(self, runner: socket.socket, warden: int) -> None:
        """Be a keeper and exit; nothing of the warden, its descriptors least of all, may live on in this fork."""
        status = os.EX_SOFTWARE
        try:
            os.setsid()
            keeper = Keeper(runner, warden)
            self._selector.close()
            self._signals.close()
            self._control.close()
            status = os.EX_OK if keeper.run() else os.EX_UNAVAILABLE
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)

    def _read_signals(self) -> None:
        if self._signals.take() - {signal.SIGCHLD}:
            self._ending = True
        self._reap()

    def _reap(self) -> bool:
        """Collect ended keepers; what was below one that broke has become ours and is killed. True when all is gone."""
        ended, childless = reap()
        left_orphans = any(pid not in self._keepers or status != os.EX_OK for pid, status in ended.items())
        self._keepers -= ended.keys()
        if left_orphans:
            kill_children(spare=self._keepers)
        return childless


def main() -> None:
    """The process."""
    with socket.socket(fileno=int(sys.argv[1])) as control:
        Warden(control).run()


if __name__ == "__main__":
    main()
