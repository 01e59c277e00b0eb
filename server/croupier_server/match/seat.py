"""What the referee keeps about one seat: connection, strikes, what it was told, its time and its open turn.

It forms the seat's messages and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from croupier_server.match.record import TurnStamp
from croupier_server.match.signals import Ask, End, News
from croupier_server.match.spec import Clock, MatchResult
from croupier_server.match.timing import US, SeatTime
from croupier_server.rules import Seat


@dataclass(slots=True)
class OpenTurn:
    """A decision that is owed. Times in microseconds since the match was opened."""

    seat: Seat
    turn_id: int
    asked_us: int
    allowed_us: int  # without the host's share
    bank_us: int  # at the start of the turn, increment included
    legal: tuple[Any, ...]
    view: Any
    host_us: int = 0  # the host's share so far
    waited_us: int = 0  # the part of it for which this seat's own process waited for a processor

    @property
    def deadline_us(self) -> int:
        """When the turn runs out."""
        return self.asked_us + self.allowed_us + self.host_us


@dataclass(slots=True)
class SeatDesk:
    """One seat of one match."""

    seat: Seat
    clock: Clock
    connected: bool = False
    wants_updates: bool = False
    ready: bool = False
    forfeited: bool = False
    strikes: int = 0
    told: list[Any] = field(default_factory=list)  # every event, in order; the sequence of told[i] is i + 1
    stamps: list[TurnStamp] = field(default_factory=list)
    open_turn: OpenTurn | None = None
    _sent: int = 0  # how many of `told` the bot has
    _turns: int = 0
    _ignored: int = 0  # answers ignored since the last stamp
    _left_us: int | None = None
    _time: SeatTime = field(init=False)

    def __post_init__(self) -> None:
        self._time = SeatTime.full(self.clock)

    # -- connection

    @property
    def grace_ends_us(self) -> int | None:
        """When the seat forfeits for want of a connection; None while it has one, or was never ready."""
        if self._left_us is None or not self.ready or self.forfeited:
            return None
        return self._left_us + self.clock.disconnect_grace_ms * US

    def join(self, wants_updates: bool, last_sequence: int | None) -> bool:
        """Connects the bot, which knows the events up to `last_sequence`; tells whether it had been away."""
        came_back = self._left_us is not None
        self.connected, self.wants_updates, self._left_us = True, wants_updates, None
        self._sent = min(last_sequence or 0, len(self.told))
        return came_back

    def leave(self, now: int) -> None:
        """Disconnects the bot."""
        self.connected, self._left_us = False, now

    def host_delay(self, us: int) -> None:
        """Gives back time for which the host held up everybody."""
        if self.open_turn is not None:
            self.open_turn.host_us += us
        if self._left_us is not None:
            self._left_us += us

    def process_delay(self, us: int) -> None:
        """Gives back time for which the seat's process waited for a processor, at most the turn cap in one turn.

        A bot can make its own threads wait for each other; without a bound it could put off its deadline for ever.
        """
        if (turn := self.open_turn) is not None:
            given = min(us, self.clock.turn_cap_ms * US - turn.waited_us)
            turn.waited_us += given
            turn.host_us += given

    # -- news

    @property
    def has_news(self) -> bool:
        """Whether there are events that the bot does not have."""
        return self._sent < len(self.told)

    def ask(self, now: int) -> Ask:
        """The open turn, with the events that the bot does not have yet."""
        turn = self.open_turn
        assert turn is not None
        events, last = self._take_news()
        remaining = max(turn.deadline_us - now, 0)
        return Ask(turn.turn_id, turn.view, events, last, turn.legal, remaining, turn.bank_us, self.strikes)

    def news(self, view: Any) -> News:
        """The events that the bot does not have yet, with what its seat sees now."""
        return News(*self._take_news(), view)

    def end(self, result: MatchResult, view: Any | None) -> End:
        """The end of the match, with the events that the bot does not have yet."""
        return End(result, *self._take_news(), view)

    def _take_news(self) -> tuple[tuple[Any, ...], int]:
        """The events that the bot does not have yet, and the sequence of the last."""
        events = tuple(self.told[self._sent :])
        self._sent = len(self.told)
        return events, self._sent

    # -- turns

    def begin_turn(self, now: int, legal: tuple[Any, ...], view: Any) -> OpenTurn:
        """Opens the seat's next turn and starts its clock."""
        self._turns += 1
        allowed = self._time.begin()
        self.open_turn = OpenTurn(self.seat, self._turns, now, allowed, self._time.bank_us, legal, view)
        return self.open_turn

    def close_turn(self, now: int) -> None:
        """Ends the open turn, charges the bot's own part of it and keeps the stamp."""
        turn = self.open_turn
        assert turn is not None
        host = min(turn.host_us, now - turn.asked_us)
        stamp = TurnStamp(self.seat, turn.turn_id, turn.asked_us, now, host, turn.allowed_us, self._ignored)
        self._time.charge(stamp.own_us, turn.allowed_us)
        self.stamps.append(stamp)
        self.open_turn, self._ignored = None, 0

    def finish(self, now: int) -> None:
        """Ends the match for the seat; answers that were ignored since its last turn are added to that turn's stamp."""
        if self.open_turn is not None:
            self.close_turn(now)
        if self._ignored and self.stamps:
            last = self.stamps[-1]
            self.stamps[-1] = replace(last, ignored_answers=last.ignored_answers + self._ignored)

    def ignored_answer(self) -> None:
        """Counts an answer that changed nothing."""
        self._ignored += 1
