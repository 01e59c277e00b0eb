"""One runner a cup: a lock of the operating system's, which no death of its holder, however sudden, leaves behind."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from croupier_server.store.errors import CupBusyError, StoreError


@contextmanager
def run_lock(store: Path, cup: str) -> Iterator[None]:
    """Holds the right to run a cup of a store.

    The lock is on a file beside the store, which stays: taking it away would let two processes lock two files of one
    name. Children that are started by exec do not inherit the lock.

    Raises:
        CupBusyError: Somebody else holds it.
        StoreError: The file cannot be made.
    """
    path = store.with_name(f"{store.name}.{quote(cup, safe='')}.lock")
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError(f"store {store}: cannot make the lock of cup {cup!r} beside it: {error}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode() or "unknown"
            raise CupBusyError(f"cup {cup!r} of store {store} is being run already, by process {holder}") from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
    finally:
        os.close(descriptor)
