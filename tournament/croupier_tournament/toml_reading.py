"""Taking checked values out of a TOML document, noting everything that is wrong instead of stopping at the first.

It knows types, ranges and places, and no cup.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from croupier_server.rules import nearest
from croupier_tournament.toml_places import Path, Places

EnumT = TypeVar("EnumT", bound=Enum)

MAX_DEPTH = 8
MAX_KEY = 100  # characters
_SHOWN = 60  # characters of a wrong value


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a file."""

    line: int | None  # from 1; None when it is about the whole file
    key: str  # dotted, tables of an array counted from 1; empty when it is about the whole file
    message: str  # what was found and what was expected


class Document:
    """A TOML text that could be read, and the problems found in it so far."""

    def __init__(self, text: str) -> None:
        """Raises ValueError for a text that is no TOML, or holds what no configuration needs."""
        try:
            self.root: dict[str, Any] = tomllib.loads(text)
        except RecursionError:
            raise ValueError(f"nested too deeply; expected at most {MAX_DEPTH} levels") from None
        _refuse_monsters(self.root)
        self.problems: list[Problem] = []
        self._places = Places(text)

    def wrong(self, path: Path, message: str) -> None:
        """Notes a problem."""
        self.problems.append(Problem(self.line(path), dotted(path), message))

    def line(self, path: Path) -> int | None:
        """On which line a key or table stands; None when it is about the whole file."""
        return self._places.line(path)

    def table(self, key: str, *, required: bool = False) -> Table:
        """The table of that name; empty when it is absent, which is noted when it is required."""
        if required and key not in self.root:
            self.wrong((key,), f"missing; expected a table [{key}]")
        return Table(self, (key,), self.root.get(key, {}))

    def tables(self, key: str) -> list[Table]:
        """The array of tables of that name; empty when it is absent."""
        values = self.root.get(key, [])
        if not isinstance(values, list):
            self.wrong((key,), f"found {shown(values)}; expected tables, each under [[{key}]]")
            return []
        return [Table(self, (key, i), value) for i, value in enumerate(values)]

    def refuse_others(self, known: Collection[str]) -> None:
        """Notes every table and key at the top that is not known."""
        for key in self.root:
            if key not in known:
                self.wrong((key,), f"there is no table {key!r}; {nearest(key, known)}")


class Table:
    """One table. Every reader returns a usable value: when it notes a problem, one that means nothing."""

    def __init__(self, document: Document, path: Path, values: object) -> None:
        self._document = document
        self.path = path
        if not isinstance(values, dict):
            document.wrong(path, f"found {shown(values)}; expected a table")
        self.values: Mapping[str, Any] = values if isinstance(values, dict) else {}
        self._known: set[str] = set()

    def wrong(self, key: str, message: str) -> None:
        """Notes a problem with a key."""
        self._document.wrong((*self.path, key), message)

    def line(self, key: str) -> int | None:
        """On which line a key stands."""
        return self._document.line((*self.path, key))

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        self._known.add(key)
        return key in self.values

    def close(self) -> None:
        """Notes every key that nobody asked for."""
        for key in self.values:
            if key not in self._known:
                self.wrong(key, f"there is no such key; {nearest(key, self._known)}")

    def integer(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number from low to high; required without a default."""
        expected = f"a whole number from {low} to {high}"
        value = self._value(key, expected, default)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self._unfit(key, value, expected)
        return low

    def milliseconds(self, key: str, low: float, high: float, default_ms: int) -> int:
        """A number of seconds from low to high, whole or not, as milliseconds."""
        expected = f"seconds from {low:g} to {high:g}"
        value = self._value(key, expected, default_ms / 1000)
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return round(value * 1000)
        self._unfit(key, value, expected)
        return default_ms

    def flag(self, key: str) -> bool:
        """True or false; false when absent."""
        value = self._value(key, "true or false", False)
        if isinstance(value, bool):
            return value
        self._unfit(key, value, "true or false")
        return False

    def text(self, key: str, pattern: re.Pattern[str], expected: str, default: str | None = None) -> str:
        """A string that the whole pattern fits; required without a default."""
        value = self._value(key, expected, default)
        if isinstance(value, str) and pattern.fullmatch(value):
            return value
        self._unfit(key, value, expected)
        return ""

    def choice(self, key: str, among: type[EnumT], default: EnumT, *, later: Collection[str] = ()) -> EnumT:
        """A member by its name in lower case; `later` are names that a later release will have."""
        members = {member.name.lower(): member for member in among}
        value = self._value(key, "", default.name.lower())
        if isinstance(value, str) and value in members:
            return members[value]
        if value in later:
            self.wrong(key, f"{value!r} is not in this release; there are: {', '.join(members)}")
        else:
            self.wrong(key, f"found {shown(value)}; {nearest(str(value), members)}")
        return default

    def strings(self, key: str, expected: str) -> tuple[str, ...]:
        """A list of strings, the first not empty; required."""
        value = self._value(key, expected, None)
        words = value if isinstance(value, list) else []
        if words and words[0] != "" and all(isinstance(word, str) and "\0" not in word for word in words):
            return tuple(words)
        self._unfit(key, value, expected)
        return ()

    def table(self, key: str) -> Table:
        """The table inside; empty when absent."""
        return Table(self._document, (*self.path, key), self._value(key, "", {}))

    def _value(self, key: str, expected: str, default: object) -> object:
        """The value, else the default; None, and noted as missing, without either."""
        self._known.add(key)
        if key not in self.values and default is None:
            self.wrong(key, f"missing; expected {expected}")
        return self.values.get(key, default)

    def _unfit(self, key: str, value: object, expected: str) -> None:
        if value is not None:
            self.wrong(key, f"found {shown(value)}; expected {expected}")


def dotted(path: Path) -> str:
    """A path as people write it; what is no bare key is quoted, tables of an array are counted from 1."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f" {part + 1}"
        else:
            bare = re.fullmatch(r"[A-Za-z0-9_-]+", part)
            text += ("." if text else "") + (part if bare else repr(part))
    return text


def shown(value: object) -> str:
    """A value for an error message, as in TOML where that is short, and never long."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _refuse_monsters(root: dict[str, Any]) -> None:
    """Raises ValueError for nesting, numbers and keys that would break, or flood, whoever prints them."""
    level: list[Any] = [root]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for value in level:
            if type(value) is int and not -(2**63) <= value < 2**63:
                raise ValueError("a whole number that does not fit in 64 bits; expected smaller ones")
            if isinstance(value, dict):
                if any(len(key) > MAX_KEY for key in value):
                    raise ValueError(f"a key of more than {MAX_KEY} characters; expected shorter ones")
                inner.extend(value.values())
            elif isinstance(value, list):
                inner.extend(value)
        level = inner
    if level:
        raise ValueError(f"nested too deeply; expected at most {MAX_DEPTH} levels")
