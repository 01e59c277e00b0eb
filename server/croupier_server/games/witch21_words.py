"""What is said in witch21, and in which words: cards, options, actions, views and events. No rules.

The classes mirror the messages of witch21.proto, which explains every field. Rules are cited as in witch21.py.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from enum import Enum
from typing import Annotated, TypeAlias

from croupier_server.rules import Codes, OptionsError, Seat, check_within

# Cards and witches are their numbers on the wire (W1); equal cards have one number, and 0 stands for "no witch".
_INFORMERS = [f"{witch}{value}" for witch in "RBG" for value in range(1, 6)]
CARDS = Codes("Card", (*_INFORMERS, "alibi", "trade", "hush"), (*_INFORMERS, "ALIBI", "TRADE", "HUSH"))
WITCHES = Codes("Witch", ("R", "B", "G"), ("RED", "BLUE", "GREEN"))
Card: TypeAlias = Annotated[int, CARDS]
Witch: TypeAlias = Annotated[int, WITCHES]

KINDS = tuple(range(1, 19))
ALIBI, TRADE, HUSH = 16, 17, 18
RED, BLUE, GREEN = 1, 2, 3
_SEATS = tuple("012345")


def _deck(*copies: int, alibi: int, trade: int, hush: int) -> tuple[Card, ...]:
    """For each witch so many cards of the values 1 to 5, and strategy cards; in canonical order."""
    number = (0, *copies * 3, alibi, trade, hush)
    return tuple([card for card in KINDS for _ in range(number[card])])


DEFAULT_DECK = _deck(1, 4, 1, 3, 1, alibi=2, trade=2, hush=2)
PURE_DECK = _deck(1, 5, 1, 4, 1, alibi=0, trade=0, hush=0)
DECKS = {"default": DEFAULT_DECK, "pure": PURE_DECK}


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
    draw_timing: DrawTiming = DrawTiming.AFTER_OWN_PLAY  # when a seat draws from the pile (W16, W17)
    own_overshoot_low_card: OwnOvershoot = OwnOvershoot.FACTION_LOSES  # at 22 or 23 by a believer's 1, 2 or 3 (W19)
    neutral_witch_spoils: bool = True  # whether a witch without believers is compared (W20)
    deck: tuple[Card, ...] = field(default=DEFAULT_DECK, metadata=DECKS)  # in whatever order (W1)
    start_count: int = 0  # of every witch, 0 to 20 (W8)
    start_seat: int | None = None  # None: chance decides (W3)
    strategy: InitVar[Strategy | None] = None  # how many of each are in the default deck; None: two (W1)

    def __post_init__(self, strategy: Strategy | None) -> None:
        deck = self.deck
        if strategy is not None:
            if deck is not DEFAULT_DECK:  # a list of the same cards is another deck
                raise OptionsError("strategy", "witch21: strategy is for the default deck; expected no other deck")
            for key in ("alibi", "trade", "hush"):
                if (copies := getattr(strategy, key)) < 0:
                    message = f"witch21: strategy.{key} = {copies} is not possible; expected 0 or more"
                    raise OptionsError("strategy", message)
            deck = _deck(1, 4, 1, 3, 1, alibi=strategy.alibi, trade=strategy.trade, hush=strategy.hush)
        object.__setattr__(self, "deck", tuple(sorted(deck)))


def check(options: Options, seats: int) -> None:
    """Refuses options that the rules do not have; raises OptionsError."""
    check_within("witch21", "start_count", options.start_count, 0, 20)
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
        case ["play", "trade", seat] if seat in _SEATS:
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
