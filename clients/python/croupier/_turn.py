"""What a bot is told, as typed wrappers over the wire's messages: Match, Turn, Update, End.

Nothing is unwrapped before a bot looks at it, so a bot that ignores its view or its events does not pay for them.
No rules, no I/O. The type parameters are the game's own messages: `Turn[JekyllObservation, JekyllEvent, JekyllAction]`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, SupportsIndex, TypeAlias, TypeVar

from croupier._errors import ProtocolError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.message import Message

    from croupier.v1 import games_pb2, match_pb2, play_service_pb2

Move: TypeAlias = "Message | SupportsIndex"
"""One of `turn.legal` or another action message of the game, or an index into `turn.legal`."""

ViewT = TypeVar("ViewT")
EventT = TypeVar("EventT")
ActionT = TypeVar("ActionT")


@dataclass(frozen=True, slots=True)
class Match:
    """A match as its bot is told about it before it begins; the fields are those of MatchStart in the protocol."""

    match_id: str
    game: str  # "jekyll"
    options: Any  # the game's own message, such as JekyllOptions: the rules in force
    behavior: int
    seats: int
    seat: int  # the bot's own, from 0
    clock: match_pb2.Clock
    policy: match_pb2.Policy
    commitment: bytes
    bot_seed: int

    @classmethod
    def of(cls, start: play_service_pb2.MatchStart) -> Match:
        """Unwraps a MatchStart; raises ProtocolError when its game is not known to this version of the library."""
        game = start.options.WhichOneof("game")
        if game is None:
            raise ProtocolError(f"match {start.match_id} is of a game that is not known here: upgrade croupier")
        return cls(
            start.match_id,
            game,
            getattr(start.options, game),
            start.behavior,
            start.seats,
            start.seat,
            start.clock,
            start.policy,
            start.commitment,
            start.bot_seed,
        )


def _unwrapped(messages: Iterable[games_pb2.Event] | Iterable[games_pb2.Action], game: str) -> tuple[Any, ...]:
    return tuple([getattr(message, game) for message in messages])


class _News(Generic[EventT]):
    """What Turn, Update and End have in common: the events that the bot has not seen yet."""

    def __init__(
        self,
        match: Match,
        message: play_service_pb2.Turn | play_service_pb2.Update | play_service_pb2.MatchEnd,
        seen: int,
    ) -> None:
        self.match = match
        self._told = message
        self._seen = seen  # the sequence of the last event that was known before

    @cached_property
    def events(self) -> tuple[EventT, ...]:
        """The game's own messages, such as JekyllEvent, for what has happened since the last news, in order.

        After a resume the server may repeat itself; what was seen before is left out. So is what this version of the
        library does not know.
        """
        told = self._told.events
        repeated = max(0, len(told) - (self._told.last_sequence - self._seen))
        return tuple([event for event in _unwrapped(told[repeated:], self.match.game) if event.ListFields()])


class Turn(_News[EventT], Generic[ViewT, EventT, ActionT]):
    """A decision that is asked of the bot. Complete: a bot needs no memory to answer it."""

    def __init__(self, match: Match, message: play_service_pb2.Turn, seen: int) -> None:
        super().__init__(match, message, seen)
        self._message = message
        self.turn_id = message.turn_id  # the seat's own count, from 1
        self.strikes = message.strikes  # how many the seat has now
        self.refusal = ""  # in words, why the last answer to this very turn was refused; it may be answered again

    @property
    def view(self) -> ViewT:
        """All that the seat can see: the game's own message, such as JekyllObservation."""
        view: ViewT = getattr(self._message.observation, self.match.game)
        return view

    @cached_property
    def legal(self) -> tuple[ActionT, ...]:
        """Every legal action, never empty: the game's own messages, such as JekyllAction, in the server's order."""
        return _unwrapped(self._message.legal_actions, self.match.game)

    def index_of(self, move: Move) -> int | None:
        """Where a move stands in `legal`; None for another action of the game, which the server may judge.

        Raises ProtocolError for whatever else: an index that is out of range, a message of another kind, None.
        """
        to_index: Any = None if isinstance(move, bool) else getattr(move, "__index__", None)
        if to_index is not None:
            index: int = to_index()
            count = len(self._message.legal_actions)
            if 0 <= index < count:
                return index
            found, expected = f"index {index}", f"0 to {count - 1}"
        elif isinstance(move, kind := type(self.legal[0])):
            return self.legal.index(move) if move in self.legal else None
        else:
            found, expected = repr(move), f"one of turn.legal, its index, another {kind.__name__}, or RESIGN"
        where = f"act, turn {self.turn_id} of a match of {self.match.game}"
        raise ProtocolError(f"{where}: found {found}, expected {expected}")

    @property
    def remaining_ms(self) -> int:
        """How long the bot could take for this turn when the server sent it, in milliseconds."""
        return self._message.remaining_ms

    @property
    def bank_ms(self) -> int:
        """The bank from which the turn is paid, increment included, when it began, in milliseconds."""
        return self._message.bank_ms

    def refused(self, reason: str, strikes: int) -> Turn[ViewT, EventT, ActionT]:
        """The same turn, asked again after an illegal answer."""
        again = Turn[ViewT, EventT, ActionT](self.match, self._message, self._seen)
        again.refusal, again.strikes = reason, strikes
        return again


class Update(_News[EventT], Generic[ViewT, EventT]):
    """News between the bot's own turns."""

    def __init__(self, match: Match, message: play_service_pb2.Update, seen: int) -> None:
        super().__init__(match, message, seen)
        self._message = message

    @property
    def view(self) -> ViewT:
        """All that the seat can see now: the game's own message."""
        view: ViewT = getattr(self._message.observation, self.match.game)
        return view


class End(_News[EventT], Generic[ViewT, EventT]):
    """How a match ended."""

    def __init__(self, match: Match, message: play_service_pb2.MatchEnd, seen: int) -> None:
        super().__init__(match, message, seen)
        self._message = message

    @property
    def view(self) -> ViewT | None:
        """All that the seat can see at the end; None when the match never began, or was aborted."""
        if not self._message.HasField("observation"):
            return None
        view: ViewT = getattr(self._message.observation, self.match.game)
        return view

    @property
    def result(self) -> match_pb2.MatchResult:
        """Termination, places, scores and forfeits of all seats."""
        return self._message.result

    @property
    def place(self) -> int | None:
        """The bot's own finishing rank, from 1; None when the match was aborted."""
        places = self._message.result.places
        return places[self.match.seat] if places else None


# For bots that play every game.
AnyTurn: TypeAlias = "Turn[Any, Any, Message]"
AnyUpdate: TypeAlias = Update[Any, Any]
AnyEnd: TypeAlias = End[Any, Any]
