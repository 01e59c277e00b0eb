"""The local engine: plays a match on this machine, between bots that it launches and bots that connect from elsewhere.

What keeps bots apart is the isolation: with PROCESS every match gets a fresh process for every seat, with SESSION an
entrant's processes live on from match to match. Remote bots always live on.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shutil
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from croupier.v1 import record_pb2
from croupier_server.launcher.client import Bot, Launch, Launcher, LauncherLostError, LaunchError
from croupier_server.launcher.folder import BotFolder
from croupier_server.match.codec import spec_message
from croupier_server.match.spec import MatchSpec
from croupier_server.service.session import credential_hash
from croupier_tournament.engines.server_line import ServerLine

_LEAVE_SECONDS = 2.0  # for a bot to leave by itself after its last match
_TERM_SECONDS = 1.0  # between SIGTERM and SIGKILL for one that does not


@dataclass(frozen=True, slots=True)
class MatchOrder:
    """An attempt at a match to be played."""

    match_id: str
    number: int  # in the schedule
    attempt: int  # from 1
    spec: MatchSpec
    block_key: bytes
    withdrawn_seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """How an entrant's bot is started."""

    command: tuple[str, ...]
    env: Mapping[str, str]


class LocalEngine:
    """From MatchOrder to record. `programs` holds the launched entrants; all others are remote."""

    def __init__(
        self,
        server: ServerLine,
        launcher: Launcher,
        programs: Mapping[str, Program],
        folder: Path,
        *,
        keep_alive: bool,
    ) -> None:
        self._server, self._launcher, self._programs = server, launcher, programs
        self._folder, self._keep_alive = folder, keep_alive
        self._idle: dict[str, list[_LaunchedBot]] = {name: [] for name in programs}

    async def play(self, order: MatchOrder) -> record_pb2.MatchRecord:
        """Plays one match; raises ServerError or LauncherLostError when the host's machinery is gone."""
        async with contextlib.AsyncExitStack() as stack:
            slots = []
            for seat, entrant in enumerate(order.spec.seats):
                bot = self._bot(order, seat, entrant.entrant)
                slots.append(await stack.enter_async_context(bot))
            return await self._server.play(
                match_id=order.match_id,
                attempt=order.attempt,
                spec=spec_message(order.spec),
                block_key=order.block_key,
                slots=slots,
                withdrawn_seats=order.withdrawn_seats,
            )

    async def close(self) -> None:
        """Ends the bots that live on."""
        idle = [bot for bots in self._idle.values() for bot in bots]
        await asyncio.gather(*[bot.end() for bot in idle])

    def admit_remote(self, entrant: str, token_hash: bytes) -> None:
        """Lets a remote entrant's bots in."""
        self._server.admit(remote_slot(entrant), entrant, token_hash, one_time=False)

    def capacity(self, entrant: str) -> int | None:
        """How many matches a remote entrant can play at a time, at least 1; None for a launched one: no bound."""
        if entrant in self._programs:
            return None
        return max(self._server.slot(remote_slot(entrant)).capacity, 1)

    def connected(self, entrant: str) -> bool:
        """Whether a remote entrant has a session."""
        return self._server.slot(remote_slot(entrant)).sessions > 0

    @contextlib.asynccontextmanager
    async def _bot(self, order: MatchOrder, seat: int, entrant: str) -> AsyncIterator[str]:
        """The slot of a seat, with a bot behind it for the block."""
        if entrant not in self._programs or seat in order.withdrawn_seats:
            yield remote_slot(entrant)
            return
        bot = await self._idle_bot(entrant) or await self._launch(order, seat, entrant)
        try:
            yield bot.slot
        finally:
            if self._keep_alive:
                self._idle[entrant].append(bot)
            else:
                await bot.end()

    async def _idle_bot(self, entrant: str) -> _LaunchedBot | None:
        """A bot that lived on and still does."""
        idle = self._idle[entrant]
        while idle:
            bot = idle.pop()
            if bot.alive:
                return bot
            await bot.end()
        return None

    async def _launch(self, order: MatchOrder, seat: int, entrant: str) -> _LaunchedBot:
        slot = f"{order.match_id}/{seat}"
        ticket = secrets.token_urlsafe(32)
        self._server.admit(slot, entrant, credential_hash(ticket), one_time=True)
        program = self._programs[entrant]
        folder = self._folder / entrant / order.match_id  # a bot sees its folder: nothing there tells of the schedule
        env = {**program.env, "CROUPIER_ADDRESS": self._server.address, "CROUPIER_TOKEN": ticket}
        launch = Launch(name=entrant, command=program.command, folder=folder, env=env)
        try:
            process: Bot | None = await self._launcher.launch(launch)
        except LaunchError as error:
            process = None
            self._server.process_ended(slot, str(error))
        return _LaunchedBot(self._server, slot, process, folder.relative_to(self._folder.parent))


def remote_slot(entrant: str) -> str:
    """The slot of all sessions of a remote entrant; no launched bot's slot looks like it."""
    return f"remote:{entrant}"


class _LaunchedBot:
    """A process of an entrant, watched until it ends."""

    def __init__(self, server: ServerLine, slot: str, process: Bot | None, shown: Path) -> None:
        self.slot = slot
        self._server, self._process, self._shown = server, process, shown
        self._watch: asyncio.Task[None] | None = None
        if process is not None:
            server.process_started(slot, process.pid)
            self._watch = asyncio.create_task(self._report_end(process))

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._watch is not None and not self._watch.done()

    async def _report_end(self, process: Bot) -> None:
        try:
            detail = await process.exited()
        except LauncherLostError as error:  # its keeper alone: that is the bot's doing; the runner watches the launcher
            detail = str(error)
        stderr = process.folder.stderr
        words = f"see {self._shown / stderr.name}" if _holds_something(stderr) else "it wrote no error"
        self._server.process_ended(self.slot, f"{detail}; {words}")

    async def end(self) -> None:
        """Closes the bot's session, waits for the process to leave, and makes it leave if it does not.

        What a bot wrote is kept; the folder of one that wrote nothing goes away.
        """
        self._server.revoke(self.slot)
        if self._process is None or self._watch is None:
            return
        await asyncio.wait({self._watch}, timeout=_LEAVE_SECONDS)
        with contextlib.suppress(LauncherLostError):
            await self._process.stop(_TERM_SECONDS)
        await asyncio.gather(self._watch, return_exceptions=True)
        await asyncio.to_thread(_tidy, self._process.folder)


def _tidy(folder: BotFolder) -> None:
    if not any(map(_holds_something, (folder.stdout, folder.stderr, folder.home))):
        shutil.rmtree(folder.root, ignore_errors=True)


def _holds_something(path: Path) -> bool:
    """Whether a file or a folder is not empty; one that the bot took away or locked holds nothing."""
    try:
        return any(path.iterdir()) if path.is_dir() else path.stat().st_size > 0
    except OSError:
        return False
