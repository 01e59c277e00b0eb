"""Reading a game's options from plain values (a cup file, a test vector), and refusing what does not fit.

An options class is a frozen dataclass. Its fields, and what people write for them:

- int, bool: a number; true or false
- an Enum: the name of a member in lower case
- a tuple of ints annotated with `Codes`: a list of their texts; or a name, when the field's metadata gives it a value
- `X | None`: X, or nothing at all, which is None

An `InitVar` is a key like others, from which the class makes values of its fields; it may also be a dataclass of such
fields, which is a table with exactly these keys. No unknown key or value ever becomes a default.
"""

from __future__ import annotations

import dataclasses
import difflib
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any

from croupier_server.rules.codes import Codes
from croupier_server.rules.game import AnyGame

_SHOWN = 60  # characters of a wrong value


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
    hints = _hints(game.options)
    names = {field.name: field.metadata for field in dataclasses.fields(game.options)}
    read: dict[str, Any] = {}
    for key, value in values.items():
        if key not in hints:
            raise OptionsError(key, f"{game.id} has no option {key!r}; {nearest(key, hints)}")
        try:
            read[key] = _read(key, hints[key], names.get(key, {}), value)
        except ValueError as error:
            raise OptionsError(key, f"{game.id}: {error}") from None
    if seats not in game.seats:
        raise OptionsError("seats", f"{game.id} is for {_counts(game)} players, not for {seats}")
    options = game.options(**read)
    game.check(options, seats)
    return options


def options_values(options: Any) -> dict[str, Any]:
    """The plain values of options, nothing left at a default; `read_options` takes them back."""
    hints = _hints(type(options))
    return {
        field.name: _written(hints[field.name], field.metadata, value)
        for field in dataclasses.fields(options)
        if (value := getattr(options, field.name)) is not None
    }


def seats_for(game: AnyGame, options: Any) -> tuple[int, ...]:
    """The player counts of a game that options fit, ascending. A preset need not fit all of them."""

    def fit(seats: int) -> bool:
        try:
            game.check(options, seats)
        except OptionsError:
            return False
        return True

    return tuple([seats for seats in game.seats if fit(seats)])


def check_within(game: str, key: str, value: int, lowest: int, highest: int) -> None:
    """Refuses a number that an option cannot take, for a game's `check`; raises OptionsError."""
    if not lowest <= value <= highest:
        raise OptionsError(key, f"{game}: {key} = {value} is not possible; expected {lowest} to {highest}")


def _counts(game: AnyGame) -> str:
    return " or ".join(str(n) for n in game.seats)


def _hints(options: type[Any]) -> dict[str, Any]:
    """By key, also of `InitVar`s: the type of a value that is there."""
    hints = typing.get_type_hints(options, include_extras=True)
    return {key: _present(hint.type if isinstance(hint, dataclasses.InitVar) else hint) for key, hint in hints.items()}


def _present(hint: Any) -> Any:
    if isinstance(hint, types.UnionType):
        return next(kind for kind in typing.get_args(hint) if kind is not type(None))
    return hint


def _codes(hint: Any) -> Codes | None:
    """The codes of the items when the hint is a tuple of them."""
    item = typing.get_args(hint)[0] if typing.get_origin(hint) is tuple else None
    return next((extra for extra in typing.get_args(item)[1:] if isinstance(extra, Codes)), None)


def _read(key: str, hint: Any, names: Mapping[str, Any], value: Any) -> Any:
    """The value of an option; raises ValueError that says what is wrong with it."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        names = {member.name.lower(): member for member in hint}
    if isinstance(value, str) and value in names:
        return names[value]
    if (codes := _codes(hint)) is not None and isinstance(value, list | tuple):
        try:
            return tuple([codes.parse(item if isinstance(item, str) else repr(item)) for item in value])
        except ValueError as error:
            raise ValueError(f"{key}: {error}") from None
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        inner = _hints(hint)
        if not isinstance(value, Mapping) or set(value) != set(inner):
            raise ValueError(f"{key} = {_shown(value)} is not possible; expected a table of {', '.join(inner)}")
        return hint(**{name: _read(f"{key}.{name}", inner[name], {}, value[name]) for name in inner})
    if names and codes is None:
        raise ValueError(f"{key} = {_shown(value)} is not possible; {nearest(str(value), names)}")
    if type(value) is not hint:  # exactly: true is no number
        wanted = {int: "a whole number", bool: "true or false"}.get(hint, " or ".join([*names, "a list"]))
        raise ValueError(f"{key} = {_shown(value)} is not possible; expected {wanted}")
    return value


def _written(hint: Any, names: Mapping[str, Any], value: Any) -> Any:
    """What people write for a value."""
    if isinstance(value, Enum):
        return value.name.lower()
    if name := next((name for name, meant in names.items() if meant == value), None):
        return name
    if (codes := _codes(hint)) is not None:
        return [codes.text(item) for item in value]
    return value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
