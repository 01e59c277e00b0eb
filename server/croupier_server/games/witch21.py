"""The 21-count witch hunt: informers raise the counts of three witches, and the first at 21 is hunted, or saved.

What decides is who took her there, with which card, and how the other counts stand. The rules, numbered W1 to W24 as
cited here, are in docs/rules/witch21.md; cards, actions, views and events in witch21_words.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple, get_args

from croupier_server.games.witch21_words import (
    ALIBI,
    BLUE,
    CARDS,
    GREEN,
    HUSH,
    KINDS,
    PURE_DECK,
    RED,
    TRADE,
    WITCHES,
    Action,
    Card,
    CardDrawn,
    CardPlayed,
    CardsDealt,
    CardsSwapped,
    Choose,
    DrawTiming,
    Event,
    FactionJoined,
    GameBegan,
    GameJudged,
    Give,
    Observation,
    Options,
    OwnOvershoot,
    Phase,
    Play,
    Strategy,
    SwapSeen,
    Witch,
    action_text,
    check,
    parse_action,
)
from croupier_server.rules import Game, Outcome, Seat, Table, replaced, without

WITCH = (0, *[RED] * 5, *[BLUE] * 5, *[GREEN] * 5, 0, 0, 0)  # by card
VALUE = (0, *[1, 2, 3, 4, 5] * 3, 0, 0, 0)  # by card
FIVES = frozenset({5, 10, 15})
LIMIT = 21
COPIES = {3: 1, 4: 2, 6: 2}  # faction cards of each witch, by number of seats (W2)

CHOOSE, PLAY, TRADE_PICK, OVER = Phase  # plain names are read faster than attributes of an Enum
DRAW_FIRST = DrawTiming.BEFORE_OWN_PLAY
_card_drawn, _cards_dealt = cache(CardDrawn), cache(CardsDealt)  # few, and told often

# Every action is made once, and every list of actions stands in ASCII order of the texts: blue, green, red, then words.
_ASCII_RANK = (0, *[sorted(CARDS.texts).index(text) for text in CARDS.texts])  # by card; a trade stands last
_WITCHES_IN_ORDER = (BLUE, GREEN, RED)
_CHOICES = tuple([Choose(witch) for witch in _WITCHES_IN_ORDER])
_ALIBIS = tuple([Play(ALIBI, witch, None) for witch in _WITCHES_IN_ORDER])
_PLAYS = ((), *[(Play(card, None, None),) for card in KINDS[:15]], _ALIBIS, (), (Play(HUSH, None, None),))  # by card
_PLAIN_TRADE = (Play(TRADE, None, None),)
_TRADES = tuple([Play(TRADE, None, seat) for seat in range(6)])  # by partner
_GIVES = (Give(0), *map(Give, KINDS))  # by card


class Past(NamedTuple):
    """What cannot be read off the cards played. By seat is secret but to the seat."""

    start: Seat
    alibis: tuple[Witch, ...]
    swap_places: tuple[int, ...]
    swap_partners: tuple[Seat, ...]
    dealt: tuple[tuple[Card, ...], ...]  # by seat, in canonical order, then what it drew
    given: tuple[tuple[Card, ...], ...]  # by seat
    received: tuple[tuple[Card, ...], ...]  # by seat


class Witch21(NamedTuple):
    """A position. The cards set aside and the factions that nobody holds are not even kept."""

    options: Options
    phase: Phase
    turn: Seat  # when the game is over, who played last
    partner: Seat | None  # while the two of a trade choose
    counts: tuple[int, ...]  # of red, blue, green
    factions: tuple[Witch, ...]  # by seat, 0 before it has one; secret in the blind game
    hands: tuple[tuple[Card, ...], ...]  # by seat, in ASCII order of the texts; secret but to their owners
    pile: tuple[Card, ...]  # next card first; secret
    played: tuple[Card, ...]
    played_by: tuple[Seat, ...]
    past: Past

    @classmethod
    def deal(cls, options: Options, seats: int, table: Table[Event]) -> Witch21:
        """The first position of a match (W3 to W8)."""
        start = table.chance.below("start", seats) if options.start_seat is None else options.start_seat
        table.announce(GameBegan(start))
        counts, none = (options.start_count,) * 3, ((),) * seats
        past = Past(start, (), (), (), none, none, none)
        first = cls(options, CHOOSE, start, None, counts, (0,) * seats, none, (), (), (), past)
        if not options.blind:
            return first
        # Witches are shuffled as texts, which no card is taken for.
        pool = [text for text in WITCHES.texts for _ in range(COPIES[seats])]
        factions = tuple([WITCHES.parse(text) for text in table.chance.shuffle("factions", pool)[:seats]])
        for seat in range(seats):
            table.whisper(seat, FactionJoined(seat, factions[seat]))
        return first._replace(factions=factions)._with_hands(table)

    def to_act(self) -> tuple[Seat, ...]:
        """See `State.to_act`."""
        if self.partner is not None:
            return (self.turn, self.partner) if self.turn < self.partner else (self.partner, self.turn)
        return () if self.phase is OVER else (self.turn,)

    def legal(self, seat: Seat) -> Sequence[Action]:
        """See `State.legal`."""
        if seat not in (self.turn, self.partner) or self.phase is OVER:
            return ()
        if self.phase is CHOOSE:
            return [choice for choice in _CHOICES if self.factions.count(choice.witch) < COPIES[len(self.hands)]]
        hand = self.hands[seat]
        cards = dict.fromkeys(hand)  # each kind once
        if self.phase is TRADE_PICK:
            return [_GIVES[card] for card in cards]
        plays = [play for card in cards for play in _PLAYS[card]]
        return [*plays, *self._trades()] if hand[-1] == TRADE else plays

    def broken_rule(self, seat: Seat, action: Action) -> str:
        """See `State.broken_rule`; raises ValueError for a legal action."""
        if seat not in self.to_act():
            return "W9: this seat has no decision to make now"
        asked = {CHOOSE: Choose, PLAY: Play, TRADE_PICK: Give}[self.phase]
        if not isinstance(action, asked):
            return f"W9: found {type(action).__name__.lower()}, this is the time to {asked.__name__.lower()}"
        if action in self.legal(seat):
            raise ValueError(f"{action_text(action)!r} breaks no rule")
        if isinstance(action, Choose):
            known = action.witch in (RED, BLUE, GREEN)
            return (
                f"W4: no card of {WITCHES.text(action.witch)} is left" if known else f"W1: {action.witch} is no witch"
            )
        card = action.card
        if card not in KINDS:
            return f"W1: {card} is no card"
        if card not in self.hands[seat]:
            return f"W9: {CARDS.text(card)} is not in the seat's hand"
        if card == ALIBI:
            return "W12: an alibi names one of the three witches, and no seat"
        if card != TRADE:
            return f"W10: {CARDS.text(card)} names neither a witch nor a seat"
        partners = [play.partner for play in self._trades() if play.partner is not None]
        return f"W13: a trade names {f'one of the seats {partners}' if partners else 'no seat now'}"

    def play(self, actions: Mapping[Seat, Action], table: Table[Event]) -> Witch21:
        """See `State.play`."""
        match actions[self.turn]:
            case Play() as action:
                return self._with_card(action, table)
            case Choose(witch):
                return self._with_faction(witch, table)
            case Give() as action:
                return self._with_swap(action, actions, table)._next_turn(table)

    def view(self, viewer: Seat | None) -> Observation:
        """See `State.view`."""
        past, factions, over = self.past, self.factions, self.phase is OVER
        known = (*factions[past.start :], *factions[: past.start]) if over or not self.options.blind else ()
        return Observation(
            viewer,
            self.phase,
            self.turn,
            self.partner,
            self.counts,
            past.start,
            None if viewer is None else factions[viewer] or None,
            tuple([witch for witch in known if witch]),
            () if viewer is None else tuple(sorted(self.hands[viewer])),
            tuple([len(hand) for hand in self.hands]),
            len(self.pile),
            self.played,
            self.played_by,
            past.alibis,
            past.swap_places,
            past.swap_partners,
            () if viewer is None else past.dealt[viewer],
            () if viewer is None else past.given[viewer],
            () if viewer is None else past.received[viewer],
            tuple([card for hand in self.hands for card in sorted(hand)]) if over else (),
        )

    def outcome(self) -> Outcome | None:
        """See `State.outcome`."""
        if self.phase is not OVER:
            return None
        _, _, winners = self.verdict()
        return Outcome.by_score([int(seat in winners) for seat in range(len(self.hands))])  # W23

    def verdict(self) -> tuple[Witch | None, tuple[Witch, ...], tuple[Seat, ...]]:
        """The accused, the witches whose believers win, and the seats that have won; only when the game is over."""
        finisher, card, counts, factions = self.turn, self.played[-1], self.counts, self.factions
        accused = next((witch for witch in (RED, BLUE, GREEN) if counts[witch - 1] >= LIMIT), None)
        losers = {seat for seat, hand in enumerate(self.hands) if not FIVES.isdisjoint(hand)}  # W22
        overshoot_wins = self.options.own_overshoot_low_card is OwnOvershoot.HIGHEST_COUNT_WINS
        hit = VALUE[card] <= 3 and (overshoot_wins or LIMIT in counts)  # no witch but the accused can be at 21
        favoured: list[Witch]
        if accused is not None and accused == factions[finisher] and hit:
            favoured = [accused]  # W19
        else:
            spoils = self.options.neutral_witch_spoils
            rest = [w for w in (RED, BLUE, GREEN) if w != accused and (spoils or w in factions)]
            most = max([counts[witch - 1] for witch in rest])
            favoured = [witch for witch in rest if counts[witch - 1] == most]  # W18, W20
            if len([witch for witch in favoured if witch in factions]) > 1:  # W21
                losers.add(finisher)
        winners = [seat for seat, witch in enumerate(factions) if witch in favoured and seat not in losers]
        return accused, tuple(favoured), tuple(winners)

    def _trades(self) -> Sequence[Play]:
        """The forms in which the seat whose turn it is may play a trade card of its hand (W13)."""
        hands, actor = self.hands, self.turn
        partners = [seat for seat, hand in enumerate(hands) if hand and seat != actor]
        return [_TRADES[seat] for seat in partners] if partners and len(hands[actor]) > 1 else _PLAIN_TRADE

    def _with_faction(self, witch: Witch, table: Table[Event]) -> Witch21:
        """One more seat has its faction; after the last one, cards are dealt (W4, W6)."""
        seat = self.turn
        table.announce(FactionJoined(seat, witch))
        after = self._replace(turn=(seat + 1) % len(self.hands), factions=replaced(self.factions, seat, witch))
        return after if 0 in after.factions else after._with_hands(table)

    def _with_hands(self, table: Table[Event]) -> Witch21:
        """Cards are dealt (W6, W7), and the first turn, which is the start seat's, begins."""
        options, seats = self.options, len(self.hands)
        deck = table.chance.shuffle("deal", options.deck)
        size = 3 if options.draw3 else len(deck) // seats
        dealt = tuple([tuple(sorted(deck[size * seat : size * (seat + 1)])) for seat in range(seats)])
        for seat, cards in enumerate(dealt):
            table.whisper(seat, CardsDealt(cards))
        pile, past = deck[size * seats :] if options.draw3 else (), self.past._replace(dealt=dealt)
        after = self._replace(phase=PLAY, hands=tuple(map(in_order, dealt)), pile=pile, past=past)
        return after._with_draw(table) if options.draw_timing is DRAW_FIRST else after

    def _with_card(self, action: Play, table: Table[Event]) -> Witch21:
        """A card lies open and has its effect (W10 to W15); the turn passes, unless the game ends or a trade begins."""
        options, phase, seat, _, counts, factions, hands, pile, played, by, past = self
        card, witch, partner = action.card, action.witch, action.partner
        accused = WITCH[card]
        if accused:
            counts = replaced(counts, accused - 1, counts[accused - 1] + VALUE[card])
        elif witch is not None:
            counts = replaced(counts, witch - 1, max(0, counts[witch - 1] - 2))
            past = past._replace(alibis=(*past.alibis, witch))
        elif partner is not None:
            phase = TRADE_PICK
        table.announce(CardPlayed(seat, card, witch, partner, counts))
        hands, played, by = replaced(hands, seat, without(hands[seat], card)), (*played, card), (*by, seat)
        after = Witch21(options, phase, seat, partner, counts, factions, hands, pile, played, by, past)
        if accused and counts[accused - 1] >= LIMIT:  # W11
            return after._judged(table)
        return after if phase is TRADE_PICK else after._next_turn(table)

    def _with_swap(self, given: Give, actions: Mapping[Seat, Action], table: Table[Event]) -> Witch21:
        """The two of a trade have swapped the cards that they chose (W14)."""
        actor, partner, hands, past = self.turn, self.partner, self.hands, self.past
        assert partner is not None
        received = actions[partner]
        assert isinstance(received, Give)
        table.announce(CardsSwapped(actor, partner))
        for seat, gone, come in ((actor, given.card, received.card), (partner, received.card, given.card)):
            table.whisper(seat, SwapSeen(gone, come))
            hands = replaced(hands, seat, in_order((*without(hands[seat], gone), come)))
            past = past._replace(
                given=replaced(past.given, seat, (*past.given[seat], gone)),
                received=replaced(past.received, seat, (*past.received[seat], come)),
            )
        places, partners = (*past.swap_places, len(self.played) - 1), (*past.swap_partners, partner)
        past = past._replace(swap_places=places, swap_partners=partners)
        return self._replace(phase=PLAY, partner=None, hands=hands, past=past)

    def _next_turn(self, table: Table[Event]) -> Witch21:
        """The turn passes to the next seat that can play, with a draw before or after (W10, W16, W17)."""
        draws_first = self.options.draw_timing is DRAW_FIRST
        after = self if draws_first else self._with_draw(table)
        options, phase, seat, partner, counts, factions, hands, pile, played, by, past = after
        for step in range(1, len(hands) + 1):
            turn = (seat + step) % len(hands)
            if hands[turn] or (draws_first and pile):
                after = Witch21(options, phase, turn, partner, counts, factions, hands, pile, played, by, past)
                return after._with_draw(table) if draws_first else after
        return after._judged(table)  # W18

    def _with_draw(self, table: Table[Event]) -> Witch21:
        """The seat whose turn it is has drawn a card, if there is one."""
        options, phase, seat, partner, counts, factions, hands, pile, played, by, past = self
        if not pile:
            return self
        card, pile = pile[0], pile[1:]
        table.announce(_card_drawn(seat, len(pile)))
        table.whisper(seat, _cards_dealt((card,)))
        hands = replaced(hands, seat, in_order((*hands[seat], card)))
        start, alibis, places, partners, dealt, given, received = past
        past = Past(start, alibis, places, partners, replaced(dealt, seat, (*dealt[seat], card)), given, received)
        return Witch21(options, phase, seat, partner, counts, factions, hands, pile, played, by, past)

    def _judged(self, table: Table[Event]) -> Witch21:
        """The game is over."""
        after = self._replace(phase=OVER)
        shown = after.view(None)
        table.announce(GameJudged(self.factions, shown.hand_sizes, shown.last_hands, *after.verdict()))
        return after


def in_order(cards: Sequence[Card]) -> tuple[Card, ...]:
    """A hand in ASCII order of the texts."""
    return tuple(sorted(cards, key=_ASCII_RANK.__getitem__))


from croupier_server.games.witch21_worlds import world  # noqa: E402  # which needs all of the above

GAME = Game(
    id="witch21",
    title="The 21-count witch hunt",
    seats=(3, 4, 6),
    options=Options,
    variants={
        "standard": Options(),
        "blind": Options(blind=True),
        "draw3": Options(draw3=True),
        "blind-draw3": Options(blind=True, draw3=True),
        "draw3-first": Options(draw3=True, draw_timing=DRAW_FIRST, strategy=Strategy(alibi=4, trade=4, hush=4)),
        "mild-verdict": Options(
            own_overshoot_low_card=OwnOvershoot.HIGHEST_COUNT_WINS, neutral_witch_spoils=False, deck=PURE_DECK
        ),
        "own-deck": Options(deck=(*KINDS, TRADE), start_count=7, start_seat=0),
    },
    check=check,
    deal=Witch21.deal,
    world=world,
    actions=(Choose, Play, Give),
    observation=Observation,
    events=get_args(Event),
    action_text=action_text,
    parse_action=parse_action,
    item_text=lambda item: item if isinstance(item, str) else CARDS.text(item),
    simultaneous=True,
)
