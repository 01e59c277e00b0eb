"""Checks of what was done: fallbacks, refusals, notes and the outcome. Luck and legality were checked by the replay."""

from __future__ import annotations

import re
from collections.abc import Sequence

from croupier_server.match.case import Case, Part, Step
from croupier_server.match.faults import require
from croupier_server.match.record import DecisionSource, IllegalAnswer
from croupier_server.match.spec import MatchResult, Termination
from croupier_server.match.verdict import final_places

_NO_ACTION = re.compile(
    r"the answer names no action of this game|index (-?\d{1,20}) is outside the list of (\d{1,20}) legal actions"
)


def check_decisions(case: Case) -> str:
    """Every fallback is the first legal action, and whoever was asked decided by itself or ran out of time."""
    for step in case.steps:
        for part in step.parts:
            if (decision := part.decision) is None:
                continue
            place = f"step {step.number}, seat {part.seat}"
            if decision.source is not DecisionSource.FORFEITED:
                require(decision.turn_id is not None, f"{place}: {decision.source.name.lower()} without a turn")
            if decision.source is not DecisionSource.BOT:
                expected = step.position.state.legal(part.seat)[0]
                require(decision.action == expected, f"{place}: fallback {decision.action}, expected {expected}")
    play = case.play
    return f"draws and legality: {len(play.draws)} draws, {len(play.decisions)} decisions replayed"


def check_refusals(case: Case) -> str:
    """Every refused answer was to a turn of its seat, and deserved it."""
    by_turn: dict[tuple[int, int | None], list[IllegalAnswer]] = {}
    for answer in case.play.illegal_answers:
        by_turn.setdefault((answer.seat, answer.turn_id), []).append(answer)
    for step in case.steps:
        for part in step.parts:
            _check_refusals(step, part, by_turn.pop((part.seat, part.turn_id), ()))
    for seat, turn_id in by_turn:
        require(False, f"illegal answers: seat {seat} was never asked turn {turn_id}")
    return f"refusals: {len(case.play.illegal_answers)} illegal answers"


def _check_refusals(step: Step, part: Part, answers: Sequence[IllegalAnswer]) -> None:
    state = step.position.state
    legal = frozenset(state.legal(part.seat)) if answers else frozenset()
    for answer in answers:
        place = f"seat {answer.seat}, turn {answer.turn_id}"
        if answer.action is None:
            fits = _names_no_action(answer.broken_rule, len(legal))
            require(fits, f"{place}: refused for {answer.broken_rule!r}, which says nothing of {len(legal)} actions")
            continue
        require(answer.action not in legal, f"{place}: {answer.action} was refused and is legal")
        expected = state.broken_rule(part.seat, answer.action)
        require(answer.broken_rule == expected, f"{place}: refused for {answer.broken_rule!r}, expected {expected!r}")


def _names_no_action(reason: str, count: int) -> bool:
    """Whether an answer that named none of `count` actions was refused for that."""
    found = _NO_ACTION.fullmatch(reason)
    if found is None or found[1] is None:
        return found is not None
    return int(found[2]) == count and not 0 <= int(found[1]) < count


def check_notes(case: Case) -> str:
    """Every note went with an answer."""
    if case.notes is None:
        return "notes: removed"
    answered = {
        (part.seat, part.turn_id)
        for step in case.steps
        for part in step.parts
        if part.decision is None or part.decision.source is DecisionSource.BOT
    }
    for note in case.notes.notes:
        place = f"notes: seat {note.seat}, turn {note.turn_id}"
        require((note.seat, note.turn_id) in answered, f"{place}: no answer that it could have come with")
    return f"notes: {len(case.notes.notes)}"


def check_outcome(case: Case) -> str:
    """Termination, places and scores are what the rules and the forfeits make of the play."""
    result, seats = case.play.result, len(case.seats)
    outcome = case.steps[-1].position.state.outcome() if case.steps else None
    left = seats - len(result.forfeits)
    if outcome is not None:
        require(left > 1, f"outcome: the game was played to its end, with {left} seats that had not forfeited")
        places = final_places(outcome.places, result.forfeits, seats)
        expected = MatchResult(Termination.NORMAL, places, outcome.scores, result.forfeits)
    elif left > 1:
        expected = MatchResult(Termination.ABORTED, forfeits=result.forfeits)
    else:
        last = result.forfeits[-1].instant
        earlier = sum(forfeit.instant < last for forfeit in result.forfeits)
        require(seats - earlier > 1, f"outcome: forfeits of instant {last}, when the match had ended already")
        expected = MatchResult(Termination.FORFEIT, final_places(None, result.forfeits, seats), (), result.forfeits)
    require(result == expected, f"outcome: found {result}, expected {expected}")
    if result.termination is Termination.ABORTED:
        return "outcome: aborted, does not count"
    return f"outcome: {result.termination.name.lower()}, places {result.places}, scores {result.scores or 'none'}"
