"""Dealing what a viewer cannot see: hidden cards to holders, none to one that showed that it has no such card.

For games that sample worlds (`Game.world`). No game in particular, and no inference from what players preferred.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Protocol

from croupier_server.rules.chance import Chance

STIRS = 4  # tries to swap two cards, for each card


class Seen(Protocol):
    """A view of any game."""

    @property
    def seat(self) -> int | None:
        """Whose view it is; None: a spectator's."""
        ...


def viewer_of(view: Seen) -> int:
    """The seat whose view it is; raises ValueError for a spectator's, of which no world is made."""
    if view.seat is None:
        raise ValueError("a world is made of a seat's view, found the view of a spectator")
    return view.seat


def deal_out(
    chance: Chance, label: str, cards: Sequence[int], sizes: Sequence[int], barred: Sequence[Collection[int]]
) -> tuple[tuple[int, ...], ...]:
    """Deals so many cards to each holder, by holder, and the rest to nobody; `barred` has the cards it cannot hold.

    Where the first shuffle fits, as it always does when nothing is barred, every deal is equally likely; where it does
    not, the nearest deal that fits is stirred by swaps, and so every deal is about as likely. Raises ValueError when
    there are too few cards, or none of the deals fits.
    """
    holders = [holder for holder, size in enumerate(sizes) for _ in range(size)]
    if len(holders) > len(cards):
        raise ValueError(f"{label}: {len(cards)} cards are not enough for hands of {list(sizes)}")
    places: list[Collection[int]] = [barred[holder] for holder in holders]  # by place: what cannot be there
    places += [()] * (len(cards) - len(holders))
    deck = list(chance.shuffle(label, cards))
    if misfits := [place for place, card in enumerate(deck) if card in places[place]]:
        for place in misfits:
            if deck[place] in places[place]:
                _settle(deck, places, place)
        for _ in range(STIRS * len(deck)):
            one, other = chance.below(label, len(deck)), chance.below(label, len(deck))
            if deck[one] not in places[other] and deck[other] not in places[one]:
                deck[one], deck[other] = deck[other], deck[one]
    cards_left = iter(deck)
    return tuple([tuple(islice(cards_left, size)) for size in sizes])


def _settle(deck: list[int], places: Sequence[Collection[int]], start: int) -> None:
    """Moves the card of a place to where it fits, the card there to where that fits, and so on back to the place.

    When any deal fits, so does the round that its cards would take; the shortest one is found, breadth first.
    """
    came_from = {start: start}
    reached = [start]
    for place in reached:  # grows on the way
        if deck[place] not in places[start]:
            last = deck[place]
            while place != start:
                deck[place] = deck[came_from[place]]
                place = came_from[place]
            deck[start] = last
            return
        fitting = [other for other in range(len(deck)) if other not in came_from and deck[place] not in places[other]]
        came_from.update(dict.fromkeys(fitting, place))
        reached += fitting
    raise ValueError(f"no deal fits: card {deck[start]} has no place")
