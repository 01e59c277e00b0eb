"""Which captured cards an indulgence of luther may cover. Not when it is used, and what comes of it.

Rules are cited as in luther.py. Cards are a tuple in canonical order, or a mask in which bit c stands for card c.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, product
from typing import NamedTuple, TypeVar

from croupier_server.games.luther_words import CARDS, Card, Indulgence, UseIndulgence

T = TypeVar("T")

PACK = tuple(range(1, 53))
SPADES, HEARTS, DIAMONDS, CLUBS = 1, 2, 3, 4
SUIT = (0, *[(card - 1) // 13 + 1 for card in PACK])  # by card
RANK = (0, *[(card - 1) % 13 + 1 for card in PACK])  # by card: 1 is the ace, 13 the king
BLACK = frozenset([card for card in PACK if SUIT[card] in (SPADES, CLUBS)])
ASCII_RANK = (0, *[sorted(CARDS.texts).index(text) for text in CARDS.texts])  # by card

SPADE, CLUB, EVEN, ODD, PRIME, NONPRIME, BIG, SMALL, FIB, RUN, SUM10, PAIRS, SUM14 = range(1, 14)  # indulgences
LIMITS = (0, *[4] * 9, 5, 5, 6, 6)  # by indulgence: the most cards that it covers

_PRIME, _FIBONACCI = (2, 3, 5, 7, 11, 13), (1, 2, 3, 5, 8, 13)
_COVERS: dict[Indulgence, Callable[[Card, int], bool]] = {  # card and its number -> whether it may be covered (L16)
    SPADE: lambda card, _: SUIT[card] == SPADES,
    CLUB: lambda card, _: SUIT[card] == CLUBS,
    EVEN: lambda _, number: number % 2 == 0,
    ODD: lambda _, number: number % 2 == 1,
    PRIME: lambda _, number: number in _PRIME,
    NONPRIME: lambda _, number: number not in _PRIME,
    BIG: lambda _, number: number >= 8,
    SMALL: lambda _, number: number <= 7,
    FIB: lambda _, number: number in _FIBONACCI,
}
_KEPT = 1 << 11  # lists of uses kept an indulgence


class Numbers(NamedTuple):
    """How the options read the numbers of cards (L15, L17)."""

    ace_value: int
    run_min: int
    run_wrap: bool

    def of(self, card: Card) -> int:
        """What a card counts."""
        return self.ace_value if RANK[card] == 1 else RANK[card]


class Coverage:
    """What one indulgence may cover."""

    def __init__(self, indulgence: Indulgence, sets: Iterable[tuple[Card, ...]]) -> None:
        self._sets = frozenset(sets)
        self._fitting = mask_of({card for cards in self._sets for card in cards})
        self._rows = _rows(indulgence, self._sets)
        self._found = lru_cache(_KEPT)(self._find)

    def __contains__(self, cards: tuple[Card, ...]) -> bool:
        """Whether exactly these cards, in canonical order, may be covered at once."""
        return cards in self._sets

    def uses(self, held: int) -> tuple[UseIndulgence, ...]:
        """Every use on cards of a mask, in ASCII order of the texts."""
        return self._found(held & self._fitting)

    def _find(self, held: int) -> tuple[UseIndulgence, ...]:
        found, rows, at = [], self._rows, 0
        while at < len(rows):
            bit, use, beyond = rows[at]
            if bit & held:
                if use is not None:
                    found.append(use)
                at += 1
            else:
                at = beyond
        return tuple(found)


def _rows(
    indulgence: Indulgence, sets: frozenset[tuple[Card, ...]]
) -> tuple[tuple[int, UseIndulgence | None, int], ...]:
    """Every beginning of a set, in ASCII order of the texts: a tree in the order of its branches.

    A row is the bit of its last card, the use if it is a whole set, and the place of the first row beyond its branch.
    No text of a card begins another one, so the order is that of the cards one by one.
    """
    beginnings = {cards[:size] for cards in sets for size in range(1, len(cards) + 1)}
    in_order = sorted(beginnings, key=lambda cards: [ASCII_RANK[card] for card in cards])
    beyond = [len(in_order)] * len(in_order)
    branch: list[int] = []  # the rows that the row at hand grows from
    for place, cards in enumerate(in_order):
        while len(branch) >= len(cards):
            beyond[branch.pop()] = place
        branch.append(place)
    return tuple(
        [
            (1 << cards[-1], UseIndulgence(indulgence, cards) if cards in sets else None, after)
            for cards, after in zip(in_order, beyond, strict=True)
        ]
    )


@cache
def coverage(indulgence: Indulgence, numbers: Numbers) -> Coverage:
    """What an indulgence may cover, worked out once."""
    return Coverage(indulgence, [tuple(sorted(cards)) for cards in _coverable(indulgence, numbers)])


def mask_of(cards: Iterable[Card]) -> int:
    """The mask of different cards."""
    return sum([1 << card for card in cards])


def _coverable(indulgence: Indulgence, numbers: Numbers) -> Iterator[Iterable[Card]]:
    """Every set of cards that an indulgence covers, some perhaps more than once."""
    number = {card: numbers.of(card) for card in sorted(BLACK)}
    limit = LIMITS[indulgence]
    if indulgence in _COVERS:  # L16
        yield from _up_to(limit, [card for card in number if _COVERS[indulgence](card, number[card])])
    elif indulgence == RUN:  # L17
        in_order = sorted(number, key=number.__getitem__)
        line = list(zip(in_order[::2], in_order[1::2], strict=True))  # both cards of each number
        for size in range(numbers.run_min, limit + 1):
            for start in range(len(line) if numbers.run_wrap else len(line) - size + 1):
                yield from product(*[line[(start + i) % len(line)] for i in range(size)])
    elif indulgence == SUM10:  # L18
        for cards in _up_to(limit, list(number)):
            if sum([number[card] for card in cards]) in (10, 20, 30):
                yield cards
    else:  # L19, L20
        pairs = [
            (one, other)
            for one, other in combinations(number, 2)
            if (number[one] == number[other] if indulgence == PAIRS else number[one] + number[other] == 14)
        ]
        for chosen in _up_to(limit // 2, pairs):
            cards = tuple(chain(*chosen))
            if len(set(cards)) == len(cards):
                yield cards


def _up_to(limit: int, items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Every choice of 1 to `limit` items, in their order."""
    return chain.from_iterable(combinations(items, size) for size in range(1, limit + 1))
