"""A record laid out for its audit: every step of the replayed game, and each acting seat's decision and time in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from croupier_server.match.faults import Fault, require
from croupier_server.match.record import Decision, IncidentKind, MatchClock, MatchNotes, MatchPlay, TurnStamp
from croupier_server.match.replay import CheckedChance, DivergedError, Position, replay
from croupier_server.rules import ChanceError, KeyedChance, RecordedChance, Seat


@dataclass(frozen=True, slots=True)
class Part:
    """One seat's part in a step."""

    seat: Seat
    decision: Decision | None  # None: the match ended before the step took effect
    stamp: TurnStamp | None  # None: the seat was not asked

    @property
    def turn_id(self) -> int | None:
        """The seat's turn, None when it was not asked."""
        return None if self.stamp is None else self.stamp.turn_id


@dataclass(frozen=True, slots=True)
class Step:
    """A step that took effect or, as the last one, was open or impossible when the match ended."""

    position: Position
    parts: tuple[Part, ...]  # by seat; empty when the game is over
    before: int  # how many decisions had taken effect
    asked_us: int
    ended_us: int

    @property
    def number(self) -> int:
        """From 1."""
        return self.position.step


@dataclass(frozen=True, slots=True)
class Case:
    """A record and its steps; without steps the match never began."""

    play: MatchPlay
    clock: MatchClock
    notes: MatchNotes | None
    steps: tuple[Step, ...]

    @property
    def seats(self) -> range:
        """Every seat."""
        return range(len(self.play.spec.seats))


def lay_out(play: MatchPlay, clock: MatchClock, notes: MatchNotes | None) -> Case:
    """Replays the game and gives every stamp its step.

    Raises Fault for luck that is not the block key's, for decisions that the rules do not ask for, and for stamps that
    do not fit them. Relies on the stamps of a seat standing in order of their turns.
    """
    luck = RecordedChance(play.draws)
    try:
        positions = tuple(replay(play, clock, CheckedChance(luck, KeyedChance(play.block_key))))
    except (DivergedError, ChanceError) as error:
        raise Fault(str(error)) from error
    require(luck.left == 0, f"draws: {luck.left} more than the rules ask for")
    return Case(play, clock, notes, tuple(_steps(positions, clock, range(len(play.spec.seats)))))


def _steps(positions: Iterable[Position], clock: MatchClock, seats: range) -> Iterator[Step]:
    stamps = {seat: deque(stamp for stamp in clock.turns if stamp.seat == seat) for seat in seats}
    now, before = 0, 0
    for position in positions:
        now = now if before else _begun_us(clock, seats)
        if position.decisions:
            parts = [Part(d.seat, d, _stamp_of(d, stamps[d.seat])) for d in position.decisions]
        else:
            open_turns = [(seat, stamps[seat]) for seat in position.state.to_act()]
            parts = [Part(seat, None, left.popleft() if left else None) for seat, left in open_turns]
        ended = max([part.stamp.ended_us for part in parts if part.stamp is not None], default=now)
        yield Step(position, tuple(parts), before, now, ended)
        now, before = ended, before + len(position.decisions)
    for seat, left in stamps.items():
        require(not left, f"turns: seat {seat} has {len(left)} stamps of turns that it was not asked")


def _stamp_of(decision: Decision, left: deque[TurnStamp]) -> TurnStamp | None:
    """The stamp of a decision, which must be the next that is left of its seat."""
    if decision.turn_id is None:
        return None
    found = f"turn {left[0].turn_id}" if left else "none"
    fits = bool(left) and left[0].turn_id == decision.turn_id
    require(fits, f"step {decision.step}, seat {decision.seat}: turn {decision.turn_id}, its next stamp is {found}")
    return left.popleft()


def _begun_us(clock: MatchClock, seats: range) -> int:
    """When the last seat was ready or gone."""
    settled: dict[Seat, int] = {}
    for incident in clock.incidents:
        if incident.kind in (IncidentKind.READY, IncidentKind.FORFEITED):
            settled.setdefault(incident.seat, incident.at_us)
    for seat in seats:
        require(seat in settled, f"seat {seat}: neither ready nor gone, yet the match began")
    return max(settled.values())
