"""What the store's tests share: an empty store on a real file, and its writer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from croupier_server.store import Access, Store, Writer, open_store, writes

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # so that tests can import tests.store

from tests.store.processes import Program
from tests.store.samples import done, new_cup


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/arena.db"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url, Access.CREATE) as store:
        yield store


@pytest.fixture
def writer(store: Store) -> Iterator[Writer]:
    with store.writer() as writer:
        yield writer


@pytest.fixture
def cup(writer: Writer) -> str:
    """The name of a cup of two entrants and two blocks of two matches."""
    done(writer.submit(writes.create_cup, new_cup()))
    return "first"


@pytest.fixture
def start() -> Iterator[Callable[..., Program]]:
    """Starts programs; none outlives the test."""
    started: list[Program] = []

    def start(name: str, *arguments: str) -> Program:
        started.append(Program(name, *arguments))
        return started[-1]

    yield start
    for program in started:
        program.kill()
