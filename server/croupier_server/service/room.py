"""All matches of the server: opened as ordered, kept in time by one beat, reported when they are over."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence

from croupier.v1 import record_pb2
from croupier_server.match.keys import SALT_BYTES
from croupier_server.match.recording import Attempt
from croupier_server.match.signals import Abort, Withdrawn
from croupier_server.match.spec import MatchSpec
from croupier_server.service.host_time import BEAT_US, HostTime, now_us
from croupier_server.service.lobby import Lobby
from croupier_server.service.matches import RunningMatch

log = logging.getLogger(__name__)


class TableRoom:
    """The running matches."""

    def __init__(self, lobby: Lobby, on_over: Callable[[str, record_pb2.MatchRecord], None]) -> None:
        self._lobby, self._on_over = lobby, on_over
        self._host = HostTime(now_us())
        self._running: dict[str, RunningMatch] = {}
        self._empty = asyncio.Event()
        self._empty.set()

    def open(
        self,
        match_id: str,
        number: int,
        spec: MatchSpec,
        block_key: bytes,
        slots: Sequence[str],
        withdrawn: Sequence[int] = (),
    ) -> None:
        """Opens attempt `number` at a match; seats are filled as bots of their slots are there."""
        attempt = Attempt(
            match_id=match_id,
            number=number,
            block_key=block_key,
            salt=secrets.token_bytes(SALT_BYTES),
            notes_salt=secrets.token_bytes(SALT_BYTES),
            opened_unix_ms=time.time_ns() // 1_000_000,
        )
        match = RunningMatch(spec, attempt, self._host, self._over)
        self._running[match_id] = match
        self._empty.clear()
        for seat in withdrawn:
            match.feed(Withdrawn(seat))
        self._lobby.open(match, slots)

    def abort(self, match_id: str, reason: str) -> None:
        """Ends a match without a result; nothing happens when it is over already."""
        match = self._running.get(match_id)
        if match is not None:
            match.feed(Abort(reason))

    async def beat(self) -> None:
        """Runs for ever: judges deadlines, after the lag of the loop was given back and waiting answers were read."""
        skipped = False
        while True:
            await asyncio.sleep(BEAT_US / 1e6)
            if self._host.beat(now_us()) and not skipped:
                skipped = True  # the loop was held up: what waits to be read comes first, but only once in a row
                continue
            skipped = False
            for match in list(self._running.values()):
                match.tick()
            self._lobby.forget_lost(asyncio.get_running_loop().time())

    async def until_empty(self) -> None:
        """Waits until no match is running."""
        await self._empty.wait()

    def _over(self, match: RunningMatch, record: record_pb2.MatchRecord) -> None:
        del self._running[match.match_id]
        if not self._running:
            self._empty.set()
        log.info("match %s is over", match.match_id)
        self._lobby.match_over(match)
        self._on_over(match.match_id, record)
