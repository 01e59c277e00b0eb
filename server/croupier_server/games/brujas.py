"""Brujas del Sabado: tricks whose rule, colour or number, is made by whoever first matches half of the led card.

The trick's winner moves a witch, everybody drafts a card of the trick, and what lies open at the end counts. The rules,
numbered S1 to S21 as cited here, are in docs/rules/brujas.md; the messages that the classes below mirror are in
brujas.proto.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from typing import Annotated, NamedTuple, TypeAlias

from croupier_server.rules import Codes, Game, Outcome, Seat, Table, check_within, replaced, without

# Cards and colours are their numbers on the wire (S1); twins have one number.
_TEXTS = tuple([f"{colour}{value}" for colour in "RBYG" for value in range(1, 6)])
CARDS = Codes("Card", _TEXTS, _TEXTS)
COLOURS = Codes("Colour", ("R", "B", "Y", "G"), ("RED", "BLUE", "YELLOW", "GREEN"))
Card: TypeAlias = Annotated[int, CARDS]
Colour: TypeAlias = Annotated[int, COLOURS]

KINDS = tuple(range(1, 21))
DECK = tuple([card for card in KINDS for _twin in range(2)])
COLOUR = (0, *[(card - 1) // 5 + 1 for card in KINDS])  # by card
VALUE = (0, *[(card - 1) % 5 + 1 for card in KINDS])  # by card
SLOTS = (5, 3, 2, 1)  # points, from top to bottom
HAND_SIZES = {3: 13, 4: 10, 5: 8}  # by number of seats


@dataclass(frozen=True, slots=True)
class Options:
    """The rules in force."""

    start_seat: int | None = None  # the seat that leads the first trick; None: chance decides (S4)


def check(options: Options, seats: int) -> None:
    """Refuses options that the rules do not have; raises OptionsError."""
    if options.start_seat is not None:
        check_within("brujas", "start_seat", options.start_seat, 0, seats - 1)


class Direction(Enum):
    """Where a witch goes on the track."""

    UP = 1
    DOWN = 2


class Rule(Enum):
    """What cards of a trick must share with the led one."""

    UNDECIDED = 1
    COLOUR = 2
    NUMBER = 3


class Phase(Enum):
    """What is being decided."""

    PLAY = 1
    MOVE_WITCH = 2
    DRAFT = 3
    OVER = 4


@dataclass(frozen=True, slots=True)
class Play:
    """A card for the trick (S6 to S9)."""

    card: Card


@dataclass(frozen=True, slots=True)
class MoveWitch:
    """A move of the witch in the winning card's colour (S14)."""

    direction: Direction


@dataclass(frozen=True, slots=True)
class Take:
    """A card of the trick for oneself (S15)."""

    card: Card


Action: TypeAlias = Play | MoveWitch | Take


def action_text(action: Action) -> str:
    """The notation of an action; raises ValueError for a number that is no card."""
    match action:
        case Play(card):
            return f"play {CARDS.text(card)}"
        case MoveWitch(direction):
            return f"move {direction.name.lower()}"
        case Take(card):
            return f"take {CARDS.text(card)}"


def parse_action(text: str) -> Action:
    """The action that a notation names, legal or not; raises ValueError that says what was found and expected."""
    match text.split(" "):
        case ["play", card]:
            return Play(CARDS.parse(card))
        case ["move", "up"]:
            return MoveWitch(UP)
        case ["move", "down"]:
            return MoveWitch(DOWN)
        case ["take", card]:
            return Take(CARDS.parse(card))
        case _:
            raise ValueError(f"{text!r} is no action: expected 'play CARD', 'move up', 'move down' or 'take CARD'")


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one seat (or a spectator) has been told; every field is explained in brujas.proto."""

    seat: Seat | None
    phase: Phase
    turn: Seat
    track: tuple[Colour, ...]
    rule: Rule
    table: tuple[Card, ...]
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    first_track: tuple[Colour, ...]
    played_cards: tuple[Card, ...]
    played_by: tuple[Seat, ...]
    trick_winners: tuple[Seat, ...]
    moves: tuple[Direction, ...]
    taken_cards: tuple[Card, ...]
    taken_by: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class GameBegan:
    """The game begins. Told to all."""

    start_seat: Seat
    track: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class HandDealt:
    """The reader's hand. Told to its owner."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played. Told to all."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick was won. Told to all."""

    winner: Seat
    card: Card
    rule: Rule


@dataclass(frozen=True, slots=True)
class WitchMoved:
    """A witch moved. Told to all."""

    witch: Colour
    direction: Direction
    track: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class CardTaken:
    """A card was taken. Told to all."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class GameScored:
    """The game is over and counted. Told to all."""

    favourite_points: tuple[int, ...]
    majority_points: tuple[int, ...]


Event: TypeAlias = GameBegan | HandDealt | CardPlayed | TrickWon | WitchMoved | CardTaken | GameScored

UP, DOWN = Direction  # plain names are read faster than attributes of an Enum
UNDECIDED, BY_COLOUR, BY_NUMBER = Rule
PLAY, MOVE_WITCH, DRAFT, OVER = Phase
_card_played, _card_taken = cache(CardPlayed), cache(CardTaken)  # few, and told often
_trick_won, _witch_moved = cache(TrickWon), cache(WitchMoved)

# Every action is made once, and every list of actions stands in ASCII order of the texts: blue, green, red, yellow.
ASCII_RANK = (0, *[sorted(_TEXTS).index(text) for text in _TEXTS])  # by card
_PLAYS = (Play(0), *map(Play, KINDS))  # by card
_TAKES = (Take(0), *map(Take, KINDS))  # by card
_MOVES = ((MoveWitch(DOWN),), *[(MoveWitch(DOWN), MoveWitch(UP))] * 2, (MoveWitch(UP),))  # by slot from the top

# By led card: the cards that match it under each rule, and the rule that a card makes when it is the first to match.
_SAME_COLOUR = [frozenset([card for card in KINDS if COLOUR[card] == COLOUR[led]]) for led in (0, *KINDS)]
_SAME_NUMBER = [frozenset([card for card in KINDS if VALUE[card] == VALUE[led]]) for led in (0, *KINDS)]
_SAME_EITHER = [colour | number for colour, number in zip(_SAME_COLOUR, _SAME_NUMBER, strict=True)]


def matches(rule: Rule, led: Card) -> frozenset[Card]:
    """The cards that match the led one (S7 to S9)."""
    by_led = _SAME_EITHER if rule is UNDECIDED else _SAME_COLOUR if rule is BY_COLOUR else _SAME_NUMBER
    return by_led[led]


def _rule_made(led: Card, card: Card) -> Rule:
    """The rule of an undecided trick after one more card (S7)."""
    if (COLOUR[led] == COLOUR[card]) == (VALUE[led] == VALUE[card]):
        return UNDECIDED
    return BY_COLOUR if COLOUR[led] == COLOUR[card] else BY_NUMBER


RULE_MADE = [[_rule_made(led, card) for card in (0, *KINDS)] for led in (0, *KINDS)]


@lru_cache(1 << 10)
def _in_turn(seats: int, leaders: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Who plays, or takes, in rounds that these seats begin."""
    return tuple([(leader + i) % seats for leader in leaders for i in range(seats)])


class Brujas(NamedTuple):
    """A position. The card left over with three seats is not even kept."""

    phase: Phase
    turn: Seat  # who decides; when the game is over, the last winner
    rule: Rule  # of the trick in play
    track: tuple[Colour, ...]  # from top to bottom
    table: tuple[Card, ...]  # of the trick, in order of play; in the draft what is left
    hands: tuple[tuple[Card, ...], ...]  # by seat, in ASCII order of the texts; secret but to their owners
    first_track: tuple[Colour, ...]
    leaders: tuple[Seat, ...]  # of every trick; the winner of the last one as soon as it is won
    played: tuple[Card, ...]
    moves: tuple[Direction, ...]  # after every trick
    taken: tuple[Card, ...]

    @classmethod
    def deal(cls, options: Options, seats: int, table: Table[Event]) -> Brujas:
        """The first position of a match (S2 to S4)."""
        deck = table.chance.shuffle("deal", DECK)
        # Colours are shuffled as texts, which no card is taken for.
        track = tuple([COLOURS.parse(text) for text in table.chance.shuffle("track", COLOURS.texts)])
        start = table.chance.below("start", seats) if options.start_seat is None else options.start_seat
        table.announce(GameBegan(start, track))
        size = HAND_SIZES[seats]
        hands = [deck[size * seat : size * (seat + 1)] for seat in range(seats)]
        for seat, hand in enumerate(hands):
            table.whisper(seat, HandDealt(tuple(sorted(hand))))
        in_order = tuple([tuple(sorted(hand, key=ASCII_RANK.__getitem__)) for hand in hands])
        return cls(PLAY, start, UNDECIDED, track, (), in_order, track, (start,), (), (), ())

    def to_act(self) -> tuple[Seat, ...]:
        """See `State.to_act`."""
        return () if self.phase is OVER else (self.turn,)

    def legal(self, seat: Seat) -> Sequence[Action]:
        """See `State.legal`."""
        phase, table = self.phase, self.table
        if seat != self.turn or phase is OVER:
            return ()
        if phase is PLAY:
            hand: Sequence[Card] = self.hands[seat]
            if table:
                same = matches(self.rule, table[0])
                hand = [card for card in hand if card in same] or hand
            return [_PLAYS[card] for card in dict.fromkeys(hand)]
        if phase is DRAFT:
            return [_TAKES[card] for card in sorted(set(table), key=ASCII_RANK.__getitem__)]
        return _MOVES[self.track.index(COLOUR[self._winning_card()])]

    def broken_rule(self, seat: Seat, action: Action) -> str:
        """See `State.broken_rule`; raises ValueError for a legal action."""
        phase = self.phase
        if seat != self.turn or phase is OVER:
            return "S5: this seat has no decision to make now"
        asked, words = {
            PLAY: (Play, "play a card"),
            MOVE_WITCH: (MoveWitch, "move a witch"),
            DRAFT: (Take, "take a card"),
        }[phase]
        if not isinstance(action, asked):
            return f"S5: this is the time to {words}"
        broken = None
        match action:
            case MoveWitch(direction):
                if action not in self.legal(seat):
                    broken = f"S14: there is no slot further {direction.name.lower()}"
            case Play(card) | Take(card):
                if card not in KINDS:
                    broken = f"S1: {card} is no card"
                elif isinstance(action, Play):
                    broken = self._broken_by_play(seat, card)
                elif card not in self.table:
                    broken = f"S15: {CARDS.text(card)} is not among the cards left of the trick"
        if broken is None:
            raise ValueError(f"{action_text(action)!r} breaks no rule")
        return broken

    def play(self, actions: Mapping[Seat, Action], table: Table[Event]) -> Brujas:
        """See `State.play`."""
        action = actions[self.turn]
        if isinstance(action, Play):
            return self._with_card(action.card, table)
        if isinstance(action, Take):
            return self._with_taken(action.card, table)
        return self._with_move(action.direction, table)

    def view(self, viewer: Seat | None) -> Observation:
        """See `State.view`."""
        seats = len(self.hands)
        return Observation(
            viewer,
            self.phase,
            self.turn,
            self.track,
            self.rule,
            self.table,
            () if viewer is None else tuple(sorted(self.hands[viewer])),
            tuple([len(hand) for hand in self.hands]),
            self.first_track,
            self.played,
            _in_turn(seats, self.leaders)[: len(self.played)],
            self.leaders[1:],
            self.moves,
            self.taken,
            _in_turn(seats, self.leaders[1:])[: len(self.taken)],
        )

    def outcome(self) -> Outcome | None:
        """See `State.outcome`."""
        if self.phase is not OVER:
            return None
        favourites, majorities = self.points()
        scores = tuple([sum(both) for both in zip(favourites, majorities, strict=True)])
        ranks = [(score, favourite) for score, favourite in zip(scores, favourites, strict=True)]  # S20
        return Outcome(scores, tuple([1 + sum(other > mine for other in ranks) for mine in ranks]))

    def points(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """By seat, for the favourite witch (S18) and for majorities (S19), as if the game ended now."""
        view = self.view(None)
        taken = list(zip(view.taken_cards, view.taken_by, strict=True))
        cards = [[card for card, by in taken if by == seat] for seat in range(len(self.hands))]
        colours = [[COLOUR[card] for card in own] for own in cards]
        numbers = [[VALUE[card] for card in own] for own in cards]
        favourites = []
        for own in colours:
            counts = [own.count(witch) for witch in self.track]
            favourites.append(SLOTS[counts.index(max(counts))])  # of several the highest, which stands first
        most = [max([own.count(value) for own in numbers]) for value in range(6)]
        majorities = [sum([2 for value in set(own) if own.count(value) == most[value]]) for own in numbers]
        return tuple(favourites), tuple(majorities)

    def _broken_by_play(self, seat: Seat, card: Card) -> str | None:
        hand, text = self.hands[seat], CARDS.text(card)
        if card not in hand:
            return f"S5: {text} is not in the seat's hand"
        if not self.table:
            return None
        same, led = matches(self.rule, self.table[0]), CARDS.text(self.table[0])
        if card in same or same.isdisjoint(hand):
            return None
        number, what = {
            UNDECIDED: ("S7", "colour or number"),
            BY_COLOUR: ("S8", "colour"),
            BY_NUMBER: ("S9", "number"),
        }[self.rule]
        return f"{number}: {text} does not share the {what} of {led}, which the hand can"

    def _winning_card(self) -> Card:
        """The card that won the trick whose witch is to move."""
        leader, winner = self.leaders[-2:]
        return self.table[(winner - leader) % len(self.hands)]

    def _with_card(self, card: Card, table: Table[Event]) -> Brujas:
        """One more card lies on the table, and the trick may be complete."""
        _, seat, rule, track, cards, hands, first_track, leaders, played, moves, taken = self
        table.announce(_card_played(seat, card))
        if rule is UNDECIDED and cards:
            rule = RULE_MADE[cards[0]][card]
        cards = (*cards, card)
        seats = len(hands)
        hands = replaced(hands, seat, without(hands[seat], card))
        phase, turn = PLAY, (seat + 1) % seats
        if len(cards) == seats:
            best = _best(cards, rule, track)
            phase, turn = MOVE_WITCH, (leaders[-1] + best) % seats
            leaders = (*leaders, turn)
            table.announce(_trick_won(turn, cards[best], rule))
        return Brujas(phase, turn, rule, track, cards, hands, first_track, leaders, (*played, card), moves, taken)

    def _with_move(self, direction: Direction, table: Table[Event]) -> Brujas:
        """A witch has changed places with its neighbour (S14)."""
        _, turn, rule, track, cards, hands, first_track, leaders, played, moves, taken = self
        witch = COLOUR[self._winning_card()]
        upper = track.index(witch) - (direction is UP)
        track = (*track[:upper], track[upper + 1], track[upper], *track[upper + 2 :])
        table.announce(_witch_moved(witch, direction, track))
        moves = (*moves, direction)
        return Brujas(DRAFT, turn, rule, track, cards, hands, first_track, leaders, played, moves, taken)

    def _with_taken(self, card: Card, table: Table[Event]) -> Brujas:
        """A card was taken; of two cards the other one goes to the next seat, and the trick is over (S15)."""
        phase, seat, rule, track, cards, hands, first_track, leaders, played, moves, taken = self
        table.announce(_card_taken(seat, card))
        turn = (seat + 1) % len(hands)
        cards, taken = without(cards, card), (*taken, card)
        if len(cards) == 1:
            table.announce(_card_taken(turn, cards[0]))
            cards, taken, turn = (), taken + cards, leaders[-1]  # S16
            phase, rule = (PLAY, UNDECIDED) if hands[0] else (OVER, rule)  # S17
        after = Brujas(phase, turn, rule, track, cards, hands, first_track, leaders, played, moves, taken)
        if phase is OVER:
            table.announce(GameScored(*after.points()))
        return after


def _best(cards: Sequence[Card], rule: Rule, track: Sequence[Colour]) -> int:
    """The place in the trick of the card that wins (S10 to S13)."""
    same, best, highest = matches(rule, cards[0]), 0, -1
    for place, card in enumerate(cards):
        if card in same:
            height = 0 if rule is UNDECIDED else VALUE[card] if rule is BY_COLOUR else 4 - track.index(COLOUR[card])
            if height >= highest:  # the later of twins wins
                best, highest = place, height
    return best


from croupier_server.games.brujas_worlds import world  # noqa: E402  # which needs all of the above

GAME = Game(
    id="brujas",
    title="Brujas del Sabado",
    seats=(3, 4, 5),
    options=Options,
    variants={"standard": Options(), "seat-0-starts": Options(start_seat=0)},
    check=check,
    deal=Brujas.deal,
    world=world,
    actions=(Play, MoveWitch, Take),
    observation=Observation,
    events=(GameBegan, HandDealt, CardPlayed, TrickWon, WitchMoved, CardTaken, GameScored),
    action_text=action_text,
    parse_action=parse_action,
    item_text=lambda item: item if isinstance(item, str) else CARDS.text(item),
    simultaneous=False,
)
