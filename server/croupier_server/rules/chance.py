"""The only source of luck in a match: two operations, each under a label.

Every label is a stream of its own, so play that uses more or less of one luck does not shift another. What was drawn
is recorded, so a replay needs no generator and a test can script it. The generator is SHA-256 in counter mode, the
same numbers in every language; its vectors are in tests/vectors/chance.json.
"""

from __future__ import annotations

import hashlib
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

_WORDS = 2**64  # as many different words there are
_BLOCK = struct.Struct(">4Q")


@dataclass(frozen=True, slots=True)
class NumberDraw:
    """What `below(label, bound)` gave."""

    label: str
    bound: int
    value: int  # 0..bound-1


@dataclass(frozen=True, slots=True)
class ShuffleDraw:
    """What `shuffle(label, items)` gave: place i holds item order[i] of the unshuffled sequence."""

    label: str
    order: tuple[int, ...]


Draw: TypeAlias = NumberDraw | ShuffleDraw


class ChanceError(ValueError):
    """A recorded or scripted draw does not fit the call; says which, what was found and what was expected."""


class Chance(ABC):
    """Luck for one match."""

    @abstractmethod
    def below(self, label: str, n: int) -> int:
        """A number in 0..n-1, each equally likely; n is at least 1."""

    @abstractmethod
    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a uniformly random order."""


class _Stream:
    """64-bit words from SHA-256(key ‖ counter), four big-endian words a block."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._words: list[int] = []  # the next one last

    def below(self, n: int) -> int:
        word = self._word()
        while word >= _WORDS - n and word >= _WORDS - _WORDS % n:  # such words would favour small numbers
            word = self._word()
        return word % n

    def _word(self) -> int:
        if not self._words:
            block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
            self._words = list(_BLOCK.unpack(block))
            self._words.reverse()
        return self._words.pop()


class KeyedChance(Chance):
    """Luck from a block key. The stream of a label has the key SHA-256(block key ‖ label as UTF-8)."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._streams: dict[str, _Stream] = {}

    def _stream(self, label: str) -> _Stream:
        stream = self._streams.get(label)
        if stream is None:
            stream = self._streams[label] = _Stream(hashlib.sha256(self._key + label.encode()).digest())
        return stream

    def below(self, label: str, n: int) -> int:
        """See `Chance.below`; raises ValueError when n < 1."""
        if n < 1:
            raise ValueError(f"below({label!r}, {n}): need at least one outcome")
        return self._stream(label).below(n)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Fisher-Yates from the end."""
        stream = self._stream(label)
        deck = list(items)
        for i in range(len(deck) - 1, 0, -1):
            j = stream.below(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return tuple(deck)


class RecordedChance(Chance):
    """Luck read back from a record; every call must be the recorded one, label and size included."""

    def __init__(self, draws: Iterable[Draw]) -> None:
        self._draws = tuple(draws)
        self._next = 0

    @property
    def left(self) -> int:
        """How many draws have not been used."""
        return len(self._draws) - self._next

    def _take(self, wanted: str) -> Draw:
        if not self.left:
            raise ChanceError(f"draw {self._next + 1}: the record has no more draws, the rules ask for {wanted}")
        self._next += 1
        return self._draws[self._next - 1]

    def below(self, label: str, n: int) -> int:
        """See `Chance.below`; raises ChanceError when the record holds another call."""
        draw = self._take(f"below({label!r}, {n})")
        if not isinstance(draw, NumberDraw) or (draw.label, draw.bound) != (label, n) or not 0 <= draw.value < n:
            raise ChanceError(f"draw {self._next}: found {draw}, the rules ask for below({label!r}, {n})")
        return draw.value

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """See `Chance.shuffle`; raises ChanceError when the record holds another call."""
        draw = self._take(f"shuffle({label!r}, {len(items)} items)")
        if not isinstance(draw, ShuffleDraw) or draw.label != label or sorted(draw.order) != list(range(len(items))):
            raise ChanceError(f"draw {self._next}: found {draw}, the rules ask for shuffle({label!r}, {len(items)})")
        return tuple([items[i] for i in draw.order])


class ScriptedChance(Chance):
    """Luck written down by a person, as in test vectors: numbers and item texts, labels ignored.

    `script` holds ("below", number) and ("shuffle", [texts]) in order of use; `text` gives the notation of an item.
    """

    def __init__(self, script: Iterable[tuple[str, Any]], text: Callable[[Any], str]) -> None:
        self._script = [(kind, value) for kind, value in script]
        self._next = 0
        self._text = text

    @property
    def left(self) -> int:
        """How many entries have not been used."""
        return len(self._script) - self._next

    def _take(self, kind: str, label: str) -> Any:
        if not self.left or self._script[self._next][0] != kind:
            found = self._script[self._next][0] if self.left else "the end of the script"
            raise ChanceError(f"entry {self._next + 1}: found {found}, the rules ask for {kind} ({label})")
        self._next += 1
        return self._script[self._next - 1][1]

    def below(self, label: str, n: int) -> int:
        """See `Chance.below`; raises ChanceError when the script says otherwise."""
        value = self._take("below", label)
        if not isinstance(value, int) or not 0 <= value < n:
            raise ChanceError(f"entry {self._next}: {value!r} does not fit below({label!r}, {n})")
        return value

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """See `Chance.shuffle`; items of the same text (twins) are taken in their given order."""
        texts = self._take("shuffle", label)
        at: dict[str, list[T]] = {}
        for item in reversed(items):
            at.setdefault(self._text(item), []).append(item)
        if len(texts) != len(items) or sorted(texts) != sorted(map(self._text, items)):
            raise ChanceError(f"entry {self._next}: {texts} is no order of {list(map(self._text, items))}")
        return tuple([at[text].pop() for text in texts])


class Recorder(Chance):
    """Passes the luck of `source` through and keeps it in `draws`."""

    def __init__(self, source: Chance) -> None:
        self._source = source
        self.draws: list[Draw] = []

    def below(self, label: str, n: int) -> int:
        """See `Chance.below`."""
        value = self._source.below(label, n)
        self.draws.append(NumberDraw(label, n, value))
        return value

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """See `Chance.shuffle`."""
        order = self._source.shuffle(label, range(len(items)))
        self.draws.append(ShuffleDraw(label, order))
        return tuple([items[i] for i in order])
