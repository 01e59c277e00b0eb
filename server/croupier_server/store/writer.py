"""One thread that writes to a store, and commits together whatever waits. Knows nothing of what is written."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from threading import Condition, Thread
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, InterfaceError, ProgrammingError

from croupier_server.store.errors import StoreError
from croupier_server.store.sqlite import explained

P = ParamSpec("P")
T = TypeVar("T")

MOST_IN_A_BATCH = 256
"""Writes committed together: enough to share the cost of a commit, few enough that none waits long for the others."""

MOST_WAITING = 4096
"""Writes that may wait before `submit` does."""


_OWN_FAULTS = (IntegrityError, DataError, ProgrammingError, InterfaceError)
"""The database's complaints about one statement, not about itself."""


class _Job(Generic[T]):
    """One write and the future of its result."""

    def __init__(self, write: Callable[[Connection], T]) -> None:
        self.future: Future[T] = Future()
        self.future.set_running_or_notify_cancel()  # what was submitted is done; nobody can take it back
        self._write = write

    def perform(self, connection: Connection, path: Path) -> Callable[[], None]:
        """Writes, or fails and leaves nothing; returns what tells the future, for when the batch is durable.

        Raises only what condemns the whole batch, such as a full disk.
        """
        savepoint = connection.begin_nested()
        try:
            with explained(path):
                result = self._write(connection)
        except Exception as error:
            if isinstance(error.__cause__, DBAPIError) and not isinstance(error.__cause__, _OWN_FAULTS):
                raise  # the savepoint may be gone already: a full disk rolls all back
            savepoint.rollback()
            return partial(self.future.set_exception, error)
        savepoint.commit()
        return partial(self.future.set_result, result)


class Writer:
    """The writing end of a store; a context manager whose end waits for what was submitted.

    Writes happen in the order in which they were submitted, and each sees those before it. A future is done only when
    its write is durable.
    """

    def __init__(self, engine: Engine, path: Path) -> None:
        self._engine = engine
        self._path = path
        self._waiting: deque[_Job[Any]] = deque()
        self._closed = False
        self._changed = Condition()
        self._thread = Thread(target=self._run, name=f"writer of {path.name}", daemon=True)
        self._thread.start()

    def submit(self, write: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Queues a function of `writes` with its arguments; waits while too many wait already.

        The future's exceptions are those of the function, or a StoreError when the store fails. Neither can be
        cancelled. Must not be called from a future's done callback, which runs on the writing thread.

        Raises:
            StoreError: The writer is closed.
        """
        job = _Job(lambda connection: write(connection, *args, **kwargs))
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._waiting) < MOST_WAITING)
            if self._closed:
                raise StoreError(f"store {self._path}: its writer is closed")
            self._waiting.append(job)
            self._changed.notify_all()
        return job.future

    def close(self) -> None:
        """Takes no more writes, and returns when all that were submitted are done."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        while batch := self._next_batch():
            self._commit(batch)

    def _next_batch(self) -> list[_Job[Any]]:
        """What waits, as soon as something does; empty once the writer is closed and nothing does."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting)
            batch = [self._waiting.popleft() for _ in range(min(MOST_IN_A_BATCH, len(self._waiting)))]
            self._changed.notify_all()
        return batch

    def _commit(self, batch: list[_Job[Any]]) -> None:
        try:
            with explained(self._path), self._engine.begin() as connection:
                tellings = [job.perform(connection, self._path) for job in batch]
        except Exception as error:
            tellings = [partial(job.future.set_exception, error) for job in batch]
        for tell in tellings:
            tell()
