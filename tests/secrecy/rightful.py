"""What the rules let each viewer know of the luck, by game id: said from draws and actions alone.

Nothing here asks the game under test what it tells, so a game that tells too much cannot excuse itself. A game that is
missing here fails its test of secrecy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.support.worlds import Viewer

from croupier_server.games import jekyll
from croupier_server.rules import AnyState, Seat

Readers: TypeAlias = frozenset[Viewer]

NOBODY: Readers = frozenset()


@dataclass(frozen=True)
class Rightful:
    """Who may know which item of a shuffle, and when."""

    drawn: Callable[[Any, str, int], tuple[Readers, ...]]  # options, label, size -> who may know the item at each place
    shown: Callable[
        [AnyState, Mapping[Seat, Any]], Iterator[tuple[Any, Readers]]
    ]  # position, actions -> what they show


# --- jekyll ---

_JEKYLL, _HYDE, _BOTH = frozenset({0}), frozenset({1}), frozenset({0, 1})
_ALL: Readers = frozenset({None, 0, 1})


def _jekyll_drawn(options: jekyll.Options, label: str, size: int) -> tuple[Readers, ...]:
    if label.startswith("deal "):  # J3
        return (_JEKYLL,) * 10 + (_HYDE,) * 10 + (NOBODY,) * 5
    swapped = min(options.greed_count, size)  # J17: the first cards of a hand go over
    owner: Readers = frozenset({int(label[-1])})
    return (_BOTH,) * swapped + (owner,) * (size - swapped)


def _jekyll_shown(_state: AnyState, actions: Mapping[Seat, jekyll.Action]) -> Iterator[tuple[int, Readers]]:
    for action in actions.values():
        match action:
            case jekyll.Play(card):
                yield card, _ALL
            case jekyll.Give(cards):
                yield from ((card, _BOTH) for card in cards)


RIGHTFUL: dict[str, Rightful] = {"jekyll": Rightful(_jekyll_drawn, _jekyll_shown)}
