"""The referee of one match: a state machine. Events and the time go in, messages to seats come out.

No sockets, no clock, no asyncio, no protobuf: time is microseconds since the match was opened, handed in with every
call, and never goes back. The same class runs in the server, under a virtual clock in simulations, and in-process
without a network.

    WAITING --every seat ready or forfeited, two or more left--> PLAYING --game over, or one seat left--> OVER
        any --Abort--> OVER

Rules that the referee keeps:
 1. `turn_id` and event sequence count 1, 2, 3 ... per seat, so they tell nothing about others.
 2. An answer counts only for the seat's open turn and within its time; any other changes nothing and costs nothing.
 3. An illegal answer costs a strike and leaves the turn open, its clock running. Silence past the deadline plays the
    fallback (the first legal action) and costs a strike. The last strike forfeits.
 4. A forfeited seat is never asked again; the fallback plays for it. With one seat left the match ends.
 5. Decisions of one step take effect together, when the last is in; nobody learns who has answered.
 6. Time that the host caused moves the deadline that it held up.
 7. Deadlines are judged in the order in which they fell due, however late the call; those of one moment together.
 8. Time and connections never void a match; only Abort does.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from croupier_server.match.course import Course
from croupier_server.match.record import Decision, DecisionSource, IllegalAnswer, Incident, IncidentKind, Note
from croupier_server.match.seat import OpenTurn, SeatDesk
from croupier_server.match.signals import (
    Abort,
    Answered,
    HostDelay,
    Input,
    Joined,
    Left,
    ProcessEnded,
    Ready,
    Refusal,
    Refused,
    Resigned,
    Send,
    Start,
    Withdrawn,
)
from croupier_server.match.spec import Forfeit, ForfeitReason, MatchResult, MatchSpec, Termination
from croupier_server.match.timing import US
from croupier_server.match.verdict import final_places
from croupier_server.rules import Chance, Draw, Entry, Seat


class Phase(Enum):
    """Where a match is in its life."""

    WAITING = 1
    PLAYING = 2
    OVER = 3


class Referee:
    """One match. Feed it with `receive` and `tick`; send what they return; call again at `next_deadline`."""

    def __init__(self, spec: MatchSpec, chance: Chance) -> None:
        self.spec = spec
        self.phase = Phase.WAITING
        self.result: MatchResult | None = None
        self.abort_reason = ""
        self.over_us = 0
        self.illegal_answers: list[IllegalAnswer] = []
        self.incidents: list[Incident] = []
        self.notes: list[Note] = []
        self.desks = tuple(SeatDesk(seat, spec.clock) for seat in range(len(spec.seats)))
        self._course = Course(spec, chance)
        self._forfeits: list[Forfeit] = []
        self._instant = 0  # forfeits of one moment share it
        self._start_up_us = spec.clock.start_up_ms * US

    @property
    def draws(self) -> Sequence[Draw]:
        """What chance has given so far."""
        return self._course.draws

    @property
    def decisions(self) -> Sequence[Decision]:
        """The decisions that have taken effect."""
        return self._course.decisions

    @property
    def next_deadline(self) -> int | None:
        """When `tick` has something to judge, if nothing else happens before; None once the match is over."""
        if self.phase is Phase.OVER:
            return None
        times = [desk.grace_ends_us for desk in self.desks if desk.grace_ends_us is not None]
        if self.phase is Phase.WAITING:
            times.append(self._start_up_us)
        times += [desk.open_turn.deadline_us for desk in self.desks if desk.open_turn is not None]
        return min(times, default=None)

    def receive(self, event: Input, now: int) -> list[Send]:
        """Takes one event from the outside world and returns what is to be sent."""
        out: list[Send] = []
        self._instant = len(self._forfeits) + 1
        if self.phase is Phase.OVER and not isinstance(event, Joined):
            return out
        match event:
            case Joined():
                self._join(event, now, out)
            case Ready(seat):
                self._ready(seat, now)
            case Answered():
                self._answer(event, now, out)
            case Left(seat):
                self._leave(seat, now)
            case ProcessEnded(seat, detail):
                self._forfeit(seat, ForfeitReason.CRASH, now, out, detail)
            case Resigned(seat):
                self._forfeit(seat, ForfeitReason.RESIGNED, now, out)
            case Withdrawn(seat):
                self._forfeit(seat, ForfeitReason.WITHDRAWN, now, out)
            case HostDelay():
                self._host_delay(event)
            case Abort(reason):
                self._finish(Termination.ABORTED, now, out, reason)
        self._go_on(now, out)
        return out

    def tick(self, now: int) -> list[Send]:
        """Judges every deadline that has passed by now and returns what is to be sent."""
        out: list[Send] = []
        while (due := self.next_deadline) is not None and due <= now:
            self._instant = len(self._forfeits) + 1
            self._judge_deadlines(due, now, out)
            self._go_on(now, out)
        return out

    # -- connections ------------------------------------------------------------------------------------------------

    def _join(self, event: Joined, now: int, out: list[Send]) -> None:
        desk = self.desks[event.seat]
        if desk.join(event.wants_updates, event.last_sequence) and self.phase is not Phase.OVER:
            self._note_incident(desk.seat, IncidentKind.RESUMED, now)
        if event.last_sequence is None:
            out.append(Send(desk.seat, Start()))
        if self.phase is Phase.OVER:
            out.append(self._end(desk))
        elif desk.forfeited:
            out.append(Send(desk.seat, Refused(Refusal.FORFEITED, "this seat has forfeited the match")))
        elif desk.open_turn is not None:
            out.append(Send(desk.seat, desk.ask(now)))
        elif self.phase is Phase.PLAYING:
            self._tell(desk, out)

    def _ready(self, seat: Seat, now: int) -> None:
        desk = self.desks[seat]
        if self.phase is Phase.WAITING and not desk.ready and not desk.forfeited:
            desk.ready = True
            self._note_incident(seat, IncidentKind.READY, now)

    def _leave(self, seat: Seat, now: int) -> None:
        desk = self.desks[seat]
        if desk.connected:
            desk.leave(now)
            self._note_incident(seat, IncidentKind.DISCONNECTED, now)

    def _host_delay(self, event: HostDelay) -> None:
        if event.seat is not None:
            self.desks[event.seat].process_delay(event.us)
            return
        self._start_up_us += event.us
        for desk in self.desks:
            desk.host_delay(event.us)

    # -- answers and verdicts ---------------------------------------------------------------------------------------

    def _answer(self, event: Answered, now: int, out: list[Send]) -> None:
        desk = self.desks[event.seat]
        turn = desk.open_turn
        if turn is not None and now >= turn.deadline_us:
            self._time_out(turn, now, out)
            turn = desk.open_turn
        if turn is None or turn.turn_id != event.turn_id:
            desk.ignored_answer()
            text = f"turn {event.turn_id} is not open"
            out.append(Send(desk.seat, Refused(Refusal.STALE_TURN, text, event.turn_id, desk.strikes)))
            return
        action, broken = self._course.judge(desk.seat, turn.legal, event.choice)
        if broken is not None:
            self.illegal_answers.append(IllegalAnswer(desk.seat, turn.turn_id, broken, action))
            desk.strikes += 1
            out.append(Send(desk.seat, Refused(Refusal.ILLEGAL_ACTION, broken, turn.turn_id, desk.strikes)))
            if desk.strikes >= self.spec.policy.strikes:
                self._forfeit(desk.seat, ForfeitReason.ILLEGAL_ACTION, now, out)
            return
        if event.note:
            self.notes.append(Note(desk.seat, turn.turn_id, event.note))
        desk.close_turn(now)
        self._course.choose(desk.seat, action, DecisionSource.BOT, turn.turn_id)

    def _judge_deadlines(self, due: int, now: int, out: list[Send]) -> None:
        """Judges what fell due at one moment."""
        for desk in self.desks:
            if self.phase is Phase.WAITING and self._start_up_us <= due and not desk.ready:
                self._forfeit(desk.seat, ForfeitReason.NOT_READY, now, out)
            if desk.grace_ends_us is not None and desk.grace_ends_us <= due:
                self._forfeit(desk.seat, ForfeitReason.DISCONNECT, now, out)
            if desk.open_turn is not None and desk.open_turn.deadline_us <= due:
                self._time_out(desk.open_turn, now, out)

    def _time_out(self, turn: OpenTurn, now: int, out: list[Send]) -> None:
        desk = self.desks[turn.seat]
        desk.close_turn(now)
        desk.strikes += 1
        self._course.choose(desk.seat, turn.legal[0], DecisionSource.TIMEOUT, turn.turn_id)
        text = "the turn ran out of time; its first legal action was played"
        out.append(Send(desk.seat, Refused(Refusal.TIMED_OUT, text, turn.turn_id, desk.strikes)))
        if desk.strikes >= self.spec.policy.strikes:
            self._forfeit(desk.seat, ForfeitReason.TIMEOUT, now, out)

    def _forfeit(self, seat: Seat, reason: ForfeitReason, now: int, out: list[Send], detail: str = "") -> None:
        desk = self.desks[seat]
        if desk.forfeited:
            return
        if (turn := desk.open_turn) is not None:
            desk.close_turn(now)
            self._course.choose(seat, turn.legal[0], DecisionSource.FORFEITED, turn.turn_id)
        desk.forfeited = True
        self._forfeits.append(Forfeit(seat, reason, len(self.decisions), self._instant, desk.ready))
        self._note_incident(seat, IncidentKind.FORFEITED, now, detail)
        out.append(Send(seat, Refused(Refusal.FORFEITED, f"forfeited: {reason.name.lower().replace('_', ' ')}")))

    # -- the course of the game -------------------------------------------------------------------------------------

    def _go_on(self, now: int, out: list[Send]) -> None:
        """Does whatever has become due: begin, play a step, ask, end."""
        if self.phase is Phase.OVER:
            return
        if sum(not desk.forfeited for desk in self.desks) <= 1:
            self._finish(Termination.FORFEIT, now, out)
        elif self.phase is Phase.WAITING:
            if all(desk.ready or desk.forfeited for desk in self.desks):
                self.phase = Phase.PLAYING
                self._next_step(self._course.deal(), now, out)
        elif self._course.decided:
            self._next_step(self._course.play(), now, out)

    def _next_step(self, news: list[Entry[Any]], now: int, out: list[Send]) -> None:
        """Tells the news and asks whoever is to act; plays on by itself while only forfeited seats are."""
        while True:
            self._hear(news)
            if not self._course.acting:
                self._finish(Termination.NORMAL, now, out)
                return
            for seat in self._course.acting:
                self._open_turn(seat, now, out)
            if not self._course.decided:
                break
            news = self._course.play()
        for desk in self.desks:
            if desk.open_turn is None:
                self._tell(desk, out)

    def _tell(self, desk: SeatDesk, out: list[Send]) -> None:
        if desk.wants_updates and desk.connected and desk.has_news:
            out.append(Send(desk.seat, desk.news(self._course.position.view(desk.seat))))

    def _open_turn(self, seat: Seat, now: int, out: list[Send]) -> None:
        desk, position = self.desks[seat], self._course.position
        legal = tuple(position.legal(seat))
        if desk.forfeited:
            self._course.choose(seat, legal[0], DecisionSource.FORFEITED, None)
        else:
            desk.begin_turn(now, legal, position.view(seat))
            out.append(Send(seat, desk.ask(now)))

    def _hear(self, news: list[Entry[Any]]) -> None:
        for entry in news:
            for desk in self.desks:
                if entry.reader is None or entry.reader == desk.seat:
                    desk.told.append(entry.event)

    def _finish(self, termination: Termination, now: int, out: list[Send], detail: str = "") -> None:
        outcome = self._course.outcome() if termination is Termination.NORMAL else None
        rules, scores = (outcome.places, outcome.scores) if outcome else (None, ())
        aborted = termination is Termination.ABORTED
        places = () if aborted else final_places(rules, self._forfeits, len(self.desks))
        for desk in self.desks:
            desk.finish(now)
        self.phase, self.over_us, self.abort_reason = Phase.OVER, now, detail
        self.result = MatchResult(termination, places, scores, tuple(self._forfeits))
        out.extend(self._end(desk) for desk in self.desks)

    def _end(self, desk: SeatDesk) -> Send:
        assert self.result is not None
        # After an abort nothing is asked of the rules any more: they may be what failed.
        shown = self._course.dealt and self.result.termination is not Termination.ABORTED
        return Send(desk.seat, desk.end(self.result, self._course.position.view(desk.seat) if shown else None))

    def _note_incident(self, seat: Seat, kind: IncidentKind, now: int, detail: str = "") -> None:
        self.incidents.append(Incident(seat, kind, now, detail))
