"""A person at the keyboard as a bot: shows what the seat sees, field by field, and asks for its decisions.

It sees no more than any other bot of the seat would, since it plays through the SDK. It judges nothing but whether an
action is in the list of legal ones.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import shutil
import textwrap
import typing
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import croupier
from croupier.v1 import games_pb2
from croupier_server.match.playthrough import event_text, value_text
from croupier_server.match.wire import wire_of
from croupier_server.rules import AnyGame

T = TypeVar("T")

PROMPT = "your action, as a number or as text (Ctrl-D resigns): "
_LONGEST_LINE = 4096  # what a terminal hands over at a time
_GAP = "  "


class Keyboard:
    """Lines that are typed at a terminal, read without holding up the event loop."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def line(self) -> str | None:
        """The next line; None for the end of input, which is Ctrl-D."""
        typed = b""
        while not typed.endswith(b"\n"):
            await self._readable()
            chunk = os.read(self._descriptor, _LONGEST_LINE)
            if not chunk:
                return None
            typed += chunk
        return typed.decode(errors="replace")

    async def _readable(self) -> None:
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._descriptor, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._descriptor)


class Person(croupier.Bot):
    """Asks whoever sits at the keyboard. `show` gets text as it is to appear, line ends included."""

    def __init__(self, game: AnyGame, keyboard: Keyboard, show: Callable[[str], None]) -> None:
        self._game, self._wire = game, wire_of(game)
        self._keyboard, self._show = keyboard, show

    async def start(self, match: croupier.Match) -> None:
        """Says where the person sits."""
        self._say(f"{self._game.title}: you are seat {match.seat}, of seats 0 to {match.seats - 1}")

    async def update(self, update: croupier.AnyUpdate) -> None:
        """Tells what happens between the person's turns."""
        self._tell(update.events)

    async def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
        """Shows the position and asks until the answer is legal."""
        self._tell(turn.events)
        self._say("", *_fields(self._wire.read_observation(self._within(games_pb2.Observation, turn.view))), "")
        actions = [self._wire.read_action(self._within(games_pb2.Action, action)) for action in turn.legal]
        texts = [self._game.action_text(action) for action in actions]
        self._say(*_columns([f"{number}. {text}" for number, text in enumerate(texts, 1)]))
        return await self._choice(texts)

    async def _choice(self, texts: Sequence[str]) -> croupier.Choice:
        """The index of the chosen text."""
        while True:
            self._show(PROMPT)
            line = await self._keyboard.line()
            if line is None:
                self._say("", "you have resigned")
                return croupier.RESIGN
            words = " ".join(line.split())
            if words in texts:
                return texts.index(words)
            if words.isascii() and words.isdecimal() and 1 <= int(words) <= len(texts):
                return int(words) - 1
            if words:
                self._say(self._complaint(words, len(texts)))

    def _complaint(self, words: str, count: int) -> str:
        try:
            self._game.parse_action(words)
        except ValueError as error:
            return str(error)
        return f"{words!r} is not legal now: expected a number from 1 to {count}, or the text beside it"

    def _tell(self, events: Sequence[Any]) -> None:
        told = [self._wire.read_event(self._within(games_pb2.Event, event)) for event in events]
        self._say(*[f"* {event_text(event)}" for event in told])

    def _within(self, envelope: Callable[..., T], message: Any) -> T:
        """A message of the game within the one over all games."""
        return envelope(**{self._game.id: message})

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._show(f"{line}\n")


def _fields(view: Any) -> Iterator[str]:
    """The fields of a view that hold something, a row each."""
    hints = typing.get_type_hints(type(view), include_extras=True)
    names = [field.name for field in dataclasses.fields(view) if getattr(view, field.name) not in (None, ())]
    width = max(map(len, names))
    for name in names:
        first = f"{_GAP}{name.replace('_', ' '):{width}}{_GAP}"
        text = value_text(getattr(view, name), hints[name])
        yield from textwrap.wrap(text, _columns_of_terminal(), initial_indent=first, subsequent_indent=" " * len(first))


def _columns(entries: Sequence[str]) -> Iterator[str]:
    """The entries side by side, as many in a line as the terminal has room for."""
    width = max(map(len, entries)) + len(_GAP)
    in_line = max(1, _columns_of_terminal() // width)
    for start in range(0, len(entries), in_line):
        yield "".join(f"{entry:{width}}" for entry in entries[start : start + in_line]).rstrip()


def _columns_of_terminal() -> int:
    return shutil.get_terminal_size().columns
