"""What is said in midnight, and in which words: squares, faces, options, actions, views and events. No rules.

The classes mirror the messages of midnight.proto, which explains every field. Rules are cited as in midnight.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeAlias

from croupier_server.rules import Codes, Seat, check_within

# Squares and faces are their numbers on the wire. A face that is no Hugo is the number that it shows.
_RINGS = (("C", range(1, 29)), ("r", range(1, 12)), ("S", range(10, 1, -1)))
_TEXTS = (*[f"{kind}{number}" for kind, numbers in _RINGS for number in numbers], "T", "door")
SQUARES = Codes("Square", _TEXTS, tuple([text.upper() for text in _TEXTS]))
FACES = Codes("Face", ("1", "2", "Hugo", "4", "5"), ("ONE", "TWO", "HUGO", "FOUR", "FIVE"))
Square: TypeAlias = Annotated[int, SQUARES]
Face: TypeAlias = Annotated[int, FACES]


class Edition(Enum):
    """Which game is played."""

    OLD = 1
    NEW = 2


class HugoStart(Enum):
    """Where Hugo starts (M14)."""

    STEP10 = 1
    DOOR = 2


class StairsOverflow(Enum):
    """Where captured guests go while all stair squares are occupied (M16)."""

    TEN_ROOM = 1
    MINUS2 = 2


class KickOntoHugo(Enum):
    """What happens to a room whose guest would be put onto Hugo's square (M28)."""

    CAPTURED = 1
    FORBIDDEN = 2


@dataclass(frozen=True, slots=True)
class Options:
    """The rules in force."""

    edition: Edition = Edition.OLD  # which game is played
    start_seat: int | None = None  # the seat that places and rolls first; None: chance decides (M6)
    rounds: int = 3  # how many the old edition has: 1 to 9 (M21)
    hugo_start: HugoStart | None = None  # on S10 or at the cellar door; None: as the edition has it (M14)
    hugo_step_old: int | None = None  # squares a roll in the old edition: 2 or 3; None: by the number of seats (M14)
    stairs_overflow: StairsOverflow = StairsOverflow.TEN_ROOM  # where guests go when the stairs are full (M16)
    replace_needs_empty: bool = False  # whether guests come back onto empty squares only (M22)
    kick_onto_hugo: KickOntoHugo = KickOntoHugo.CAPTURED  # if a room is left onto his square (M28)


def check(options: Options, seats: int) -> None:
    """Refuses options that the rules do not have; raises OptionsError."""
    check_within("midnight", "rounds", options.rounds, 1, 9)
    if options.start_seat is not None:
        check_within("midnight", "start_seat", options.start_seat, 0, seats - 1)
    if options.hugo_step_old is not None:
        check_within("midnight", "hugo_step_old", options.hugo_step_old, 2, 3)


class Phase(Enum):
    """What is being decided."""

    PLACE = 1
    REPLACE = 2
    MOVE = 3
    OVER = 4


@dataclass(frozen=True, slots=True)
class PlaceGuest:
    """A square of the corridor for a guest (M6, M22)."""

    square: Square


@dataclass(frozen=True, slots=True)
class MoveGuest:
    """A move of a guest (M9, M10)."""

    origin: Square
    target: Square


@dataclass(frozen=True, slots=True)
class Stay:
    """No move, in the old edition (M17)."""


Action: TypeAlias = PlaceGuest | MoveGuest | Stay


def action_text(action: Action) -> str:
    """The notation of an action; raises ValueError for a number that is no square."""
    match action:
        case PlaceGuest(square):
            return f"place {SQUARES.text(square)}"
        case MoveGuest(origin, target):
            return f"{SQUARES.text(origin)}>{SQUARES.text(target)}"
        case Stay():
            return "pass"


def parse_action(text: str) -> Action:
    """The action that a notation names, legal or not; raises ValueError that says what was found and expected."""
    if text == "pass":
        return Stay()
    match text.split(" "), text.split(">"):
        case ["place", square], _:
            return PlaceGuest(SQUARES.parse(square))
        case _, [origin, target]:
            return MoveGuest(SQUARES.parse(origin), SQUARES.parse(target))
        case _:
            raise ValueError(f"{text!r} is no action: expected 'place SQUARE', 'SQUARE>SQUARE' or 'pass'")


@dataclass(frozen=True, slots=True)
class Observation:
    """All that there is to know; every field is explained in midnight.proto."""

    seat: Seat | None
    phase: Phase
    turn: Seat
    round: int
    rolled: Face | None
    hugo: Square
    hugo_speed: int
    laps: int
    scores: tuple[int, ...]
    guests: tuple[Square, ...]
    guest_counts: tuple[int, ...]
    placing: tuple[Seat, ...]
    first_roller: Seat
    placed_squares: tuple[Square, ...]
    placed_by: tuple[Seat, ...]
    rolls: tuple[Face, ...]
    rolled_by: tuple[Seat, ...]
    move_rolls: tuple[int, ...]
    move_origins: tuple[Square, ...]
    move_targets: tuple[Square, ...]
    capture_rolls: tuple[int, ...]
    capture_owners: tuple[Seat, ...]
    capture_squares: tuple[Square, ...]
    capture_stairs: tuple[Square, ...]
    kick_moves: tuple[int, ...]
    kick_owners: tuple[Seat, ...]
    round_rolls: tuple[int, ...]
    round_scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameBegan:
    """The game begins. Told to all."""

    start_seat: Seat


@dataclass(frozen=True, slots=True)
class GuestPlaced:
    """A guest was placed. Told to all."""

    seat: Seat
    square: Square
    origin: Square | None  # on the stairs, or T; None before the first roll


@dataclass(frozen=True, slots=True)
class DieRolled:
    """The die was rolled. Told to all."""

    seat: Seat
    face: Face


@dataclass(frozen=True, slots=True)
class HugoMoved:
    """Hugo moved. Told to all, before the captures on his way."""

    hugo: Square
    laps: int


@dataclass(frozen=True, slots=True)
class GuestMoved:
    """A guest was moved. Told to all."""

    seat: Seat
    origin: Square
    target: Square
    points: int  # of the room


@dataclass(frozen=True, slots=True)
class Stayed:
    """A seat moved no guest although it could have. Told to all."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GuestKicked:
    """A guest was put out of its room onto the door square. Told to all."""

    owner: Seat
    square: Square


@dataclass(frozen=True, slots=True)
class GuestsCaptured:
    """The guests of one square were captured. Told to all."""

    square: Square
    stairs: Square
    owners: tuple[Seat, ...]  # one item a guest, ascending


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round of the old edition is over. Told to all."""

    round: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """Another round of the old edition begins. Told to all."""

    round: int
    first_roller: Seat
    placing: tuple[Seat, ...]  # one item a guest


Event: TypeAlias = (
    GameBegan
    | GuestPlaced
    | DieRolled
    | HugoMoved
    | GuestMoved
    | Stayed
    | GuestKicked
    | GuestsCaptured
    | RoundEnded
    | RoundBegan
)
