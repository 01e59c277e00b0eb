"""A virtual table for each test, whose record must pass the audit when the match is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from tests.match.virtual_table import VirtualTable, match_spec

OpenTable: TypeAlias = Callable[..., VirtualTable]


@pytest.fixture
def open_table() -> Iterator[OpenTable]:
    """Opens a table with the arguments of `match_spec`."""
    tables: list[VirtualTable] = []

    def make(*args: Any, **kwargs: Any) -> VirtualTable:
        tables.append(VirtualTable(match_spec(*args, **kwargs)))
        return tables[-1]

    yield make
    for table in tables:
        if table.over:
            table.audit()
