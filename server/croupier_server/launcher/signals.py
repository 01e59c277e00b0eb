"""Signals as bytes of a pipe, which a loop over `selectors` waits for beside its sockets. No handler does work."""

from __future__ import annotations

import os
import signal
from types import FrameType


class SignalPipe:
    """Catches the given signals of this process, whose main thread is its only one.

    A handler, not a mask and not SIG_IGN: exec resets handlers, but both others would pass on to the bots.
    """

    def __init__(self, *signums: signal.Signals) -> None:
        self._read_end, self._write_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(self._write_end, warn_on_full_buffer=False)
        for signum in signums:
            signal.signal(signum, _note)

    def fileno(self) -> int:
        """The descriptor that is readable while signals wait."""
        return self._read_end

    def take(self) -> frozenset[int]:
        """The signals caught since the last call."""
        try:
            return frozenset(os.read(self._read_end, 4096))
        except BlockingIOError:
            return frozenset()

    def close(self) -> None:
        """Close this process's ends: what a fork does once it has a pipe of its own."""
        os.close(self._read_end)
        os.close(self._write_end)


def _note(_signum: int, _frame: FrameType | None) -> None:
    """Nothing: the number is in the pipe by now."""
