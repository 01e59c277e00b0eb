"""Checks of time: the stamps of every turn against the clock and the course of the game."""

from __future__ import annotations

from croupier_server.match.case import Case, Part
from croupier_server.match.faults import require
from croupier_server.match.record import DecisionSource, TurnStamp
from croupier_server.match.spec import Termination
from croupier_server.match.timing import SeatTime


def check_turns(case: Case) -> str:
    """Each turn began when the step before it ended, and lasted as the clock and its verdict say."""
    times = [SeatTime.full(case.play.spec.clock) for _ in case.seats]
    for step in case.steps:
        for part in step.parts:
            if (stamp := part.stamp) is None:
                continue
            place = f"seat {part.seat}, turn {stamp.turn_id}"
            due, asked = step.asked_us, stamp.asked_us
            require(asked == due, f"{place}: asked at {asked} us, step {step.number} began at {due}")
            allowed = times[part.seat].begin()
            require(stamp.allowed_us == allowed, f"{place}: allowed {stamp.allowed_us} us, the clock gives {allowed}")
            _check_span(place, stamp, case.clock.over_us)
            _check_verdict(place, part, stamp)
            times[part.seat].charge(stamp.own_us, allowed)
    _check_end(case)
    return f"clock: {len(case.clock.turns)} turns against bank, increment and cap"


def _check_span(place: str, stamp: TurnStamp, over_us: int) -> None:
    in_order = stamp.asked_us <= stamp.ended_us <= over_us
    require(in_order, f"{place}: asked at {stamp.asked_us}, ended at {stamp.ended_us}, match over at {over_us}")
    span = stamp.ended_us - stamp.asked_us
    require(stamp.host_us <= span, f"{place}: the host's part {stamp.host_us} us is longer than the turn, {span} us")


def _check_verdict(place: str, part: Part, stamp: TurnStamp) -> None:
    own, allowed = stamp.own_us, stamp.allowed_us
    source = None if part.decision is None else part.decision.source
    if source is DecisionSource.BOT:
        in_time = own < allowed or own == 0  # a host's delay may outlast even a turn that allows nothing
        require(in_time, f"{place}: answered after {own} us of its own, allowed {allowed}")
    elif source is DecisionSource.TIMEOUT:
        require(own >= allowed, f"{place}: timed out after {own} us of its own, allowed {allowed}")


def _check_end(case: Case) -> None:
    """The match was over when its last step was, which is also when whoever was last to forfeit did."""
    over, termination = case.clock.over_us, case.play.result.termination
    if termination is Termination.ABORTED:
        return
    if case.steps:
        ended = case.steps[-1].ended_us
        require(over == ended, f"over at {over} us, the last step ended at {ended}")
    if termination is Termination.FORFEIT:
        last = max([incident.at_us for incident in case.clock.incidents])
        require(over == last, f"over at {over} us, the last forfeit was at {last}")
