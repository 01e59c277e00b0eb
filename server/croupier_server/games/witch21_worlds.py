"""Positions of witch21 that one seat takes for possible: `world` makes one of its view. No rules of its own.

The game is told again from the deal on, with cards of the other seats that are unknown until the view shows one: when
it is played, or swapped with the viewer. Which cards two other seats have swapped is guessed, and a guess after which
somebody shows a card that it cannot have is thrown away. Cards that are unknown to the end can be any that are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from croupier_server.games.witch21 import CHOOSE, COPIES, DRAW_FIRST, Past, Witch21, in_order
from croupier_server.games.witch21_words import WITCHES, Card, Observation, Options, Witch
from croupier_server.rules import Chance, Seat, viewer_of

_BySeat: TypeAlias = tuple[tuple[Card, ...], ...]
_UNKNOWN = 0  # a card that has not been shown


def world(options: Options, view: Observation, chance: Chance) -> Witch21:
    """See `Game.world`."""
    seats = len(view.hand_sizes)
    none: _BySeat = ((),) * seats
    told = _Told(none, (), none, none, none)
    if view.phase is not CHOOSE:
        told = _story(options, view, chance).told(view.pile_size)
    return Witch21(
        options=options,
        phase=view.phase,
        turn=view.turn,
        partner=view.partner,
        counts=view.counts,
        factions=_factions(options, view, chance),
        hands=told.hands,
        pile=told.pile,
        played=view.played_cards,
        played_by=view.played_by,
        past=Past(view.start_seat, view.alibi_witches, view.swap_places, view.swap_partners, *told[2:]),
    )


def _factions(options: Options, view: Observation, chance: Chance) -> tuple[Witch, ...]:
    """By seat: those that are known, and in the blind game any that may be."""
    me, seats = viewer_of(view), len(view.hand_sizes)
    if options.blind:
        pool = [witch for witch in range(1, len(WITCHES.texts) + 1) for _ in range(COPIES[seats])]
        pool.remove(view.faction or 0)
        others = chance.shuffle("world factions", pool)
        return (*others[:me], view.faction or 0, *others[me : seats - 1])
    known = (*view.factions, *(0,) * (seats - len(view.factions)))  # from the start seat on
    return (*known[seats - view.start_seat :], *known[: seats - view.start_seat])


class _Told(NamedTuple):
    """Where all cards have been; by seat but for the pile."""

    hands: _BySeat
    pile: tuple[Card, ...]
    dealt: _BySeat
    given: _BySeat
    received: _BySeat


class _ContradictionError(Exception):
    """Somebody shows a card that it cannot have, after such guesses."""


class _Story:
    """The game as it may have gone. Cards are told apart by a number each, in the order in which they were dealt."""

    def __init__(self, options: Options, view: Observation, chance: Chance) -> None:
        self._view, self._chance, self._me = view, chance, viewer_of(view)
        seats = len(view.hand_sizes)
        self._dealt_to_me = iter(view.dealt_cards)
        self._left = Counter(options.deck) - Counter(view.dealt_cards)
        self._cards: list[Card] = []  # what each is
        self._hands: list[list[int]] = [[] for _ in range(seats)]
        self._dealt: list[list[int]] = [[] for _ in range(seats)]
        self._given: list[list[int]] = [[] for _ in range(seats)]
        self._received: list[list[int]] = [[] for _ in range(seats)]
        self._hand_size = 3 if options.draw3 else len(options.deck) // seats
        self._draws = len(options.deck) - self._hand_size * seats - view.pile_size if options.draw3 else 0

    def tell(self, *, draw_first: bool) -> None:
        """Goes through all that has happened; raises _ContradictionError."""
        view = self._view
        partners = dict(zip(view.swap_places, view.swap_partners, strict=True))
        for seat in range(len(self._hands)):
            for _ in range(self._hand_size):
                self._deal(seat)
        for place, (card, seat) in enumerate(zip(view.played_cards, view.played_by, strict=True)):
            if draw_first:
                self._draw(seat)
            self._hands[seat].remove(self._shown(seat, card))
            if place in partners:
                self._swap(seat, partners[place])
            if not draw_first:
                self._draw(seat)
        self._draw(view.turn)  # which has drawn first, if there is still a draw that nobody made

    def told(self, pile_size: int) -> _Told:
        """The same with every unknown card given a meaning, and the pile."""
        left = iter(self._chance.shuffle("world cards", [*self._left.elements()]))
        cards = [next(left) if card == _UNKNOWN else card for card in self._cards]

        def named(by_seat: Iterable[Iterable[int]]) -> _BySeat:
            return tuple([tuple([cards[one] for one in own]) for own in by_seat])

        size = self._hand_size
        return _Told(
            tuple([in_order(hand) for hand in named(self._hands)]),
            tuple([next(left) for _ in range(pile_size)]),
            tuple([(*sorted(dealt[:size]), *dealt[size:]) for dealt in named(self._dealt)]),
            named(self._given),
            named(self._received),
        )

    def _deal(self, seat: Seat) -> None:
        one = len(self._cards)
        self._cards.append(next(self._dealt_to_me) if seat == self._me else _UNKNOWN)
        self._hands[seat].append(one)
        self._dealt[seat].append(one)

    def _draw(self, seat: Seat) -> None:
        """The seat draws a card, unless as many have been drawn as the pile lacks."""
        if self._draws:
            self._draws -= 1
            self._deal(seat)

    def _shown(self, seat: Seat, card: Card) -> int:
        """A card of a seat that is, or may be, such a one; from now on it is."""
        hand, cards = self._hands[seat], self._cards
        unknown = [one for one in hand if cards[one] == _UNKNOWN]
        for one in hand:
            if cards[one] == card:
                return one
        if not unknown or not self._left[card]:
            raise _ContradictionError
        one = self._any_of(unknown)
        cards[one] = card
        self._left[card] -= 1
        return one

    def _any_of(self, ones: list[int]) -> int:
        return ones[self._chance.below("world story", len(ones))]

    def _swap(self, *pair: Seat) -> None:
        """Two seats swap a card each, which only they have seen."""
        me, view = self._me, self._view
        number = len(self._given[me])
        gone = []
        for seat in pair:
            if me not in pair:
                gone.append(self._any_of(self._hands[seat]))
            else:
                gone.append(self._shown(seat, (view.given_cards if seat == me else view.received_cards)[number]))
        for seat, mine, theirs in zip(pair, gone, reversed(gone), strict=True):
            self._hands[seat].remove(mine)
            self._hands[seat].append(theirs)
            self._given[seat].append(mine)
            self._received[seat].append(theirs)


def _story(options: Options, view: Observation, chance: Chance) -> _Story:
    """One that comes to the view."""
    while True:
        story = _Story(options, view, chance)
        try:
            story.tell(draw_first=options.draw_timing is DRAW_FIRST)
        except _ContradictionError:
            continue
        return story
