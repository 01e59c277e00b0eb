"""The referee of one match: a state machine. Events and the time go in, messages to seats come out.

No sockets, no clock, no asyncio, no protobuf: time is microseconds since the match was opened, handed in with every
call. The same class runs in the server, under a virtual clock in simulations, and in-process without a network.

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
 7. Time and connections never void a match; only Abort does.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from croupier_server.match.record import Decision, DecisionSource, IllegalAnswer, Incident, IncidentKind, Note
from croupier_server.match.seat import OpenTurn, SeatDesk
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
    News,
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
from croupier_server.rules import AnyState, Chance, Draw, Entry, Recorder, Seat, Table


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
        self.decisions: list[Decision] = []
        self.illegal_answers: list[IllegalAnswer] = []
        self.incidents: list[Incident] = []
        self.notes: list[Note] = []
        self.desks = tuple(SeatDesk(seat, spec.clock) for seat in range(len(spec.seats)))
        self._recorder = Recorder(chance)
        self._table: Table[Any] = Table(self._recorder)
        self._state: AnyState | None = None
        self._forfeits: list[Forfeit] = []
        self._choices: dict[Seat, tuple[Any, DecisionSource, int | None]] = {}
        self._acting: tuple[Seat, ...] = ()
        self._step = 0
        self._start_up_us = spec.clock.start_up_ms * US
        self._instant = 0  # forfeits recorded during one call share it

    @property
    def draws(self) -> Sequence[Draw]:
        """What chance has given so far."""
        return self._recorder.draws

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
        if self.phase is Phase.OVER:
            if isinstance(event, Joined):
                self._rejoin_ended(event, out)
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
                self._finish(MatchResult(Termination.ABORTED, (), (), tuple(self._forfeits)), now, out, reason)
        self._go_on(now, out)
        return out

    def tick(self, now: int) -> list[Send]:
        """Judges every deadline that has passed by now and returns what is to be sent."""
        out: list[Send] = []
        if self.phase is Phase.OVER:
            return out
        self._instant = len(self._forfeits) + 1
        if self.phase is Phase.WAITING and now >= self._start_up_us:
            for desk in self.desks:
                if not desk.ready:
                    self._forfeit(desk.seat, ForfeitReason.NOT_READY, now, out)
        for desk in self.desks:
            if desk.grace_ends_us is not None and now >= desk.grace_ends_us and not desk.forfeited:
                self._forfeit(desk.seat, ForfeitReason.DISCONNECT, now, out)
        for desk in self.desks:
            if desk.open_turn is not None and now >= desk.open_turn.deadline_us:
                self._time_out(desk.open_turn, now, out)
        self._go_on(now, out)
        return out

    # -- connections ------------------------------------------------------------------------------------------------

    def _join(self, event: Joined, now: int, out: list[Send]) -> None:
        desk = self.desks[event.seat]
        came_back = desk.join(event.wants_updates, event.last_sequence)
        if came_back:
            self._note_incident(desk.seat, IncidentKind.RESUMED, now)
        if event.last_sequence is None:
            out.append(Send(desk.seat, Start()))
        if desk.forfeited:
            out.append(Send(desk.seat, Refused(Refusal.FORFEITED, "this seat has forfeited the match")))
        elif desk.open_turn is not None:
            out.append(Send(desk.seat, self._ask(desk.open_turn, desk.open_turn.deadline_us - now)))
        elif self.phase is Phase.PLAYING:
            self._tell(desk, out)

    def _rejoin_ended(self, event: Joined, out: list[Send]) -> None:
        desk = self.desks[event.seat]
        desk.join(event.wants_updates, event.last_sequence)
        if event.last_sequence is None:
            out.append(Send(desk.seat, Start()))
        out.append(Send(desk.seat, self._end(desk)))

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
        if event.seat is None:
            self._start_up_us += event.us
        for desk in self.desks:
            if event.seat in (None, desk.seat):
                desk.host_delay(event.us, moves_grace=event.seat is None)

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
        action, broken = self._judge(turn, event.choice)
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
        self._choices[desk.seat] = (action, DecisionSource.BOT, turn.turn_id)

    def _judge(self, turn: OpenTurn, choice: Any) -> tuple[Any, str | None]:
        """The action that a choice stands for, and the rule that it breaks or None."""
        if isinstance(choice, int):
            if 0 <= choice < len(turn.legal):
                return turn.legal[choice], None
            return None, f"index {choice} is outside the list of {len(turn.legal)} legal actions"
        if choice is None:
            return None, "the answer names no action of this game"
        if choice in turn.legal:
            return choice, None
        assert self._state is not None
        return choice, self._state.broken_rule(turn.seat, choice)

    def _time_out(self, turn: OpenTurn, now: int, out: list[Send]) -> None:
        desk = self.desks[turn.seat]
        desk.close_turn(now)
        desk.strikes += 1
        self._choices[desk.seat] = (turn.legal[0], DecisionSource.TIMEOUT, turn.turn_id)
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
            self._choices[seat] = (turn.legal[0], DecisionSource.FORFEITED, turn.turn_id)
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
            places = final_places(None, self._forfeits, len(self.desks))
            self._finish(MatchResult(Termination.FORFEIT, places, (), tuple(self._forfeits)), now, out)
        elif self.phase is Phase.WAITING:
            if all(desk.ready or desk.forfeited for desk in self.desks):
                self.phase = Phase.PLAYING
                self._state = self.spec.game.deal(self.spec.options, len(self.desks), self._table)
                self._ask_all(now, out)
        elif len(self._choices) == len(self._acting):
            self._play_step()
            self._ask_all(now, out)

    def _play_step(self) -> None:
        assert self._state is not None
        self._step += 1
        for seat, (action, source, turn_id) in sorted(self._choices.items()):
            self.decisions.append(Decision(self._step, seat, turn_id, action, source))
        choices = {seat: action for seat, (action, _, _) in sorted(self._choices.items())}
        self._choices = {}
        self._state = self._state.play(choices, self._table)

    def _ask_all(self, now: int, out: list[Send]) -> None:
        """Asks whoever is to act now, playing on by itself while only forfeited seats are."""
        assert self._state is not None
        while True:
            self._collect(self._table.news)
            self._acting = self._state.to_act()
            if not self._acting:
                outcome = self._state.outcome()
                assert outcome is not None, "nobody is to act, yet the game is not over"
                places = final_places(outcome.places, self._forfeits, len(self.desks))
                result = MatchResult(Termination.NORMAL, places, outcome.scores, tuple(self._forfeits))
                self._finish(result, now, out)
                return
            for seat in self._acting:
                desk, legal = self.desks[seat], tuple(self._state.legal(seat))
                if desk.forfeited:
                    self._choices[seat] = (legal[0], DecisionSource.FORFEITED, None)
                else:
                    turn = desk.begin_turn(now, legal, self._state.view(seat))
                    out.append(Send(seat, self._ask(turn, turn.allowed_us)))
            if len(self._choices) < len(self._acting):
                break
            self._play_step()
        for desk in self.desks:
            if desk.open_turn is None:
                self._tell(desk, out)

    def _collect(self, news: list[Entry[Any]]) -> None:
        for entry in news:
            for desk in self.desks:
                if entry.reader is None or entry.reader == desk.seat:
                    desk.told.append(entry.event)
        news.clear()

    def _finish(self, result: MatchResult, now: int, out: list[Send], detail: str = "") -> None:
        self._collect(self._table.news)
        for desk in self.desks:
            if desk.open_turn is not None:
                desk.close_turn(now)
        self.phase, self.result, self.over_us, self._choices = Phase.OVER, result, now, {}
        self.abort_reason = detail
        out.extend(Send(desk.seat, self._end(desk)) for desk in self.desks)

    # -- messages ---------------------------------------------------------------------------------------------------

    def _ask(self, turn: OpenTurn, remaining_us: int) -> Ask:
        desk = self.desks[turn.seat]
        events, last = desk.take_news()
        return Ask(turn.turn_id, turn.view, events, last, turn.legal, max(remaining_us, 0), turn.bank_us, desk.strikes)

    def _tell(self, desk: SeatDesk, out: list[Send]) -> None:
        if desk.wants_updates and desk.connected and desk.has_news:
            assert self._state is not None
            events, last = desk.take_news()
            out.append(Send(desk.seat, News(events, last, self._state.view(desk.seat))))

    def _end(self, desk: SeatDesk) -> Message:
        assert self.result is not None
        events, last = desk.take_news()
        view = None if self._state is None else self._state.view(desk.seat)
        return End(self.result, events, last, view)

    def _note_incident(self, seat: Seat, kind: IncidentKind, now: int, detail: str = "") -> None:
        self.incidents.append(Incident(seat, kind, now, detail))
