"""The output files of a bot: written with a cap, and the end of one read for an error message."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

_CHUNK = 1 << 16  # bytes; what a pipe holds
_FLOOD_PAUSE_SECONDS = 0.002  # a flooder waits at its full pipe, or dropping its output would take half a processor


class CappedLog:
    """A pipe whose other end a bot writes to, and the file that keeps the first bytes of it.

    What comes beyond the limit is read and dropped, some 30 MB a second, so a bot that floods neither hangs nor fills
    the disk.
    """

    def __init__(self, path: Path, limit: int) -> None:
        """Make the file, which must not exist, for at most `limit` bytes and one closing line; OSError if it fails."""
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._limit = limit
        self._room = limit
        self._full = False
        self.read_end, self.write_end = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self.read_end, False)

    def copy(self) -> bool:
        """Move what the pipe has to the file; False when it had nothing or its end is reached."""
        try:
            chunk = os.read(self.read_end, _CHUNK)
        except BlockingIOError:
            return False
        if self._full:
            time.sleep(_FLOOD_PAUSE_SECONDS)
        else:
            self._keep(chunk)
        return bool(chunk)

    def drain(self) -> None:
        """Move all that is left once the writers are gone; no more than a pipe holds, should a stranger still write."""
        for _ in range(16):
            if not self.copy():
                return

    def _keep(self, chunk: bytes) -> None:
        kept = chunk[: self._room]
        self._full = len(kept) < len(chunk)
        self._room -= len(kept)
        if self._full:
            kept += f"\n[croupier: the limit of {self._limit} bytes is reached, the rest is dropped]\n".encode()
        try:
            os.write(self._file, kept)
        except OSError:  # the disk is full: a bot's output is not worth its match
            self._full = True


def tail(path: Path, *, lines: int = 10, max_bytes: int = 4096) -> str:
    """The last lines of a bot's output file, for a message; "" when there is none.

    At most `lines` lines out of the last `max_bytes` bytes. What would steer a terminal is replaced, and a link or a
    pipe that a bot put in the file's place is not followed.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return ""
        text = os.pread(descriptor, max_bytes, max(0, status.st_size - max_bytes)).decode(errors="replace")
    finally:
        os.close(descriptor)
    readable = "".join(char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}" for char in text)
    return "\n".join(readable.rstrip("\n").split("\n")[-lines:])
