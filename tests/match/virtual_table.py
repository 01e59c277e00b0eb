"""A referee under virtual time, driven in the words of a script. Milliseconds in, messages out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tests.match import auction

from croupier_server.match.case import Case
from croupier_server.match.recording import Attempt, record_parts
from croupier_server.match.referee import Phase, Referee
from croupier_server.match.signals import (
    Abort,
    Answered,
    Ask,
    End,
    HostDelay,
    Input,
    Joined,
    Left,
    Message,
    ProcessEnded,
    Ready,
    Resigned,
    Send,
    Withdrawn,
)
from croupier_server.match.spec import Clock, MatchResult, MatchSpec, Policy, ScheduleIdentity, SeatSpec
from croupier_server.match.timing import US
from croupier_server.match.verify import audit
from croupier_server.rules import AnyGame, KeyedChance, Seat

MessageT = TypeVar("MessageT", bound=Message)

KEY = bytes(range(32))
CLOCK = Clock(start_up_ms=1000, bank_ms=1000, increment_ms=100, turn_cap_ms=500, disconnect_grace_ms=300)


def match_spec(
    seats: int = 2,
    *,
    game: AnyGame = auction.GAME,
    options: Any = None,
    clock: Clock = CLOCK,
    strikes: int = 3,
) -> MatchSpec:
    """A match of the standard variant, or of other options."""
    return MatchSpec(
        game=game,
        options=options or next(iter(game.variants.values())),
        behavior=game.behavior,
        seats=tuple([SeatSpec(name, 1000 + seat) for seat, name in enumerate("abcdefgh"[:seats])]),
        identity=ScheduleIdentity("cup", 0, 0),
        clock=clock,
        policy=Policy(strikes),
    )


def attempt(match_id: str = "m1", *, key: bytes = KEY, salt: bytes = b"s" * 32, opened_unix_ms: int = 1) -> Attempt:
    """An attempt at a match with known salts."""
    return Attempt(match_id, 1, key, salt, b"n" * 32, opened_unix_ms)


class VirtualTable:
    """One match; every call is an event of now, and what is sent waits in its seat's inbox."""

    def __init__(self, spec: MatchSpec, *, key: bytes = KEY) -> None:
        self.referee = Referee(spec, KeyedChance(key))
        self.now_us = 0
        self._key = key
        self._inbox: list[list[Message]] = [[] for _ in spec.seats]
        self._turns: list[Ask | None] = [None for _ in spec.seats]
        self._seats = range(len(spec.seats))

    # -- what the bots and the host do

    def join(self, *seats: Seat, updates: bool = False, last_sequence: int | None = None) -> None:
        for seat in seats or self._seats:
            self._feed(Joined(seat, updates, last_sequence))

    def ready(self, *seats: Seat) -> None:
        for seat in seats or self._seats:
            self._feed(Ready(seat))

    def begin(self, *, updates: bool = False) -> None:
        """Everyone joins and is ready."""
        self.join(updates=updates)
        self.ready()

    def answer(self, seat: Seat, choice: Any, turn_id: int | None = None, note: str = "") -> None:
        """Answers the newest turn of the seat, or that of the number."""
        self._feed(Answered(seat, self.turn(seat).turn_id if turn_id is None else turn_id, choice, note))

    def leave(self, seat: Seat) -> None:
        self._feed(Left(seat))

    def crash(self, seat: Seat, detail: str = "exit status 1") -> None:
        self._feed(ProcessEnded(seat, detail))

    def resign(self, seat: Seat) -> None:
        self._feed(Resigned(seat))

    def withdraw(self, seat: Seat) -> None:
        self._feed(Withdrawn(seat))

    def delay(self, ms: int, seat: Seat | None = None) -> None:
        self._feed(HostDelay(seat, ms * US))

    def abort(self) -> None:
        self._feed(Abort("a fault"))

    # -- time

    def wait(self, ms: int) -> None:
        """Time passes, and every deadline is judged the moment it falls due."""
        until = self.now_us + ms * US
        while (due := self.referee.next_deadline) is not None and due <= until:
            self.now_us = max(due, self.now_us)
            self._deliver(self.referee.tick(self.now_us))
        self.now_us = until

    def sleep(self, ms: int) -> None:
        """Time passes, and nobody looks."""
        self.now_us += ms * US

    def tick(self) -> None:
        """Deadlines are judged, however late."""
        self._deliver(self.referee.tick(self.now_us))

    # -- what was said

    def read(self, seat: Seat) -> list[Message]:
        """The seat's messages since the last reading."""
        messages, self._inbox[seat] = self._inbox[seat], []
        return messages

    def kinds(self, seat: Seat) -> list[type[Message]]:
        """The kinds of the seat's messages since the last reading."""
        return [type(message) for message in self.read(seat)]

    def only(self, seat: Seat, kind: type[MessageT]) -> MessageT:
        """The one message of that kind since the last reading."""
        (message,) = [message for message in self.read(seat) if isinstance(message, kind)]
        return message

    def turn(self, seat: Seat) -> Ask:
        """The newest turn of the seat, read or not."""
        turn = self._turns[seat]
        assert turn is not None, f"seat {seat} was never asked"
        return turn

    def asked(self) -> list[Seat]:
        """The seats that owe an answer."""
        return [desk.seat for desk in self.referee.desks if desk.open_turn is not None]

    def end(self, seat: Seat = 0) -> End:
        """The end as told to the seat."""
        return self.only(seat, End)

    @property
    def over(self) -> bool:
        return self.referee.phase is Phase.OVER

    @property
    def result(self) -> MatchResult:
        assert self.referee.result is not None, "the match goes on"
        return self.referee.result

    def audit(self) -> Case:
        """Checks the record of the match, which is over."""
        case, _ = audit(*record_parts(self.referee, attempt(key=self._key)))
        return case

    def _feed(self, event: Input) -> None:
        self._deliver(self.referee.receive(event, self.now_us))

    def _deliver(self, sends: Sequence[Send]) -> None:
        for send in sends:
            self._inbox[send.seat].append(send.message)
            if isinstance(send.message, Ask):
                self._turns[send.seat] = send.message
