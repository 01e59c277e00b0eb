"""What a game is: a State with the rules in its methods, and a Game that names it in the catalogue.

No time, no I/O, no luck of its own: luck and news pass through the Table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from croupier_server.rules.chance import Chance
from croupier_server.rules.table import Table

Seat: TypeAlias = int
OptionsT = TypeVar("OptionsT")
ActionT = TypeVar("ActionT")
ViewT = TypeVar("ViewT")
EventT = TypeVar("EventT")
ViewT_co = TypeVar("ViewT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the rules ended a game: points by seat, and places by seat from 1 (equal places are ties)."""

    scores: tuple[int, ...]
    places: tuple[int, ...]

    @classmethod
    def by_score(cls, scores: Sequence[int]) -> Outcome:
        """Most points win; standard competition ranking (1, 2, 2, 4)."""
        return cls(tuple(scores), tuple(1 + sum(other > mine for other in scores) for mine in scores))


class State(Protocol[ActionT, ViewT_co, EventT]):
    """A position. Implemented by immutable NamedTuples; every method is pure but for what it does to `table`."""

    def to_act(self) -> tuple[Seat, ...]:
        """Seats that owe a decision now, ascending; empty exactly when the game is over."""
        ...

    def legal(self, seat: Seat) -> Sequence[ActionT]:
        """Every legal action of a seat in `to_act()`, in ASCII order of their texts; never empty.

        The first is the fallback. A seat that is not in `to_act()` has none.
        """
        ...

    def broken_rule(self, seat: Seat, action: ActionT) -> str:
        """Why an action outside `legal(seat)` is refused: the rule's number, a colon and a sentence.

        Depends on nothing but the action and what the seat may see.
        """
        ...

    def play(self, actions: Mapping[Seat, ActionT], table: Table[EventT]) -> Self:
        """The next position, given one legal action of every seat in `to_act()`."""
        ...

    def view(self, viewer: Seat | None) -> ViewT_co:
        """What one seat, or a spectator (None), can see: all that it has ever been told."""
        ...

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        ...


AnyState: TypeAlias = State[Any, Any, Any]


@dataclass(frozen=True, eq=False)  # one object a game: equal only to itself
class Game(Generic[OptionsT, ActionT, ViewT, EventT]):
    """The entry of a game in the catalogue."""

    id: str
    title: str
    seats: tuple[int, ...]  # player counts, ascending
    options: type[OptionsT]  # frozen dataclass; the default of every field is the rules' default
    variants: Mapping[str, OptionsT]  # named presets, "standard" first; see `seats_for`
    check: Callable[[OptionsT, int], None]  # raises OptionsError when options do not fit the number of seats
    deal: Callable[[OptionsT, int, Table[EventT]], State[ActionT, ViewT, EventT]]
    world: Callable[[OptionsT, ViewT, Chance], State[ActionT, ViewT, EventT]]
    """A position that the viewer takes for possible: what it sees there is the view, in every byte, and it can be
    played on. All that the viewer has not been told is drawn anew, from what the rules say that it can be; what others
    preferred says nothing. The view is a seat's (ValueError for a spectator's), of a game that goes on. Labels of these
    draws begin with "world" and are no luck of a match."""
    actions: tuple[type[Any], ...]  # the dataclasses that make up ActionT, one an arm of the wire's oneof
    observation: type[ViewT]
    events: tuple[type[Any], ...]  # the dataclasses that make up EventT
    action_text: Callable[[ActionT], str]  # notation
    parse_action: Callable[[str], ActionT]  # raises ValueError that says what was expected
    item_text: Callable[[Any], str]  # notation of whatever the game shuffles
    simultaneous: bool  # whether several seats may be asked at once
    behavior: int = 1  # raised only when outcomes of the same choices can change


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
