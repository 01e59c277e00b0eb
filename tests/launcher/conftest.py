"""A launcher for each test that asks for one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from croupier_server.launcher.client import Launcher


@pytest_asyncio.fixture
async def launcher() -> AsyncIterator[Launcher]:
    async with Launcher.start() as launcher:
        yield launcher
