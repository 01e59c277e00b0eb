"""Checks of forfeits: strikes, reasons, their order, and what was asked of a seat before and after."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from croupier_server.match.case import Case, Part, Step
from croupier_server.match.faults import require
from croupier_server.match.record import DecisionSource, IncidentKind
from croupier_server.match.spec import Forfeit, ForfeitReason, Termination
from croupier_server.match.timing import US

_SETTLED = (IncidentKind.READY, IncidentKind.FORFEITED)
_BY_STRIKES = (ForfeitReason.TIMEOUT, ForfeitReason.ILLEGAL_ACTION)


def check_forfeits(case: Case) -> str:
    """Every forfeit has its incident, its place in the order, and a reason that the rest of the record bears out."""
    forfeits = case.play.result.forfeits
    gone = [incident for incident in case.clock.incidents if incident.kind is IncidentKind.FORFEITED]
    found, expected = [incident.seat for incident in gone], [forfeit.seat for forfeit in forfeits]
    require(found == expected, f"forfeits: of seats {expected}, the incidents say {found}")
    _check_instants(forfeits, [incident.at_us for incident in gone])
    for forfeit, incident in zip(forfeits, gone, strict=True):
        _check_moment(case, forfeit, incident.at_us)
        _check_reason(case, forfeit, incident.at_us)
    return f"forfeits: {len(forfeits)}"


def _check_instants(forfeits: tuple[Forfeit, ...], times: list[int]) -> None:
    for index, forfeit in enumerate(forfeits):
        same = index > 0 and forfeit.instant == forfeits[index - 1].instant
        fits = same or forfeit.instant == index + 1
        require(fits, f"forfeits: item {index + 1} is of instant {forfeit.instant}, expected {index + 1}")
    for (earlier, later), (before, after) in zip(pairwise(forfeits), pairwise(times), strict=True):
        in_order = earlier.decisions_before <= later.decisions_before
        require(in_order, f"forfeits: of seat {later.seat} after that of {earlier.seat}, yet of fewer decisions")
        if earlier.instant == later.instant:
            together = before == after and earlier.decisions_before == later.decisions_before
            require(together, f"forfeits: of seats {earlier.seat} and {later.seat} in one instant, at different times")
    late = {forfeit.instant for forfeit in forfeits if forfeit.reason is ForfeitReason.NOT_READY}
    require(len(late) <= 1, f"forfeits: seats were not ready at different instants, {sorted(late)}")


def _check_moment(case: Case, forfeit: Forfeit, at_us: int) -> None:
    """The forfeit fell in the step that was open after `decisions_before` decisions, or before the first."""
    place = f"forfeit of seat {forfeit.seat}"
    kinds = {incident.kind for incident in case.clock.incidents if incident.seat == forfeit.seat}
    ready = IncidentKind.READY in kinds
    require(ready == forfeit.was_ready, f"{place}: was_ready is {forfeit.was_ready}, its incidents say {ready}")
    step = _open_step(case, forfeit)
    if step is None:
        known = not case.steps and forfeit.decisions_before == 0
        require(known, f"{place}: no step was open after {forfeit.decisions_before} decisions")
        return
    first = 0 if step.before == 0 else step.asked_us
    last = case.clock.over_us if step is case.steps[-1] else step.ended_us
    require(first <= at_us <= last, f"{place}: at {at_us} us, step {step.number} was open from {first} to {last}")


def _open_step(case: Case, forfeit: Forfeit) -> Step | None:
    for step in case.steps:
        if step.before == forfeit.decisions_before and step.parts:
            return step
    return None


def _last_part(case: Case, forfeit: Forfeit) -> Part | None:
    """The seat's part in the step in which it forfeited; None when it was not asked."""
    step = _open_step(case, forfeit)
    parts = [part for part in step.parts if part.seat == forfeit.seat] if step else []
    return parts[0] if parts and parts[0].stamp is not None else None


def _check_reason(case: Case, forfeit: Forfeit, at_us: int) -> None:
    place, spec = f"forfeit of seat {forfeit.seat}", case.play.spec
    part = _last_part(case, forfeit)
    source = part.decision.source if part and part.decision else None
    match forfeit.reason:
        case ForfeitReason.TIMEOUT:
            late = part is not None and part.stamp is not None and part.stamp.own_us >= part.stamp.allowed_us
            late = late and source in (None, DecisionSource.TIMEOUT)
            require(late, f"{place}: for a time-out, but its last turn did not run out of time")
        case ForfeitReason.ILLEGAL_ACTION:
            turns = [answer.turn_id for answer in case.play.illegal_answers if answer.seat == forfeit.seat]
            refused = part is not None and bool(turns) and turns[-1] == part.turn_id
            refused = refused and source in (None, DecisionSource.FORFEITED)
            require(refused, f"{place}: for an illegal answer, but none ended its last turn")
        case ForfeitReason.NOT_READY:
            start_up = spec.clock.start_up_ms * US
            late = not forfeit.was_ready and at_us >= start_up
            require(late, f"{place}: not ready at {at_us} us, the allowance ends at {start_up}")
            settled = {i.seat for i in case.clock.incidents if i.kind in _SETTLED and i.at_us <= at_us}
            spared = sorted(set(case.seats) - settled)
            require(not spared, f"{place}: not ready at {at_us} us, and neither was seat {spared[:1]}")
        case ForfeitReason.DISCONNECT:
            left, grace = _left_us(case, forfeit.seat), spec.clock.disconnect_grace_ms * US
            away = forfeit.was_ready and left is not None and at_us - left >= grace
            require(away, f"{place}: at {at_us} us, away since {left}, the grace is {grace}")
    if forfeit.reason in _BY_STRIKES and part is not None and part.stamp is not None:
        ended = part.stamp.ended_us
        require(ended == at_us, f"{place}: at {at_us} us, the turn of its last strike ended at {ended}")


def _left_us(case: Case, seat: int) -> int | None:
    """Since when the seat had been without a connection at its forfeit; None when it had one."""
    left: int | None = None
    for incident in case.clock.incidents:
        if incident.seat != seat:
            continue
        if incident.kind is IncidentKind.DISCONNECTED:
            left = incident.at_us
        elif incident.kind is IncidentKind.RESUMED:
            left = None
        elif incident.kind is IncidentKind.FORFEITED:
            break
    return left


def check_strikes(case: Case) -> str:
    """Strikes add up to the forfeits that they cost."""
    forfeits = {forfeit.seat: forfeit for forfeit in case.play.result.forfeits}
    strikes: Counter[int] = Counter(answer.seat for answer in case.play.illegal_answers)
    strikes.update(d.seat for d in case.play.decisions if d.source is DecisionSource.TIMEOUT)
    for forfeit in forfeits.values():
        part = _last_part(case, forfeit)
        if forfeit.reason is ForfeitReason.TIMEOUT and part is not None and part.decision is None:
            strikes[forfeit.seat] += 1  # the time-out that ended the match, and so was not played
    limit = case.play.spec.policy.strikes
    for seat in case.seats:
        by_strikes = seat in forfeits and forfeits[seat].reason in _BY_STRIKES
        enough = strikes[seat] == limit if by_strikes else strikes[seat] < limit
        require(enough, f"seat {seat}: {strikes[seat]} strikes of {limit}, forfeit {forfeits.get(seat)}")
    return f"strikes: {sum(strikes.values())}"


def check_asked(case: Case) -> str:
    """A seat is asked until it forfeits and never after; the fallback plays for it from the turn that was open then."""
    forfeits = {forfeit.seat: forfeit for forfeit in case.play.result.forfeits}
    gone = {i.seat: i.at_us for i in case.clock.incidents if i.kind is IncidentKind.FORFEITED}
    for step in case.steps:
        for part in step.parts:
            place = f"step {step.number}, seat {part.seat}"
            forfeit = forfeits.get(part.seat)
            if forfeit is None or forfeit.decisions_before > step.before:
                _check_present(place, part, aborted=case.play.result.termination is Termination.ABORTED)
            elif forfeit.decisions_before == step.before and part.stamp is not None:
                _check_going(place, part, part.stamp.ended_us, gone[part.seat])
            else:
                _check_absent(place, part, step, gone[part.seat])
    return "turns: asked of every seat that had not forfeited"


def _check_present(place: str, part: Part, *, aborted: bool) -> None:
    asked = part.stamp is not None or (aborted and part.decision is None)
    require(asked, f"{place}: was not asked, though it had not forfeited")
    fallback = part.decision is not None and part.decision.source is DecisionSource.FORFEITED
    require(not fallback, f"{place}: the fallback for a forfeited seat, though it had not forfeited")


def _check_going(place: str, part: Part, ended_us: int, gone_us: int) -> None:
    cut_off = part.decision is not None and part.decision.source is DecisionSource.FORFEITED
    fits = ended_us == gone_us if cut_off else ended_us <= gone_us
    require(fits, f"{place}: its turn ended at {ended_us} us, its forfeit was at {gone_us}")


def _check_absent(place: str, part: Part, step: Step, gone_us: int) -> None:
    fallback = part.decision is None or part.decision.source is DecisionSource.FORFEITED
    require(part.stamp is None and fallback, f"{place}: was asked after its forfeit")
    require(gone_us <= step.asked_us, f"{place}: was not asked, though it forfeited at {gone_us} us only")
