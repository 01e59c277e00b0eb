"""A store: opened by its URL, read on snapshots, written through one writer. Holds no state but its connections."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection

from croupier_server.store import migrate, sqlite
from croupier_server.store.errors import StoreError
from croupier_server.store.migrate import Age
from croupier_server.store.run_lock import run_lock
from croupier_server.store.writer import Writer

P = ParamSpec("P")
T = TypeVar("T")


class Access(Enum):
    """What a store is opened for."""

    READ = "read"  # it must be there, and of this release
    WRITE = "write"  # it must be there; one of an older release is brought up to date
    CREATE = "create"  # as WRITE, but made when it is missing


_BROUGHT_UP_TO_DATE = {
    Access.READ: frozenset[Age](),
    Access.WRITE: frozenset({Age.OLDER}),
    Access.CREATE: frozenset({Age.OLDER, Age.EMPTY}),
}


class Store:
    """An open store; a context manager. Its methods may be called from any thread."""

    def __init__(self, path: Path, access: Access) -> None:
        self.path = path
        self.access = access
        self._reading = sqlite.connect(path, "ro")
        self._writing = sqlite.connect(path, "rw")

    def read(self, query: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a function of `reads` with its arguments on one snapshot: of a commit it sees all or nothing.

        Raises:
            StoreError: What the function raises, or the store is damaged, locked, or gone.
        """
        with sqlite.explained(self.path), self._reading.begin() as connection:
            return query(connection, *args, **kwargs)

    def writer(self) -> Writer:
        """Starts the writing end; close it before the store.

        Raises:
            StoreError: The store was opened for reading.
        """
        if self.access is Access.READ:
            raise StoreError(f"store {self.path}: was opened for reading only")
        return Writer(self._writing, self.path)

    def run_lock(self, cup: str) -> AbstractContextManager[None]:
        """Holds the right to run a cup, against every other process, until it is left or this process ends.

        Raises:
            CupBusyError: Somebody else holds it.
            StoreError: The lock's file cannot be made.
        """
        return run_lock(self.path, cup)

    def close(self) -> None:
        """Closes the connections."""
        self._reading.dispose()
        self._writing.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_store(url: str, access: Access = Access.READ) -> Store:
    """Opens the store at `sqlite:///PATH`.

    Raises:
        StoreError: The URL is no such, the file is missing, damaged, locked, no store, of a newer release or, for
            reading, of an older one, or the folder is missing or not writable.
    """
    path = sqlite.path_of(url)
    sqlite.check_file(path, may_be_made=access is Access.CREATE)
    with sqlite.explained(path):
        age = _age(path) if path.exists() else Age.EMPTY
        if age in _BROUGHT_UP_TO_DATE[access]:
            age = _bring_up_to_date(path)
    if age is not Age.CURRENT:
        raise StoreError(f"store {path}: {age.value}")
    return Store(path, access)


def _age(path: Path) -> Age:
    engine = sqlite.connect(path, "ro")
    try:
        with engine.begin() as connection:
            return migrate.age_of(connection)
    finally:
        engine.dispose()


def _bring_up_to_date(path: Path) -> Age:
    """Runs what revisions are missing in one transaction; another process may have done so a moment ago."""
    sqlite.keep_write_ahead_log(path)
    engine = sqlite.connect(path, "rw", foreign_keys=False)
    try:
        with engine.begin() as connection:
            if migrate.age_of(connection) in (Age.EMPTY, Age.OLDER):
                migrate.upgrade(connection)
                sqlite.check_references(connection, path)
            return migrate.age_of(connection)
    finally:
        engine.dispose()
