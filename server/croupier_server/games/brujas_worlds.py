"""Positions of brujas that one seat takes for possible: `world` makes one of its view. No rules of its own.

A seat that did not match the led card when it had to (S7 to S9) has no card that does.
"""

from __future__ import annotations

from collections import Counter

from croupier_server.games.brujas import (
    ASCII_RANK,
    DECK,
    RULE_MADE,
    UNDECIDED,
    Brujas,
    Card,
    Observation,
    Options,
    matches,
)
from croupier_server.rules import Chance, deal_out, replaced, viewer_of


def world(_options: Options, view: Observation, chance: Chance) -> Brujas:
    """See `Game.world`."""
    me, sizes = viewer_of(view), view.hand_sizes
    hidden = Counter(DECK) - Counter(view.played_cards) - Counter(view.hand)
    dealt = deal_out(chance, "world hands", [*hidden.elements()], replaced(sizes, me, 0), _missing(view))
    hands = replaced(dealt, me, view.hand)
    return Brujas(
        phase=view.phase,
        turn=view.turn,
        rule=view.rule,
        track=view.track,
        table=view.table,
        hands=tuple([tuple(sorted(hand, key=ASCII_RANK.__getitem__)) for hand in hands]),
        first_track=view.first_track,
        leaders=(view.played_by[0] if view.played_by else view.turn, *view.trick_winners),
        played=view.played_cards,
        moves=view.moves,
        taken=view.taken_cards,
    )


def _missing(view: Observation) -> list[set[Card]]:
    """By seat: the cards that it cannot have, since it would have had to play them."""
    seats = len(view.hand_sizes)
    missing = [set[Card]() for _ in range(seats)]
    for start in range(0, len(view.played_cards), seats):
        led, *others = view.played_cards[start : start + seats]
        rule = UNDECIDED
        for card, seat in zip(others, view.played_by[start + 1 : start + seats], strict=True):
            due = matches(rule, led)
            if card not in due:
                missing[seat] |= due
            if rule is UNDECIDED:
                rule = RULE_MADE[led][card]
    return missing
