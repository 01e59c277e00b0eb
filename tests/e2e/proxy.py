"""A TCP proxy whose connections can be cut, as a network does it: without a word."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor


class Proxy:
    """Forwards to `target`, "host:port". Made by `proxy`."""

    def __init__(self, target: str, threads: ThreadPoolExecutor) -> None:
        host, _, port = target.rpartition(":")
        self._target = (host, int(port))
        self._threads = threads
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self.connections = 0
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threads.submit(self._accept)

    def cut(self) -> None:
        """Ends all connections that there are; new ones are let through."""
        for side in self._open.copy():
            _shut(side)

    def close(self) -> None:
        """Ends them all, and lets none through any more."""
        _shut(self._listener)  # which wakes whoever waits for it
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # shut
            while True:
                inside, _ = self._listener.accept()
                self._threads.submit(self._forward, inside, socket.create_connection(self._target))
                self.connections += 1

    def _forward(self, inside: socket.socket, outside: socket.socket) -> None:
        with inside, outside:
            self._open |= {inside, outside}
            back = self._threads.submit(_copy, outside, inside)
            _copy(inside, outside)
            back.result()
            self._open -= {inside, outside}


def _copy(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):  # cut
        while data := source.recv(1 << 16):
            sink.sendall(data)
    _shut(sink)


def _shut(side: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it was not connected any more
        side.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def proxy(target: str) -> Iterator[Proxy]:
    """A proxy for the block."""
    with ThreadPoolExecutor(32) as threads:
        it = Proxy(target, threads)
        try:
            yield it
        finally:
            it.close()
