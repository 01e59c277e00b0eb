"""Runs a session: brings bots, session core and transport together. It knows neither rules nor the wire."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import aclosing, suppress
from importlib import import_module
from inspect import isawaitable
from random import Random
from typing import Any, TypeAlias

from croupier._bot import Bot
from croupier._session import Gone, Session
from croupier._transport import Transport
from croupier._turn import AnyEnd, AnyTurn, AnyUpdate, End, Match, Turn, Update
from croupier.v1.play_service_pb2 import PlayResponse

_Call: TypeAlias = "AnyTurn | AnyUpdate | AnyEnd | None"  # None: nothing more will come


class Runner:
    """One session and its bots: every match has a bot object and a task of its own."""

    def __init__(self, make: Callable[[], Bot], address: str, token: str, max_matches: int) -> None:
        self._make = make
        self._spare: Bot | None = make()  # made ahead, for the first match; it also tells what Hello must say
        self._session = Session(
            token,
            games=self._spare.games,
            max_matches=max_matches,
            wants_updates=type(self._spare).update is not Bot.update,
        )
        self._transport = Transport(address, self._session)
        self._calls: dict[str, asyncio.Queue[_Call]] = {}  # for the bot of each running match

    async def run(self) -> None:
        """Plays until the session is over; raises what a bot raised, or why the session ended early."""
        try:
            async with asyncio.TaskGroup() as tasks, aclosing(self._transport.responses()) as responses:
                await self._follow(responses, tasks)
            return
        except BaseExceptionGroup as group:
            failure = group.exceptions[0]  # the others followed from it
        raise failure  # as it was raised, its own causes untouched

    async def _follow(self, responses: AsyncGenerator[PlayResponse], tasks: asyncio.TaskGroup) -> None:
        async for response in responses:
            for step in self._session.receive(response):
                match step:
                    case Turn() | Update():
                        self._calls[step.match.match_id].put_nowait(step)
                    case Match():
                        calls = self._calls[step.match_id] = asyncio.Queue()
                        tasks.create_task(self._play(self._seat(step), calls))
                    case End():
                        self._calls.pop(step.match.match_id).put_nowait(step)
                    case Gone():
                        self._calls.pop(step.match_id).put_nowait(None)
                    case _:
                        await self._transport.send(step)
            if self._session.over:
                break
        for calls in self._calls.values():
            calls.put_nowait(None)

    def _seat(self, match: Match) -> Bot:
        bot, self._spare = self._spare or self._make(), None
        bot.match, bot.luck = match, Random(match.bot_seed)
        return bot

    async def _play(self, bot: Bot, calls: asyncio.Queue[_Call]) -> None:
        """Calls one bot's methods, one after the other, until its match is over."""
        await _done(bot.start(bot.match))
        if (request := self._session.ready(bot.match)) is not None:
            await self._transport.send(request)
        while (call := await calls.get()) is not None:
            match call:
                case Turn():
                    choice = bot.act(call)
                    if isawaitable(choice):
                        choice = await choice
                    if (request := self._session.answer(call, choice)) is not None:
                        await self._transport.send(request)
                case Update():
                    await _done(bot.update(call))
                case End():
                    await _done(bot.end(call))
                    return


async def _done(result: Awaitable[None] | None) -> None:
    if result is not None:
        await result


def run_until_sigterm(playing: Coroutine[Any, Any, None]) -> None:
    """Runs a coroutine in a loop of its own, the fast one where it is installed; SIGTERM ends it in peace."""
    with asyncio.Runner(loop_factory=_fast_loop()) as runner:
        runner.run(_until_sigterm(playing))


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    except ModuleNotFoundError:
        return None
    return factory


async def _until_sigterm(playing: Coroutine[Any, Any, None]) -> None:
    task, told = asyncio.current_task(), False
    assert task is not None

    def leave() -> None:
        nonlocal told
        told = True
        task.cancel()

    with suppress(NotImplementedError, RuntimeError):  # on Windows, and outside the main thread
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leave)
    try:
        await playing
    except asyncio.CancelledError:
        if not told:
            raise
