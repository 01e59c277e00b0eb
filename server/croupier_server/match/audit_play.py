"""Checks of what was done: luck, legality, strikes, forfeits and the outcome."""

from __future__ import annotations

from collections import Counter

from croupier_server.match.faults import Fault, require
from croupier_server.match.record import Decision, DecisionSource, IllegalAnswer, MatchClock, MatchPlay
from croupier_server.match.replay import CheckedChance, DivergedError, Position, replay
from croupier_server.match.spec import ForfeitReason, MatchResult, Termination
from croupier_server.match.verdict import final_places
from croupier_server.rules import AnyState, ChanceError, KeyedChance, Outcome, RecordedChance


def check_decisions(play: MatchPlay, clock: MatchClock) -> str:
    """Every draw is the key's, every action legal, every fallback the first legal action, every refusal deserved."""
    luck = RecordedChance(play.draws)
    refused = list(play.illegal_answers)
    try:
        for position in replay(play, CheckedChance(luck, KeyedChance(play.block_key))):
            for decision in position.decisions:
                _check_fallback(position, decision)
            refused = _check_refusals(position, refused, clock)
    except (DivergedError, ChanceError) as error:
        raise Fault(str(error)) from error
    require(luck.left == 0, f"draws: {luck.left} more than the rules ask for")
    require(not refused, f"illegal answers: {refused[:1]} belongs to no turn of the match")
    return f"draws and legality: {len(play.draws)} draws, {len(play.decisions)} decisions replayed"


def _check_fallback(position: Position, decision: Decision) -> None:
    if decision.source is not DecisionSource.BOT:
        first = position.state.legal(decision.seat)[0]
        found = decision.action
        require(found == first, f"step {position.step}, seat {decision.seat}: fallback {found}, expected {first}")


def _check_refusals(position: Position, refused: list[IllegalAnswer], clock: MatchClock) -> list[IllegalAnswer]:
    """Checks the refusals of the turns that are open in this position; returns the others."""
    if position.decisions:
        open_turns = {decision.seat: decision.turn_id for decision in position.decisions}
    else:  # the match ended here: turns that got no decision are each seat's last
        last = {stamp.seat: stamp.turn_id for stamp in clock.turns}
        open_turns = {seat: last.get(seat) for seat in position.state.to_act()}
    left = []
    for answer in refused:
        if open_turns.get(answer.seat) != answer.turn_id:
            left.append(answer)
        elif answer.action is not None:
            _check_refusal(position.state, answer)
    return left


def _check_refusal(state: AnyState, answer: IllegalAnswer) -> None:
    place = f"seat {answer.seat}, turn {answer.turn_id}"
    require(answer.action not in state.legal(answer.seat), f"{place}: {answer.action} was refused and is legal")
    expected = state.broken_rule(answer.seat, answer.action)
    require(answer.broken_rule == expected, f"{place}: refused for {answer.broken_rule!r}, expected {expected!r}")


def check_strikes(play: MatchPlay, clock: MatchClock) -> str:
    """Strikes add up to the forfeits that they cost, and a forfeited seat decides nothing."""
    forfeits = {forfeit.seat: forfeit for forfeit in play.result.forfeits}
    strikes: Counter[int] = Counter(answer.seat for answer in play.illegal_answers)
    strikes.update(d.seat for d in play.decisions if d.source is DecisionSource.TIMEOUT)
    strikes.update(seat for seat in cut_short(play, clock) if forfeits[seat].reason is ForfeitReason.TIMEOUT)
    require(len(forfeits) == len(play.result.forfeits), "forfeits: a seat forfeited twice")
    limit = play.spec.policy.strikes
    for seat in range(len(play.spec.seats)):
        forfeit = forfeits.get(seat)
        by_strikes = forfeit is not None and forfeit.reason in (ForfeitReason.TIMEOUT, ForfeitReason.ILLEGAL_ACTION)
        enough = strikes[seat] == limit if by_strikes else strikes[seat] < limit
        require(enough, f"seat {seat}: {strikes[seat]} strikes of {limit}, forfeit {forfeit}")
    for index, decision in enumerate(play.decisions):
        forfeit = forfeits.get(decision.seat)
        gone = forfeit is not None and index >= forfeit.decisions_before
        fallback = decision.source is DecisionSource.FORFEITED
        require(gone or not fallback, f"decision {index + 1}: seat {decision.seat} had not forfeited")
        if forfeit is not None and gone and decision.step > play.decisions[forfeit.decisions_before].step:
            never_asked = fallback and decision.turn_id is None
            require(never_asked, f"decision {index + 1}: seat {decision.seat} was asked after its forfeit")
    return f"strikes and forfeits: {sum(strikes.values())} strikes, {len(forfeits)} forfeits"


def cut_short(play: MatchPlay, clock: MatchClock) -> list[int]:
    """The forfeited seats whose last turn got no decision, since their forfeit ended the match."""
    decided = {(decision.seat, decision.turn_id) for decision in play.decisions}
    last = {stamp.seat: stamp.turn_id for stamp in clock.turns}
    seats = [forfeit.seat for forfeit in play.result.forfeits]
    return [seat for seat in seats if seat in last and (seat, last[seat]) not in decided]


def check_outcome(play: MatchPlay, _clock: MatchClock) -> str:
    """Termination, places and scores are what the rules and the forfeits make of the play."""
    outcome: Outcome | None = None
    for position in replay(play, RecordedChance(play.draws)):
        outcome = position.state.outcome()
    result, seats = play.result, len(play.spec.seats)
    if result.termination is Termination.ABORTED:
        empty = MatchResult(Termination.ABORTED, forfeits=result.forfeits)
        require(result == empty, "outcome: an aborted match has neither places nor scores")
        return "outcome: aborted, does not count"
    if outcome is None:
        require(len(result.forfeits) >= seats - 1, "outcome: the game did not end, and two seats had not forfeited")
        expected = MatchResult(Termination.FORFEIT, final_places(None, result.forfeits, seats), (), result.forfeits)
    else:
        places = final_places(outcome.places, result.forfeits, seats)
        expected = MatchResult(Termination.NORMAL, places, outcome.scores, result.forfeits)
    require(result == expected, f"outcome: found {result}, expected {expected}")
    return f"outcome: {result.termination.name.lower()}, places {result.places}, scores {result.scores or 'none'}"
