"""Checks of time: the stamps of every turn against the clock, and the verdicts against the stamps."""

from __future__ import annotations

from croupier_server.match.audit_play import cut_short
from croupier_server.match.faults import require
from croupier_server.match.record import DecisionSource, Incident, IncidentKind, MatchClock, MatchPlay, TurnStamp
from croupier_server.match.spec import ForfeitReason
from croupier_server.match.timing import US, SeatTime


def check_turns(play: MatchPlay, clock: MatchClock) -> str:
    """Each turn was allowed what the clock says; answers came within it, and time-outs after it."""
    sources = {(d.seat, d.turn_id): d.source for d in play.decisions if d.turn_id is not None}
    timed_out = {forfeit.seat for forfeit in play.result.forfeits if forfeit.reason is ForfeitReason.TIMEOUT}
    last = {stamp.seat: stamp.turn_id for stamp in clock.turns}
    for seat in timed_out.intersection(cut_short(play, clock)):
        sources[seat, last[seat]] = DecisionSource.TIMEOUT
    for seat in range(len(play.spec.seats)):
        time = SeatTime.full(play.spec.clock)
        stamps = [stamp for stamp in clock.turns if stamp.seat == seat]
        for number, stamp in enumerate(stamps, 1):
            place = f"seat {seat}, turn {stamp.turn_id}"
            require(stamp.turn_id == number, f"{place}: expected turn {number}")
            allowed = time.begin()
            require(stamp.allowed_us == allowed, f"{place}: allowed {stamp.allowed_us} us, the clock gives {allowed}")
            _check_span(place, stamp, clock)
            _check_verdict(place, stamp, sources.pop((seat, number), None))
            time.charge(stamp.own_us, allowed)
    require(not sources, f"turns: no stamp for {sorted(sources)[:3]}")
    require(list(clock.turns) == sorted(clock.turns, key=lambda s: (s.seat, s.turn_id)), "turns: out of order")
    return f"clock: {len(clock.turns)} turns against bank, increment and cap"


def _check_span(place: str, stamp: TurnStamp, clock: MatchClock) -> None:
    in_order = stamp.asked_us <= stamp.ended_us <= clock.over_us
    require(in_order, f"{place}: asked at {stamp.asked_us}, ended at {stamp.ended_us}, match over at {clock.over_us}")
    span = stamp.ended_us - stamp.asked_us
    require(stamp.host_us <= span, f"{place}: the host's part {stamp.host_us} us is longer than the turn, {span} us")


def _check_verdict(place: str, stamp: TurnStamp, source: DecisionSource | None) -> None:
    own, allowed = stamp.own_us, stamp.allowed_us
    if source is DecisionSource.BOT:
        require(own < allowed, f"{place}: answered after {own} us of its own, allowed {allowed}")
    elif source is DecisionSource.TIMEOUT:
        require(own >= allowed, f"{place}: timed out after {own} us of its own, allowed {allowed}")


def check_incidents(play: MatchPlay, clock: MatchClock) -> str:
    """Forfeits for lateness, absence and lost connections stand against their stamps."""
    times = [incident.at_us for incident in clock.incidents]
    require(times == sorted(times), "incidents: out of order")
    for forfeit in play.result.forfeits:
        place = f"seat {forfeit.seat}"
        own = [incident for incident in clock.incidents if incident.seat == forfeit.seat]
        ready = any(incident.kind is IncidentKind.READY for incident in own)
        require(ready == forfeit.was_ready, f"{place}: was_ready is {forfeit.was_ready}, its incidents say {ready}")
        gone = [incident for incident in own if incident.kind is IncidentKind.FORFEITED]
        require(len(gone) == 1, f"{place}: {len(gone)} incidents for one forfeit")
        if forfeit.reason is ForfeitReason.NOT_READY:
            start_up = play.spec.clock.start_up_ms * US
            late = not ready and gone[0].at_us >= start_up
            require(late, f"{place}: not ready at {gone[0].at_us} us, the allowance ends at {start_up}")
        elif forfeit.reason is ForfeitReason.DISCONNECT:
            away = gone[0].at_us - _last_left(own)
            grace = play.spec.clock.disconnect_grace_ms * US
            require(away >= grace, f"{place}: away for {away} us, the grace is {grace}")
    return f"incidents: {len(clock.incidents)}"


def _last_left(incidents: list[Incident]) -> int:
    left = [incident.at_us for incident in incidents if incident.kind is IncidentKind.DISCONNECTED]
    return left[-1] if left else 0
