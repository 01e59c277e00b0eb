"""What is said in luther, and in which words: cards, indulgences, options, actions, views and events. No rules.

The classes mirror the messages of luther.proto, which explains every field. Rules are cited as in luther.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeAlias

from croupier_server.rules import Codes, OptionsError, Seat, check_within

# Cards and indulgences are their numbers on the wire (L1, L2).
_TEXTS = tuple([f"{suit}{rank}" for suit in "SHDC" for rank in ("A", *range(2, 11), "J", "Q", "K")])
_NAMES = ("spade", "club", "even", "odd", "prime", "nonprime", "big", "small", "fib", "run", "sum10", "pairs", "sum14")
CARDS = Codes("Card", _TEXTS, _TEXTS)
INDULGENCES = Codes("Indulgence", _NAMES, tuple([name.upper() for name in _NAMES]))
Card: TypeAlias = Annotated[int, CARDS]
Indulgence: TypeAlias = Annotated[int, INDULGENCES]


class IndulgenceTaker(Enum):
    """Who takes or discards an indulgence after a trick (L11)."""

    TABLE = 1
    STRONGEST_RED = 2


class SetLeader(Enum):
    """Who leads the first trick of a later set (L26)."""

    ROTATE = 1
    LAST_WINNER = 2


@dataclass(frozen=True, slots=True)
class Options:
    """The rules in force."""

    sets: int = 1  # how many are played: 1, or the number of seats (L26)
    indulgence_taker: IndulgenceTaker = IndulgenceTaker.TABLE  # whose choice an indulgence is (L11)
    ace_value: int = 1  # what an ace counts for indulgences: 1 or 14 (L15)
    run_min: int = 2  # the fewest cards of a run: 1 to 5 (L17)
    run_wrap: bool = False  # whether a run may go on from king to ace to 2 (L17)
    used_indulgence_costs: bool = True  # whether used ones cost a point where there is a Luther (L25)
    set_leader: SetLeader = SetLeader.ROTATE  # who leads the first trick of a later set (L26)
    start_seat: int | None = None  # the seat that leads the first trick of the match; None: chance decides (L4)


def check(options: Options, seats: int) -> None:
    """Refuses options that the rules do not have; raises OptionsError."""
    for key, value, possible in (("sets", options.sets, (1, seats)), ("ace_value", options.ace_value, (1, 14))):
        if value not in possible:
            expected = " or ".join(map(str, possible))
            raise OptionsError(key, f"luther: {key} = {value} is not possible; expected {expected}")
    check_within("luther", "run_min", options.run_min, 1, 5)
    if options.start_seat is not None:
        check_within("luther", "start_seat", options.start_seat, 0, seats - 1)


class Phase(Enum):
    """What is being decided."""

    PLAY = 1
    TAKE = 2
    INDULGE = 3
    OVER = 4


@dataclass(frozen=True, slots=True)
class Play:
    """A card for the trick (L7, L8)."""

    card: Card


@dataclass(frozen=True, slots=True)
class TakeIndulgence:
    """An open indulgence for oneself (L12)."""

    indulgence: Indulgence


@dataclass(frozen=True, slots=True)
class DiscardIndulgence:
    """An open indulgence out of the set (L12)."""

    indulgence: Indulgence


@dataclass(frozen=True, slots=True)
class UseIndulgence:
    """An own indulgence over own sins (L14)."""

    indulgence: Indulgence
    cards: tuple[Card, ...]  # in canonical order


@dataclass(frozen=True, slots=True)
class Abstain:
    """No indulgence in this round (L13)."""


Action: TypeAlias = Play | TakeIndulgence | DiscardIndulgence | UseIndulgence | Abstain


def action_text(action: Action) -> str:
    """The notation of an action; raises ValueError for a number that is no card or indulgence."""
    match action:
        case Play(card):
            return f"play {CARDS.text(card)}"
        case TakeIndulgence(indulgence):
            return f"take {INDULGENCES.text(indulgence)}"
        case DiscardIndulgence(indulgence):
            return f"discard {INDULGENCES.text(indulgence)}"
        case UseIndulgence(indulgence, cards):
            return " ".join(["use", INDULGENCES.text(indulgence), *map(CARDS.text, cards)])
        case Abstain():
            return "pass"


def parse_action(text: str) -> Action:
    """The action that a notation names, legal or not; raises ValueError that says what was found and expected."""
    match text.split(" "):
        case ["play", card]:
            return Play(CARDS.parse(card))
        case ["take", indulgence]:
            return TakeIndulgence(INDULGENCES.parse(indulgence))
        case ["discard", indulgence]:
            return DiscardIndulgence(INDULGENCES.parse(indulgence))
        case ["use", indulgence, first, *more]:
            return UseIndulgence(INDULGENCES.parse(indulgence), tuple([CARDS.parse(card) for card in (first, *more)]))
        case ["pass"]:
            return Abstain()
        case _:
            forms = "'play CARD', 'take INDULGENCE', 'discard INDULGENCE', 'use INDULGENCE CARD ...' or 'pass'"
            raise ValueError(f"{text!r} is no action: expected {forms}")


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one seat (or a spectator) has been told; every field is explained in luther.proto."""

    seat: Seat | None
    phase: Phase
    turn: Seat
    set_number: int
    round: int
    leader: Seat
    table: tuple[Card, ...]
    display: tuple[Indulgence, ...]
    pile_size: int
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    money: tuple[int, ...]
    sins: tuple[Card, ...]
    sin_counts: tuple[int, ...]
    unused: tuple[Indulgence, ...]
    unused_counts: tuple[int, ...]
    used_counts: tuple[int, ...]
    played_cards: tuple[Card, ...]
    played_by: tuple[Seat, ...]
    trick_winners: tuple[Seat, ...]
    takers: tuple[Seat, ...]
    chosen_indulgences: tuple[Indulgence, ...]
    discarded: tuple[bool, ...]
    opened_indulgences: tuple[Indulgence, ...]
    used_by: tuple[Seat, ...]
    used_indulgences: tuple[Indulgence, ...]
    used_in_rounds: tuple[int, ...]
    covered_counts: tuple[int, ...]
    covered_cards: tuple[Card, ...]
    set_scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetBegan:
    """A set begins. Told to all."""

    set_number: int
    leader: Seat
    display: tuple[Indulgence, ...]


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
    taker: Seat


@dataclass(frozen=True, slots=True)
class IndulgenceChosen:
    """An indulgence was taken, or discarded. Told to all."""

    seat: Seat
    indulgence: Indulgence
    discarded: bool


@dataclass(frozen=True, slots=True)
class IndulgenceUsed:
    """An indulgence was used. Told to all."""

    seat: Seat
    indulgence: Indulgence
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Abstained:
    """A seat used no indulgence although it could have. Told to all."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class IndulgenceOpened:
    """The top of the pile was opened. Told to all."""

    indulgence: Indulgence


@dataclass(frozen=True, slots=True)
class SetScored:
    """A set is over and counted. Told to all."""

    set_number: int
    luthers: tuple[Seat, ...]
    scores: tuple[int, ...]


Event: TypeAlias = (
    SetBegan
    | HandDealt
    | CardPlayed
    | TrickWon
    | IndulgenceChosen
    | IndulgenceUsed
    | Abstained
    | IndulgenceOpened
    | SetScored
)
