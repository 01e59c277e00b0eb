"""Small ints with names: how a game's cards, squares and colours are told to people and to the wire.

Inside a game they are plain ints, which are fast. An `Annotated[int, CARDS]` hint says which ints they are, so that
texts, protobuf enums and readable views are derived from one table. No protobuf here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Codes:
    """A table of the values 1..n: the text of each in notation, and its name as a constant.

    Value 0 is never used: it is the wire's "unspecified".
    """

    name: str  # UpperCamel, without the game: "Card"
    texts: tuple[str, ...]  # notation, value 1 first: ("P1", ..., "5+")
    constants: tuple[str, ...]  # UPPER_SNAKE, value 1 first: ("P1", ..., "POTION_5")
    values: Mapping[str, int] = field(init=False, repr=False, compare=False)  # text -> value

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.constants) or len(set(self.texts)) != len(self.texts):
            raise ValueError(f"codes {self.name}: texts and constants must be distinct and as many")
        object.__setattr__(self, "values", {text: i for i, text in enumerate(self.texts, 1)})

    def text(self, value: int) -> str:
        """The notation of a value; raises ValueError outside 1..n."""
        if not 1 <= value <= len(self.texts):
            raise ValueError(f"{value} is no {self.name}: expected 1..{len(self.texts)}")
        return self.texts[value - 1]

    def parse(self, text: str) -> int:
        """The value of a notation; raises ValueError that names what was found and what there is."""
        try:
            return self.values[text]
        except KeyError:
            raise ValueError(f"{text!r} is no {self.name}: expected one of {' '.join(self.texts)}") from None
