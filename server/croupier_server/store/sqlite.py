"""SQLite, which nothing else in the store knows: URLs, files, connections, transactions, its errors in plain words.

Readers get plain transactions, each a snapshot; a writer's begin at once with the write lock, so that what it has read
stays true until it commits. WAL lets both work at the same time, from any number of processes. With
`synchronous=NORMAL` a commit outlives the death of every process; the power failing may undo the last ones, whole.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import QueuePool

from croupier_server.store.errors import StoreError

BUSY_TIMEOUT_S = 10.0
"""How long a transaction waits for another process's."""

Mode = Literal["ro", "rw"]
"""SQLite's words: read only, or write too. Neither makes a file."""


def path_of(url: str) -> Path:
    """The absolute path of the file that a store's URL names.

    Raises:
        StoreError: Not `sqlite:///PATH`.
    """
    expected = "expected sqlite:///PATH (sqlite:////PATH for a path from the root)"
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError(f"store URL {url!r}: {expected}") from None
    if parsed.drivername != "sqlite":
        # Its password, if any, is not repeated.
        raise StoreError(
            f"store URL {parsed.render_as_string()!r}: this release keeps stores in SQLite only; {expected}"
        )
    if parsed.host or parsed.query or parsed.database in (None, "", ":memory:"):
        raise StoreError(f"store URL {url!r}: {expected}")
    return Path(str(parsed.database)).resolve()


def _open(path: Path, mode: Mode, *, foreign_keys: bool = True) -> sqlite3.Connection:
    # The driver begins no transactions of its own (isolation_level=None): it would begin them without the lock.
    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path))}?mode={mode}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")
    return connection


def connect(path: Path, mode: Mode, *, foreign_keys: bool = True) -> Engine:
    """An engine over the file. Nothing is opened before it is used.

    Args:
        path: The file.
        mode: What may be done with it; "rw" begins every transaction with the write lock.
        foreign_keys: False only for migrations, since SQLite changes a table by making it anew.
    """
    begin = "BEGIN" if mode == "ro" else "BEGIN IMMEDIATE"
    engine = create_engine(
        "sqlite://",
        creator=lambda: _open(path, mode, foreign_keys=foreign_keys),
        poolclass=QueuePool,
        max_overflow=-1,  # a connection is a file handle: nobody waits for one
    )
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def keep_write_ahead_log(path: Path) -> None:
    """Makes the file if it is missing, and sets the journal that lets readers read while a writer writes; it stays set.

    Raises:
        StoreError: The file cannot be made, or its file system is not up to it.
    """
    try:
        path.touch(mode=0o600)  # it will hold the secrets of its cups
    except OSError as error:
        raise StoreError(f"store {path}: cannot be made: {error}") from error
    with closing(_open(path, "rw")) as connection:
        (found,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
    if found != "wal":
        raise StoreError(f"store {path}: its file system keeps no write-ahead log; put it on a local disk")


def check_references(connection: Connection, path: Path) -> None:
    """Checks every foreign key, after a migration that had them off.

    Raises:
        StoreError: Some row refers to one that is not there.
    """
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        raise StoreError(f"store {path}: its upgrade would leave {len(broken)} rows without what they refer to")


def check_file(path: Path, *, may_be_made: bool) -> None:
    """Checks that the file is there or, if it may be made, can be.

    Raises:
        StoreError: It is not, or cannot.
    """
    try:
        if path.is_dir():
            raise StoreError(f"store {path}: is a folder; expected a file")
        if not path.exists() and not may_be_made:
            raise StoreError(f"store {path}: there is no such file")
        if not path.parent.is_dir():
            raise StoreError(f"store {path}: there is no folder {path.parent}")
    except OSError as error:
        raise StoreError(f"store {path}: cannot be looked for: {error}") from error


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns the database's errors into those of the store."""
    try:
        yield
    except DBAPIError as error:
        raise StoreError(f"store {path}: {_words(error.orig, path)}") from error
    except sqlite3.Error as error:
        raise StoreError(f"store {path}: {_words(error, path)}") from error


def _words(error: BaseException | None, path: Path) -> str:
    name = getattr(error, "sqlite_errorname", "")
    match name.split("_")[:2]:
        case ["SQLITE", "BUSY" | "LOCKED"]:
            return f"is locked by another program (waited {BUSY_TIMEOUT_S:g} s)"
        case ["SQLITE", "NOTADB"]:
            return "is no store, and no SQLite database either"
        case ["SQLITE", "CORRUPT"]:
            return f"is damaged ({error})"
        case ["SQLITE", "CANTOPEN" | "READONLY" | "PERM"]:
            return (
                f"cannot be opened ({error}); the file and its folder {path.parent} must be writable, for readers too"
            )
        case ["SQLITE", "FULL"]:
            return "the disk is full"
        case _:
            return str(error)
