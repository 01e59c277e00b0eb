"""On which line of a TOML text a key stands, since tomllib does not say. For error messages only.

A scan of lines that start with a header or a key, not a parser: where it cannot see (a key inside an inline table, a
quoted key with escapes) it answers with the line of the nearest thing around it.
"""

from __future__ import annotations

import re
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]  # keys, and positions in arrays of tables from 0

_KEY = r"[A-Za-z0-9_-]+|\"[^\"\\]*\"|'[^']*'"
_HEADER_LINE = re.compile(rf"\s*\[(\[?)\s*((?:{_KEY})(?:\s*\.\s*(?:{_KEY}))*)\s*\]")
_KEY_LINE = re.compile(rf"\s*({_KEY})\s*[.=]")
_QUOTES = re.compile(r"\"\"\"|'''")


class Places:
    """The lines of one text."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        self._tables: dict[Path, int] = {}  # how many headers an array of tables has had
        table: Path = ()
        closing = ""  # of the string over several lines that we are in
        for number, line in enumerate(text.split("\n"), 1):
            if not closing:
                if header := _HEADER_LINE.match(line):
                    table = self._enter(header[2], is_array=bool(header[1]))
                    self._lines.setdefault(table, number)
                    if isinstance(table[-1], int):
                        self._lines.setdefault(table[:-1], number)  # the array begins with its first table
                elif key := _KEY_LINE.match(line):
                    self._lines.setdefault((*table, key[1].strip("\"'")), number)
            for quotes in _QUOTES.findall(line):
                closing = {"": quotes, quotes: ""}.get(closing, closing)

    def _enter(self, header: str, *, is_array: bool) -> Path:
        path: Path = ()
        keys = [key.strip("\"'") for key in re.findall(_KEY, header)]
        for depth, key in enumerate(keys, 1):
            path = (*path, key)
            if depth == len(keys) and is_array:
                self._tables[path] = self._tables.get(path, 0) + 1
            if path in self._tables:
                path = (*path, self._tables[path] - 1)
        return path

    def line(self, path: Path) -> int | None:
        """The line, from 1, of a key or table, else of the nearest one around it; None when there is none."""
        while path:
            if path in self._lines:
                return self._lines[path]
            path = path[:-1]
        return None
