"""Positions of jekyll that one seat takes for possible: `world` makes one of its view. No rules of its own.

What the other seat holds is limited by the cards given to it, by the colours that it could not follow (J10, J11) and by
the potions that it did not give (J6). Each hand that is left is equally likely.
"""

from __future__ import annotations

from croupier_server.games.jekyll import (
    COLOUR,
    DECK,
    FIRST_POTION,
    HAND_SIZE,
    JEKYLL,
    Card,
    Jekyll,
    Observation,
    Options,
    Past,
    Plays,
)
from croupier_server.rules import Chance, Seat, viewer_of

_CARDS_A_ROUND = 2 * HAND_SIZE


def world(options: Options, view: Observation, chance: Chance) -> Jekyll:
    """See `Game.world`."""
    me = viewer_of(view)
    their_hand = _hand(view, 1 - me, chance)
    their_deals = [_dealt(view, 1 - me, number, their_hand) for number in range(1, view.round + 1)]
    own = (view.hand, view.dealt_cards, view.given_cards)
    theirs = (their_hand, tuple([card for cards in their_deals for card in cards]), view.received_cards)
    hands, dealt, given = zip(*((own, theirs) if me == JEKYLL else (theirs, own)), strict=True)
    return Jekyll(
        options=options,
        phase=view.phase,
        round=view.round,
        leader=view.leader,
        tricks=view.tricks,
        row=view.rank_row,
        hands=hands,
        plays=Plays(view.played_cards, view.played_by, view.named_colours),
        winners=view.trick_winners,
        past=Past(view.round_markers, view.swap_sizes, view.swap_times, dealt, given),
    )


def _swaps(view: Observation, number: int) -> list[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """What the viewer gave and received in each swap of a round, in order."""
    end, swaps = 0, []
    for size, time in zip(view.swap_sizes, view.swap_times, strict=True):
        begin, end = end, end + size
        if time // _CARDS_A_ROUND == number - 1:
            swaps.append((view.given_cards[begin:end], view.received_cards[begin:end]))
    return swaps


def _played_by(view: Observation, seat: Seat, number: int) -> set[Card]:
    """The cards that a seat has played in a round."""
    first = _CARDS_A_ROUND * (number - 1)
    plays = zip(view.played_cards[first:], view.played_by[first : first + _CARDS_A_ROUND], strict=False)
    return {card for card, by in plays if by == seat}


def _dealt(view: Observation, seat: Seat, number: int, hand: tuple[Card, ...]) -> list[Card]:
    """What the other seat was dealt in a round, if it now has such a hand: all that it had since, with swaps undone."""
    cards = _played_by(view, seat, number) | (set(hand) if number == view.round else set())
    for theirs, ours in reversed(_swaps(view, number)):
        cards = cards.difference(theirs).union(ours)
    return sorted(cards)


def _hand(view: Observation, seat: Seat, chance: Chance) -> tuple[Card, ...]:
    """A hand that the other seat may have."""
    played = set(view.played_cards[_CARDS_A_ROUND * (view.round - 1) :])
    swaps = _swaps(view, view.round)
    known = {card for given, _ in swaps for card in given} - {*view.hand} - played
    seen = known | {*view.hand} | played
    missing = _missing(view, seat)
    limit = _potions_at_most(view, seen, swaps)
    others = [card for card in DECK if card not in seen and COLOUR[card] not in missing]
    while True:
        rest = chance.shuffle("world hand", others)[: view.hand_sizes[seat] - len(known)]
        if len([card for card in rest if card >= FIRST_POTION]) <= limit:
            return tuple(sorted(known.union(rest)))


def _missing(view: Observation, seat: Seat) -> set[int]:
    """The colours that a seat could not follow in this round; what it was given later may have them."""
    first = _CARDS_A_ROUND * (view.round - 1)
    cards, by = view.played_cards[first:], view.played_by[first:]
    names = iter(view.named_colours[len([led for led in view.played_cards[:first:2] if led >= FIRST_POTION]) :])
    missing = set()
    for led, answer, answerer in zip(cards[::2], cards[1::2], by[1::2], strict=False):  # a lead may be unanswered
        wanted = COLOUR[led] or next(names)
        may_always = answer >= FIRST_POTION > led  # J10
        if answerer == seat and COLOUR[answer] != wanted and not may_always:
            missing.add(wanted)
    return missing


def _potions_at_most(view: Observation, seen: set[Card], swaps: list[tuple[tuple[Card, ...], tuple[Card, ...]]]) -> int:
    """How many potions the other seat may hold that nobody has seen: with two it must have given one (J6)."""
    if not swaps or swaps[0][1][-1] >= FIRST_POTION:
        return len(DECK) - FIRST_POTION + 1
    own = view.dealt_cards[HAND_SIZE * (view.round - 1) :]
    return 1 - len([card for card in seen if card >= FIRST_POTION and card not in own])
