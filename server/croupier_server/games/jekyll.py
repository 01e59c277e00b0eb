"""Jekyll vs. Hyde: a trick-taking duel of two over three rounds.

Hyde wants to win many more tricks than Jekyll, or many fewer; Jekyll wants to stay level. The rules, numbered J1 to J23
as cited here, are in docs/rules/jekyll.md; the messages that the classes below mirror are in jekyll.proto.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import combinations
from typing import Annotated, NamedTuple, TypeAlias

from croupier_server.rules import Codes, Game, OptionsError, Outcome, Seat, Table, replaced, without

# Cards and colours are their numbers on the wire (J1); 0 stands for "no colour".
_EVIL = [f"{colour}{n}" for colour in "PRG" for n in range(1, 8)]
CARDS = Codes("Card", (*_EVIL, "2+", "3+", "4+", "5+"), (*_EVIL, "POTION_2", "POTION_3", "POTION_4", "POTION_5"))
COLOURS = Codes("Colour", ("P", "R", "G"), ("PURPLE", "RED", "GREEN"))
Card: TypeAlias = Annotated[int, CARDS]
Colour: TypeAlias = Annotated[int, COLOURS]

DECK = tuple(range(1, 26))
FIRST_POTION = 22
PURPLE, RED, GREEN = 1, 2, 3
COLOUR = (0, *[PURPLE] * 7, *[RED] * 7, *[GREEN] * 7, *[0] * 4)  # by card
HALVES = (0, *[2 * n for n in range(1, 8)] * 3, *[2 * n + 1 for n in range(2, 6)])  # by card: its number in halves
SEATS = JEKYLL, HYDE = 0, 1
HAND_SIZE = 10
LAST_ROUND = 3
HYDE_WINS_AT = 10


class GreedChoice(Enum):
    """Who chooses the cards that a green effect swaps (J17)."""

    OWNER = 1
    RANDOM = 2


class GreedShort(Enum):
    """What a green effect does when hands hold fewer cards than it swaps (J17)."""

    AS_MANY_AS_POSSIBLE = 1
    NONE = 2


@dataclass(frozen=True, slots=True)
class Options:
    """The rules in force."""

    greed_count: int = 2  # cards a seat gives in a green effect: 1 or 2 (J17)
    greed_choice: GreedChoice = GreedChoice.OWNER
    greed_short: GreedShort = GreedShort.AS_MANY_AS_POSSIBLE
    wrath_reseeds: bool = False  # whether red is the weakest colour after a red effect (J16)


def check(options: Options, _seats: int) -> None:
    """Refuses options that the rules do not have; raises OptionsError."""
    if (count := options.greed_count) not in (1, 2):
        raise OptionsError("greed_count", f"jekyll: greed_count = {count} is not possible; expected 1 or 2")


@dataclass(frozen=True, slots=True)
class Give:
    """Cards for the other seat, in an exchange (J5) or a green effect (J17)."""

    cards: tuple[Card, ...]  # in canonical order


@dataclass(frozen=True, slots=True)
class Play:
    """A card for the trick (J9 to J11)."""

    card: Card
    colour: Colour | None  # named with a led potion, else None


Action: TypeAlias = Give | Play


def action_text(action: Action) -> str:
    """The notation of an action; raises ValueError for a number that is no card or colour."""
    if isinstance(action, Give):
        return " ".join(["give", *map(CARDS.text, action.cards)])
    named = "" if action.colour is None else f" {COLOURS.text(action.colour)}"
    return f"play {CARDS.text(action.card)}{named}"


def parse_action(text: str) -> Action:
    """The action that a notation names, legal or not; raises ValueError that says what was found and expected."""
    match text.split(" "):
        case ["give", first, *more]:
            return Give(tuple([CARDS.parse(word) for word in (first, *more)]))
        case ["play", card]:
            return Play(CARDS.parse(card), None)
        case ["play", card, colour]:
            return Play(CARDS.parse(card), COLOURS.parse(colour))
        case _:
            raise ValueError(f"{text!r} is no action: expected 'give CARD ...', 'play CARD' or 'play POTION COLOUR'")


# Every action is made once, and every list of actions stands in ASCII order of the texts: potions, green, purple, red.
_ASCII_RANK = (0, *[sorted(CARDS.texts).index(text) for text in CARDS.texts])  # by card
_LEADS = ((), *[(Play(c, None),) if COLOUR[c] else tuple([Play(c, n) for n in (GREEN, PURPLE, RED)]) for c in DECK])
_ANSWERS = (Play(0, None), *[Play(card, None) for card in DECK])  # by card
_GIVES = sorted([Give(cards) for n in range(1, 4) for cards in combinations(DECK, n)], key=action_text)
_GIVE_RANK = {give.cards: rank for rank, give in enumerate(_GIVES)}


class Phase(Enum):
    """What is being decided."""

    EXCHANGE = 1
    LEAD = 2
    FOLLOW = 3
    GREED = 4
    OVER = 5


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one seat (or a spectator) has been told; every field is explained in jekyll.proto."""

    seat: Seat | None
    phase: Phase
    round: int
    marker: int
    leader: Seat
    tricks: tuple[int, ...]
    rank_row: tuple[Colour, ...]
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    led_card: Card | None
    led_colour: Colour | None
    played_cards: tuple[Card, ...]
    played_by: tuple[Seat, ...]
    named_colours: tuple[Colour, ...]
    trick_winners: tuple[Seat, ...]
    round_markers: tuple[int, ...]
    swap_sizes: tuple[int, ...]
    swap_times: tuple[int, ...]
    dealt_cards: tuple[Card, ...]
    given_cards: tuple[Card, ...]
    received_cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round begins. Told to all."""

    round: int
    leader: Seat


@dataclass(frozen=True, slots=True)
class HandDealt:
    """The reader's hand. Told to its owner."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsSwapped:
    """Each seat gave `count` cards to the other. Told to all."""

    count: int


@dataclass(frozen=True, slots=True)
class SwapSeen:
    """Which cards the reader gave and received. Told to each seat for itself."""

    given: tuple[Card, ...]
    received: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played. Told to all."""

    seat: Seat
    card: Card
    colour: Colour | None


@dataclass(frozen=True, slots=True)
class RowChanged:
    """The colours that now have a rank, weakest first. Told to all."""

    rank_row: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick was won. Told to all."""

    winner: Seat
    stolen: bool  # whether a purple effect also took a trick from the loser
    tricks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round ended. Told to all."""

    round: int
    marker: int


Event: TypeAlias = RoundBegan | HandDealt | CardsSwapped | SwapSeen | CardPlayed | RowChanged | TrickWon | RoundEnded


EXCHANGE, LEAD, FOLLOW, GREED, OVER = Phase  # plain names are read faster than attributes of an Enum
_card_played, _row_changed, _trick_won = cache(CardPlayed), cache(RowChanged), cache(TrickWon)  # few, and told often


class Plays(NamedTuple):
    """Every card played in the match, in order."""

    cards: tuple[Card, ...] = ()
    by: tuple[Seat, ...] = ()
    named: tuple[Colour, ...] = ()  # with each led potion


class Past(NamedTuple):
    """What happened between the tricks."""

    markers: tuple[int, ...] = ()  # after every finished round
    swap_sizes: tuple[int, ...] = ()
    swap_times: tuple[int, ...] = ()  # cards played in the match before each swap
    dealt: tuple[tuple[Card, ...], ...] = ((), ())  # by seat, secret but to it
    given: tuple[tuple[Card, ...], ...] = ((), ())  # by seat, secret but to the two


class Jekyll(NamedTuple):
    """A position. The five cards set aside are not even kept."""

    options: Options
    phase: Phase
    round: int
    leader: Seat  # of the trick in play, else of the next one
    tricks: tuple[int, ...]  # won in this round, by seat
    row: tuple[Colour, ...]  # colours with a rank, weakest first (J12)
    hands: tuple[tuple[Card, ...], ...]  # by seat, in canonical order; secret but to their owners
    plays: Plays
    winners: tuple[Seat, ...]  # of every finished trick of the match
    past: Past

    @classmethod
    def deal(cls, options: Options, _seats: int, table: Table[Event]) -> Jekyll:
        """The first position of a match."""
        return cls(options, OVER, 0, JEKYLL, (0, 0), (), ((), ()), Plays(), (), Past())._next_round(table)

    @property
    def marker(self) -> int:
        """How far the marker is from Jekyll's end (J2)."""
        return self.past.markers[-1] if self.past.markers else 0

    def to_act(self) -> tuple[Seat, ...]:
        """See `State.to_act`."""
        if self.phase is LEAD:
            return (self.leader,)
        if self.phase is FOLLOW:
            return (1 - self.leader,)
        return () if self.phase is OVER else SEATS

    def legal(self, seat: Seat) -> Sequence[Action]:
        """See `State.legal`."""
        if seat not in self.to_act():
            return ()
        phase, hand = self.phase, self.hands[seat]
        if phase is LEAD:  # J9
            return [play for card in sorted(hand, key=_ASCII_RANK.__getitem__) for play in _LEADS[card]]
        if phase is FOLLOW:
            colour, by_potion = self._wanted()
            answers = [card for card in hand if COLOUR[card] == colour]
            if not answers:
                answers = sorted(hand, key=_ASCII_RANK.__getitem__)
            elif not by_potion:  # J10; a led potion allows no potion (J11)
                answers = [card for card in hand if card >= FIRST_POTION] + answers
            return [_ANSWERS[card] for card in answers]
        last = FIRST_POTION if phase is EXCHANGE and hand[-2] >= FIRST_POTION else 1  # J6; potions stand last
        ranks = [_GIVE_RANK[cards] for cards in combinations(hand, self._gift_size()) if cards[-1] >= last]
        return [_GIVES[rank] for rank in sorted(ranks)]

    def broken_rule(self, seat: Seat, action: Action) -> str:
        """See `State.broken_rule`; raises ValueError for a legal action."""
        if seat not in self.to_act():
            return "J4: this seat has no decision to make now"
        asked = Play if self.phase in (LEAD, FOLLOW) else Give
        if not isinstance(action, asked):
            return f"J4: found {type(action).__name__.lower()}, this is the time to {asked.__name__.lower()} cards"
        for card in action.cards if isinstance(action, Give) else (action.card,):
            if card not in DECK:
                return f"J1: {card} is no card"
            if card not in self.hands[seat]:
                return f"J4: {CARDS.text(card)} is not in the seat's hand"
        broken = self._broken_by_play(seat, action) if isinstance(action, Play) else self._broken_by_gift(seat, action)
        if broken is None:
            raise ValueError(f"{action_text(action)!r} breaks no rule")
        return broken

    def play(self, actions: Mapping[Seat, Action], table: Table[Event]) -> Jekyll:
        """See `State.play`."""
        if self.phase is LEAD or self.phase is FOLLOW:
            seat = self.leader if self.phase is LEAD else 1 - self.leader
            after = self._with_card(seat, actions[seat], table)
            return after if self.phase is LEAD else after._with_effect(table)
        gifts = [gift.cards for seat in SEATS if isinstance(gift := actions[seat], Give)]
        after = self._with_swap(gifts, table)
        return after._with_winner(table) if self.phase is GREED else after._replace(phase=LEAD)

    def view(self, viewer: Seat | None) -> Observation:
        """See `State.view`."""
        plays, past = self.plays, self.past
        open_lead = self.phase is FOLLOW
        colour, by_potion = self._wanted() if open_lead else (None, False)
        return Observation(
            viewer,
            self.phase,
            self.round,
            self.marker,
            self.leader,
            self.tricks,
            self.row,
            () if viewer is None else self.hands[viewer],
            (len(self.hands[JEKYLL]), len(self.hands[HYDE])),
            plays.cards[-1] if open_lead else None,
            colour if by_potion else None,
            plays.cards,
            plays.by,
            plays.named,
            self.winners,
            past.markers,
            past.swap_sizes,
            past.swap_times,
            () if viewer is None else past.dealt[viewer],
            () if viewer is None else past.given[viewer],
            () if viewer is None else past.given[1 - viewer],
        )

    def outcome(self) -> Outcome | None:
        """See `State.outcome`."""
        if self.phase is not OVER:
            return None
        return Outcome.by_score((0, 1) if self.marker >= HYDE_WINS_AT else (1, 0))  # J22

    def _wanted(self) -> tuple[Colour, bool]:
        """The colour to follow, and whether a potion that names it was led."""
        led = COLOUR[self.plays.cards[-1]]
        return (led, False) if led else (self.plays.named[-1], True)

    def _gift_size(self) -> int:
        """How many cards a seat gives: in an exchange (J5), or in a green effect of the trick in play (J17)."""
        if self.phase is EXCHANGE:
            return self.round
        wanted, left = self.options.greed_count, len(self.hands[JEKYLL])
        return 0 if left < wanted and self.options.greed_short is GreedShort.NONE else min(wanted, left)

    def _broken_by_play(self, seat: Seat, action: Play) -> str | None:
        text, own = CARDS.text(action.card), COLOUR[action.card]
        if self.phase is LEAD:
            if own:
                return None if action.colour is None else f"J9: {text} has a colour, so none is named with it"
            return None if action.colour in (PURPLE, RED, GREEN) else f"J9: {text} is led without naming P, R or G"
        if action.colour is not None:
            return "J9: only the leader names a colour"
        colour, by_potion = self._wanted()
        if own == colour or colour not in [COLOUR[card] for card in self.hands[seat]]:
            return None
        if by_potion:
            return f"J11: the potion names {COLOURS.text(colour)}, which the hand has, so {text} cannot answer"
        return f"J10: {COLOURS.text(colour)} is led, which the hand has, so {text} cannot answer" if own else None

    def _broken_by_gift(self, seat: Seat, action: Give) -> str | None:
        size, cards, exchange = self._gift_size(), action.cards, self.phase is EXCHANGE
        if len(cards) != size:
            return f"{'J5' if exchange else 'J17'}: exactly {size} to give, found {len(cards)}"
        if list(cards) != sorted(set(cards)):
            return "J4: the cards of a gift stand in canonical order, each once"
        if exchange and self.hands[seat][-2] >= FIRST_POTION > cards[-1]:
            return "J6: the hand has two potions or more, so one of the cards given must be a potion"
        return None

    def _with_card(self, seat: Seat, action: Action, table: Table[Event]) -> Jekyll:
        """A card lies on the table, ranked (J12) but not resolved."""
        assert isinstance(action, Play)
        card, named = action.card, action.colour
        table.announce(_card_played(seat, card, named))
        colour, row = COLOUR[card], self.row
        if colour and colour not in row:
            row = (row[0], colour, 6 - row[0] - colour) if row else (colour,)  # 6 = purple + red + green
            table.announce(_row_changed(row))
        hands = replaced(self.hands, seat, without(self.hands[seat], card))
        cards, by, names = self.plays
        plays = Plays((*cards, card), (*by, seat), (*names, named) if named else names)
        options, _, number, leader, tricks, _, _, _, winners, past = self
        return Jekyll(options, FOLLOW, number, leader, tricks, row, hands, plays, winners, past)

    def _effect(self) -> Colour:
        """The colour beside the only potion of the trick in play (J15), else 0."""
        led, answer = self.plays.cards[-2:]
        return 0 if COLOUR[led] and COLOUR[answer] else COLOUR[led] + COLOUR[answer]

    def _with_effect(self, table: Table[Event]) -> Jekyll:
        """Both cards are on the table: a potion takes effect, and the trick is won unless seats must choose first."""
        effect = self._effect()
        if effect == RED:  # J16
            row = (RED,) if self.options.wrath_reseeds else ()
            if row != self.row:
                table.announce(_row_changed(row))
            return self._replace(row=row)._with_winner(table)
        if effect == GREEN and (size := self._gift_size()):  # J17
            if self.options.greed_choice is GreedChoice.OWNER:
                return self._replace(phase=GREED)
            label = f"greed {self.round}.{sum(self.tricks) + 1}"
            shuffled = [table.chance.shuffle(f"{label}.{seat}", self.hands[seat]) for seat in SEATS]
            return self._with_swap([cards[:size] for cards in shuffled], table)._with_winner(table)
        return self._with_winner(table)

    def _with_swap(self, gifts: Sequence[Sequence[Card]], table: Table[Event]) -> Jekyll:
        """The seats give each other cards (J7, J17)."""
        from_jekyll, from_hyde = [tuple(sorted(cards)) for cards in gifts]
        table.announce(CardsSwapped(len(from_jekyll)))
        table.whisper(JEKYLL, SwapSeen(from_jekyll, from_hyde))
        table.whisper(HYDE, SwapSeen(from_hyde, from_jekyll))
        moved, past = {*from_jekyll, *from_hyde}, self.past
        return self._replace(
            hands=tuple([tuple(sorted(moved.symmetric_difference(hand))) for hand in self.hands]),
            past=past._replace(
                swap_sizes=(*past.swap_sizes, len(from_jekyll)),
                swap_times=(*past.swap_times, len(self.plays.cards)),
                given=(past.given[JEKYLL] + from_jekyll, past.given[HYDE] + from_hyde),
            ),
        )

    def _with_winner(self, table: Table[Event]) -> Jekyll:
        """The trick is won (J13 to J20), and after the tenth the round ends."""
        options, _, number, leader, (jekyll, hyde), row, hands, plays, winners, past = self
        led, answer = plays.cards[-2:]
        if COLOUR[led] and COLOUR[answer] and COLOUR[led] != COLOUR[answer]:  # J14
            led_wins = row.index(COLOUR[led]) > row.index(COLOUR[answer])
        else:  # J13, J15, J19
            led_wins = HALVES[led] > HALVES[answer]
        winner = leader if led_wins else 1 - leader
        stolen = self._effect() == PURPLE and (hyde if winner == JEKYLL else jekyll) > 0  # J18
        tricks = (jekyll + 1 + stolen, hyde - stolen) if winner == JEKYLL else (jekyll - stolen, hyde + 1 + stolen)
        table.announce(_trick_won(winner, stolen, tricks))
        after = Jekyll(options, LEAD, number, winner, tricks, row, hands, plays, (*winners, winner), past)  # J20
        return after if hands[JEKYLL] else after._with_progress(table)

    def _with_progress(self, table: Table[Event]) -> Jekyll:
        """The round is over: the marker moves (J21), and the game ends (J22) or goes on."""
        marker = self.marker + abs(self.tricks[JEKYLL] - self.tricks[HYDE])
        table.announce(RoundEnded(self.round, marker))
        after = self._replace(phase=OVER, past=self.past._replace(markers=(*self.past.markers, marker)))
        return after if marker >= HYDE_WINS_AT or self.round == LAST_ROUND else after._next_round(table)

    def _next_round(self, table: Table[Event]) -> Jekyll:
        """A round is dealt (J3)."""
        number = self.round + 1
        leader = JEKYLL if self.marker <= 5 else HYDE  # J8
        table.announce(RoundBegan(number, leader))
        deck = table.chance.shuffle(f"deal {number}", DECK)
        hands = tuple([tuple(sorted(deck[HAND_SIZE * seat : HAND_SIZE * (seat + 1)])) for seat in SEATS])
        for seat in SEATS:
            table.whisper(seat, HandDealt(hands[seat]))
        past = self.past._replace(dealt=tuple([self.past.dealt[seat] + hands[seat] for seat in SEATS]))
        return Jekyll(self.options, EXCHANGE, number, leader, (0, 0), (), hands, self.plays, self.winners, past)


from croupier_server.games.jekyll_worlds import world  # noqa: E402  # which needs all of the above

GAME = Game(
    id="jekyll",
    title="Jekyll vs. Hyde",
    seats=(2,),
    options=Options,
    variants={
        "standard": Options(),
        "greed-one": Options(greed_count=1),
        "greed-random": Options(greed_choice=GreedChoice.RANDOM),
        "greed-none": Options(greed_short=GreedShort.NONE),
        "wrath-reseeds": Options(wrath_reseeds=True),
    },
    check=check,
    deal=Jekyll.deal,
    world=world,
    actions=(Give, Play),
    observation=Observation,
    events=(RoundBegan, HandDealt, CardsSwapped, SwapSeen, CardPlayed, RowChanged, TrickWon, RoundEnded),
    action_text=action_text,
    parse_action=parse_action,
    item_text=CARDS.text,
    simultaneous=True,
)
