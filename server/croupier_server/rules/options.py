"""Reading a game's options from plain values (a cup file, a test vector), and refusing what does not fit.

An options class is a frozen dataclass of ints, bools and Enums whose member names, in lower case, are the values that
people write. A type `X | None` is that of a key which may be absent for good. No unknown key or value ever becomes a
default.
"""

from __future__ import annotations

import dataclasses
import difflib
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any

from croupier_server.rules.game import AnyGame


class OptionsError(ValueError):
    """An option that the game does not have, or a value that it cannot take; `key` says where."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def nearest(word: str, known: typing.Iterable[str]) -> str:
    """A hint for error texts: the closest known word, or all of them when none is close."""
    words = sorted(known)
    close = difflib.get_close_matches(word, words, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there are: {', '.join(words)}" if words else "there are none"


def read_options(game: AnyGame, values: Mapping[str, Any], seats: int) -> Any:
    """Options of `game` for `seats` players, absent keys at their defaults; raises OptionsError."""
    fields = {field.name: field for field in dataclasses.fields(game.options)}
    hints = typing.get_type_hints(game.options)
    read: dict[str, Any] = {}
    for key, value in values.items():
        if key not in fields:
            raise OptionsError(key, f"{game.id} has no option {key!r}; {nearest(key, fields)}")
        read[key] = _value(game, key, hints[key], value)
    if seats not in game.seats:
        raise OptionsError("seats", f"{game.id} is for {_counts(game)} players, not for {seats}")
    options = game.options(**read)
    game.check(options, seats)
    return options


def options_values(options: Any) -> dict[str, Any]:
    """The plain values of options, nothing left at a default; `read_options` takes them back."""
    values = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    return {
        key: value.name.lower() if isinstance(value, Enum) else value
        for key, value in values.items()
        if value is not None
    }


def check_within(game: str, key: str, value: int, lowest: int, highest: int) -> None:
    """Refuses a number that an option cannot take, for a game's `check`; raises OptionsError."""
    if not lowest <= value <= highest:
        raise OptionsError(key, f"{game}: {key} = {value} is not possible; expected {lowest} to {highest}")


def _counts(game: AnyGame) -> str:
    return " or ".join(str(n) for n in game.seats)


def _value(game: AnyGame, key: str, hint: Any, value: Any) -> Any:
    if isinstance(hint, types.UnionType):  # X | None; only an absent key is None
        hint = next(kind for kind in typing.get_args(hint) if kind is not type(None))
    if isinstance(hint, type) and issubclass(hint, Enum):
        names = {member.name.lower(): member for member in hint}
        if not isinstance(value, str) or value not in names:
            raise OptionsError(key, f"{game.id}: {key} = {value!r} is not possible; {nearest(str(value), names)}")
        return names[value]
    if type(value) is not hint:  # exactly: true is no number
        wanted = {int: "a whole number", bool: "true or false"}.get(hint, hint.__name__)
        raise OptionsError(key, f"{game.id}: {key} = {value!r} is not possible; expected {wanted}")
    return value
