"""Positions of luther that one seat takes for possible: `world` makes one of its view. No rules of its own.

A seat that followed neither the led suit nor trump (L8) has no card of either in this set.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TypeVar

from croupier_server.games.luther import (
    DECKS,
    FOLLOWING,
    OPEN,
    ROUNDS,
    Luther,
    Owned,
    Plays,
    Rounds,
    Uses,
)
from croupier_server.games.luther_cover import ASCII_RANK, SUIT, mask_of
from croupier_server.games.luther_words import INDULGENCES, Card, Observation, Options
from croupier_server.rules import Chance, deal_out, replaced, viewer_of

T = TypeVar("T")


def world(options: Options, view: Observation, chance: Chance) -> Luther:
    """See `Game.world`."""
    me, sizes, before = viewer_of(view), view.hand_sizes, view.set_number - 1
    in_set = view.played_cards[ROUNDS * len(sizes) * before :]
    hidden = [card for card in DECKS[len(sizes)] if card not in in_set and card not in view.hand]
    dealt = deal_out(chance, "world hands", hidden, replaced(sizes, me, 0), _missing(view, in_set))
    hands = replaced(dealt, me, view.hand)
    opened = view.opened_indulgences[(OPEN + ROUNDS) * before :]
    in_pile = [INDULGENCES.parse(text) for text in INDULGENCES.texts if INDULGENCES.parse(text) not in opened]
    unused = [tuple(sorted(own, key=INDULGENCES.text)) for own in _split(view.unused, view.unused_counts)]
    return Luther(
        options=options,
        phase=view.phase,
        turn=view.turn,
        leader=view.leader,
        table=view.table,
        hands=tuple([tuple(sorted(hand, key=ASCII_RANK.__getitem__)) for hand in hands]),
        display=view.display,
        pile=chance.shuffle("world pile", in_pile),
        owned=Owned(
            view.money,
            tuple([mask_of(sins) for sins in _split(view.sins, view.sin_counts)]),
            tuple(unused),
            view.used_counts,
        ),
        plays=Plays(view.played_cards, view.played_by),
        rounds=Rounds(view.trick_winners, view.takers, view.chosen_indulgences, view.discarded),
        opened=view.opened_indulgences,
        uses=Uses(view.used_by, view.used_indulgences, view.used_in_rounds, view.covered_counts, view.covered_cards),
        scores=view.set_scores,
    )


def _split(items: Sequence[T], counts: Sequence[int]) -> list[tuple[T, ...]]:
    """The items in runs of so many."""
    left = iter(items)
    return [tuple(islice(left, count)) for count in counts]


def _missing(view: Observation, in_set: Sequence[Card]) -> list[set[Card]]:
    """By seat: the cards that it cannot have, since it would have had to play one of them in this set."""
    seats = len(view.hand_sizes)
    missing = [set[Card]() for _ in range(seats)]
    by = view.played_by[len(view.played_cards) - len(in_set) :]
    for place, (card, seat) in enumerate(zip(in_set, by, strict=True)):
        due = FOLLOWING[SUIT[in_set[place - place % seats]]]
        if card not in due:
            missing[seat] |= due
    return missing
