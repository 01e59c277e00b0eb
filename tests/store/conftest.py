"""What the store's tests share: an empty store on a real file, and its writer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier_server.store import Access, Store, Writer, open_store

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # so that tests can import tests.store


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
