"""A match that is being played: a referee, its bots' sessions, and the time of the host. Everything runs in one loop.

It hands bytes to sessions and events to the referee. Whatever is decided, the referee decides.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from croupier.v1 import record_pb2
from croupier_server.launcher.delay import run_queue_delay_us
from croupier_server.match import codec
from croupier_server.match.recording import Attempt, record_parts
from croupier_server.match.referee import Phase, Referee
from croupier_server.match.signals import (
    Abort,
    Answered,
    End,
    HostDelay,
    Input,
    Joined,
    Refusal,
    Refused,
    Send,
)
from croupier_server.match.spec import MatchSpec
from croupier_server.match.speech import MatchSpeech
from croupier_server.match.wire import GameWire, wire_of
from croupier_server.rules import KeyedChance, Seat
from croupier_server.service.host_time import HostTime, now_us
from croupier_server.service.session import Session

log = logging.getLogger(__name__)

_DROPPED = (Refusal.STALE_TURN,)  # refusals that a flooder can provoke at no cost


class RunningMatch:
    """One match from its opening to its record."""

    def __init__(
        self,
        spec: MatchSpec,
        attempt: Attempt,
        host: HostTime,
        on_over: Callable[[RunningMatch, record_pb2.MatchRecord], None],
    ) -> None:
        self.spec, self.attempt = spec, attempt
        self.sessions: list[Session | None] = [None] * len(spec.seats)
        self._pids: list[int | None] = [None] * len(spec.seats)
        self._waited: dict[Seat, tuple[int, int]] = {}  # open turn -> run-queue delay of its bot when last read
        self._referee = Referee(spec, KeyedChance(attempt.block_key))
        self._speech = MatchSpeech(spec, attempt.match_id, attempt.commitment)
        self._host, self._lag_seen = host, host.lag_us
        self._opened_us = now_us()
        self._on_over = on_over

    @property
    def match_id(self) -> str:
        """The opaque name of the attempt."""
        return self.attempt.match_id

    @property
    def wire(self) -> GameWire:
        """The codec of the match's game."""
        return wire_of(self.spec.game)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._referee.phase is Phase.OVER

    def join(self, seat: Seat, session: Session, last_sequence: int | None) -> None:
        """A session plays the seat from now on; see `signals.Joined`."""
        self.sessions[seat] = session
        self.feed(Joined(seat, session.hello.wants_updates, last_sequence))

    def watch(self, seat: Seat, pid: int) -> None:
        """The seat's bot is a process on this machine: what the kernel makes it wait is the host's time."""
        self._pids[seat] = pid

    def feed(self, event: Input) -> None:
        """Hands an event to the referee and sends what it says."""
        now = self._account()
        if isinstance(event, Answered) and event.seat in self._waited:
            self._account_run_queue(event.seat, now)
        self._run(event, now)

    def tick(self) -> None:
        """Lets time pass; called on every beat."""
        now = self._account()
        deadline = self._referee.next_deadline
        if deadline is None:
            return
        self._mark_waiting()
        if now >= deadline:
            for seat in list(self._waited):
                self._account_run_queue(seat, now)
            self._run(None, now)

    def _account(self) -> int:
        """The match's time, after the lag of the event loop up to now has been given back."""
        absolute = now_us()
        self._host.observe(absolute)
        now = absolute - self._opened_us
        lag, self._lag_seen = self._host.lag_us - self._lag_seen, self._host.lag_us
        if lag:
            self._run(HostDelay(None, lag), now)
        return now

    def _mark_waiting(self) -> None:
        """Reads the run-queue delay of launched bots whose turn has lasted into this beat."""
        for desk in self._referee.desks:
            turn, pid = desk.open_turn, self._pids[desk.seat]
            if turn is None or pid is None:
                self._waited.pop(desk.seat, None)
            elif self._waited.get(desk.seat, (0, 0))[0] != turn.turn_id:
                delay = run_queue_delay_us(pid)
                if delay is not None:
                    self._waited[desk.seat] = (turn.turn_id, delay)

    def _account_run_queue(self, seat: Seat, now: int) -> None:
        turn, pid = self._referee.desks[seat].open_turn, self._pids[seat]
        turn_id, before = self._waited[seat]
        after = run_queue_delay_us(pid) if pid is not None else None
        if after is None or turn is None or turn.turn_id != turn_id:
            return
        self._waited[seat] = (turn_id, after)
        if after > before:
            self._run(HostDelay(seat, after - before), now)

    def _run(self, event: Input | None, now: int) -> None:
        """One call of the referee. A fault of the rules or of ours aborts the match, which then never counts."""
        was_over = self.over
        try:
            self._deliver(self._referee.tick(now) if event is None else self._referee.receive(event, now))
        except Exception:
            log.exception("match %s: a fault of the host; the match is aborted", self.match_id)
            self._deliver(self._referee.receive(Abort("a fault of the host"), now))
        if self.over and not was_over:
            self._finish()

    def _deliver(self, sends: Sequence[Send]) -> None:
        for send in sends:
            session = self.sessions[send.seat]
            if session is None or session.stream is None:
                continue
            data = self._speech.bytes_for(send.seat, send.message)
            if isinstance(send.message, Refused) and send.message.refusal in _DROPPED:
                session.refuse(data)
            else:
                session.send(data)
            if isinstance(send.message, End):
                session.finish(self.match_id)

    def _finish(self) -> None:
        for session in self.sessions:
            if session is not None:
                session.finish(self.match_id)
        record = codec.seal(*record_parts(self._referee, self.attempt))
        self._on_over(self, record)
