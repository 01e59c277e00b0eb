"""The 21-count witch hunt: informers raise the counts of three witches, and the first at 21 is hunted, or saved.

What decides is who took her there, with which card, and how the other counts stand. The rules, numbered W1 to W24 as
cited here, are in docs/rules/witch21.md; the messages that the classes below mirror are in witch21.proto.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from enum import Enum
from functools import cache
from typing import Annotated, NamedTuple, TypeAlias, get_args

from croupier_server.rules import Codes, Game, OptionsError, Outcome, Seat, Table, check_within, replaced, without

# Cards and witches are their numbers on the wire (W1); equal cards have one number, and 0 stands for "no witch".
_INFORMERS = [f"{witch}{value}" for witch in "RBG" for value in range(1, 6)]
CARDS = Codes("Card", (*_INFORMERS, "alibi", "trade", "hush"), (*_INFORMERS, "ALIBI", "TRADE", "HUSH"))
WITCHES = Codes("Witch", ("R", "B", "G"), ("RED", "BLUE", "GREEN"))
Card: TypeAlias = Annotated[int, CARDS]
Witch: TypeAlias = Annotated[int, WITCHES]

KINDS = tuple(range(1, 19))
ALIBI, TRADE, HUSH = 16, 17, 18
RED, BLUE, GREEN = 1, 2, 3
WITCH = (0, *[RED] * 5, *[BLUE] * 5, *[GREEN] * 5, 0, 0, 0)  # by card
VALUE = (0, *[1, 2, 3, 4, 5] * 3, 0, 0, 0)  # by card
FIVES = frozenset({5, 10, 15})
LIMIT = 21
COPIES = {3: 1, 4: 2, 6: 2}  # faction cards of each witch, by number of seats (W2)


def _deck(*copies: int, alibi: int, trade: int, hush: int) -> tuple[Card, ...]:
    """For each witch so many cards of the values 1 to 5, and strategy cards; in canonical order."""
    number = (0, *copies * 3, alibi, trade, hush)
    return tuple([card for card in KINDS for _ in range(number[card])])


DEFAULT_DECK = _deck(1, 4, 1, 3, 1, alibi=2, trade=2, hush=2)
PURE_DECK = _deck(1, 5, 1, 4, 1, alibi=0, trade=0, hush=0)


@dataclass(frozen=True, slots=True)
class Strategy:
    """How many of each strategy card the default deck holds (W1)."""

    alibi: int
    trade: int
    hush: int


class DrawTiming(Enum):
    """When cards are drawn in the game with a pile (W16, W17)."""

    AFTER_OWN_PLAY = 1
    BEFORE_OWN_PLAY = 2


class OwnOvershoot(Enum):
    """What happens when a believer takes its own witch to 22 or 23 with a low card (W19)."""

    FACTION_LOSES = 1
    HIGHEST_COUNT_WINS = 2


@dataclass(frozen=True, slots=True)
class Options:
    """The rules in force. Raises OptionsError for a `strategy` that cannot be."""

    blind: bool = False  # factions are dealt in secret (W5)
    draw3: bool = False  # three cards in hand, and a pile (W7)
    draw_timing: DrawTiming = DrawTiming.AFTER_OWN_PLAY
    own_overshoot_low_card: OwnOvershoot = OwnOvershoot.FACTION_LOSES
    neutral_witch_spoils: bool = True  # whether a witch without believers is compared (W20)
    deck: tuple[Card, ...] = field(default=DEFAULT_DECK, metadata={"default": DEFAULT_DECK, "pure": PURE_DECK})
    start_count: int = 0
    start_seat: int | None = None  # None: chance decides (W3)
    strategy: InitVar[Strategy | None] = None

    def __post_init__(self, strategy: Strategy | None) -> None:
        deck = self.deck
        if strategy is not None:
            if deck is not DEFAULT_DECK:  # a list of the same cards is another deck
                raise OptionsError("strategy", "witch21: strategy is for the default deck; expected no other deck")
            if min(strategy.alibi, strategy.trade, strategy.hush) < 0:
                raise OptionsError("strategy", f"witch21: {strategy} is not possible; expected 0 or more of each")
            deck = _deck(1, 4, 1, 3, 1, alibi=strategy.alibi, trade=strategy.trade, hush=strategy.hush)
        object.__setattr__(self, "deck", tuple(sorted(deck)))


def check(options: Options, seats: int) -> None:
    """Refuses options that the rules do not have; raises OptionsError."""
    check_within("witch21", "start_count", options.start_count, 0, LIMIT - 1)
    if options.start_seat is not None:
        check_within("witch21", "start_seat", options.start_seat, 0, seats - 1)
    least = 3 * seats if options.draw3 else seats
    if len(options.deck) < least:
        raise OptionsError("deck", f"witch21: found a deck of {len(options.deck)} cards; expected at least {least}")


class Phase(Enum):
    """What is being decided."""

    CHOOSE = 1
    PLAY = 2
    TRADE = 3
    OVER = 4


@dataclass(frozen=True, slots=True)
class Choose:
    """A faction to join (W4)."""

    witch: Witch


@dataclass(frozen=True, slots=True)
class Play:
    """A card to play (W10 to W15)."""

    card: Card
    witch: Witch | None  # with an alibi, else None
    partner: Seat | None  # with a trade that finds one, else None


@dataclass(frozen=True, slots=True)
class Give:
    """A card for the other seat of a trade (W14)."""

    card: Card


Action: TypeAlias = Choose | Play | Give


def action_text(action: Action) -> str:
    """The notation of an action; raises ValueError for a number that is no card or witch."""
    match action:
        case Choose(witch):
            return f"choose {WITCHES.text(witch)}"
        case Give(card):
            return f"give {CARDS.text(card)}"
        case Play(card, witch, partner):
            named = "" if witch is None else f" {WITCHES.text(witch)}"
            return f"play {CARDS.text(card)}{named}{'' if partner is None else f' {partner}'}"


def parse_action(text: str) -> Action:
    """The action that a notation names, legal or not; raises ValueError that says what was found and expected."""
    match text.split(" "):
        case ["choose", witch]:
            return Choose(WITCHES.parse(witch))
        case ["give", card]:
            return Give(CARDS.parse(card))
        case ["play", "trade", seat] if seat in _SEAT_TEXTS:
            return Play(TRADE, None, int(seat))
        case ["play", "alibi", witch]:
            return Play(ALIBI, WITCHES.parse(witch), None)
        case ["play", card]:
            return Play(CARDS.parse(card), None, None)
        case _:
            expected = "'choose WITCH', 'play CARD', 'play alibi WITCH', 'play trade SEAT' or 'give CARD'"
            raise ValueError(f"{text!r} is no action: expected {expected}")


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one seat (or a spectator) has been told; every field is explained in witch21.proto."""

    seat: Seat | None
    phase: Phase
    turn: Seat
    partner: Seat | None
    counts: tuple[int, ...]
    start_seat: Seat
    faction: Witch | None
    factions: tuple[Witch, ...]
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    pile_size: int
    played_cards: tuple[Card, ...]
    played_by: tuple[Seat, ...]
    alibi_witches: tuple[Witch, ...]
    swap_places: tuple[int, ...]
    swap_partners: tuple[Seat, ...]
    dealt_cards: tuple[Card, ...]
    given_cards: tuple[Card, ...]
    received_cards: tuple[Card, ...]
    last_hands: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class GameBegan:
    """The game begins. Told to all."""

    start_seat: Seat


@dataclass(frozen=True, slots=True)
class FactionJoined:
    """A seat has its faction. Told to all when it was chosen, to the seat alone when it was dealt."""

    seat: Seat
    witch: Witch


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """Cards from the deck: the reader's hand, later each card that it draws. Told to it alone."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played. Told to all."""

    seat: Seat
    card: Card
    witch: Witch | None
    partner: Seat | None
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardsSwapped:
    """Two seats swapped a card each. Told to all."""

    seat: Seat
    partner: Seat


@dataclass(frozen=True, slots=True)
class SwapSeen:
    """Which card the reader gave and received. Told to each of the two seats for itself."""

    given: Card
    received: Card


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card was drawn from the pile. Told to all."""

    seat: Seat
    pile_size: int


@dataclass(frozen=True, slots=True)
class GameJudged:
    """The game is over: what the verdict rests on, and the verdict. Told to all."""

    factions: tuple[Witch, ...]
    hand_sizes: tuple[int, ...]
    hands: tuple[Card, ...]
    accused: Witch | None
    favoured_witches: tuple[Witch, ...]
    winners: tuple[Seat, ...]


Event: TypeAlias = (
    GameBegan | FactionJoined | CardsDealt | CardPlayed | CardsSwapped | SwapSeen | CardDrawn | GameJudged
)

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
_SEAT_TEXTS = [str(seat) for seat in range(6)]


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
        favoured: list[Witch]
        if accused == factions[finisher] and VALUE[card] <= 3 and (overshoot_wins or counts[accused - 1] == LIMIT):
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
        after = self._replace(phase=PLAY, hands=tuple(map(_in_order, dealt)), pile=pile, past=past)
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
            hands = replaced(hands, seat, _in_order((*without(hands[seat], gone), come)))
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
        hands = replaced(hands, seat, _in_order((*hands[seat], card)))
        past = past._replace(dealt=replaced(past.dealt, seat, (*past.dealt[seat], card)))
        return Witch21(options, phase, seat, partner, counts, factions, hands, pile, played, by, past)

    def _judged(self, table: Table[Event]) -> Witch21:
        """The game is over."""
        after = self._replace(phase=OVER)
        shown = after.view(None)
        table.announce(GameJudged(self.factions, shown.hand_sizes, shown.last_hands, *after.verdict()))
        return after


def _in_order(cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=_ASCII_RANK.__getitem__))


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
    actions=(Choose, Play, Give),
    observation=Observation,
    events=get_args(Event),
    action_text=action_text,
    parse_action=parse_action,
    item_text=lambda item: item if isinstance(item, str) else CARDS.text(item),
    simultaneous=True,
)
