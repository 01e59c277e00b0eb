"""A record as text that a person reads: the match, the luck, every decision with what was told, and the end.

Generic over games: actions in their notation, events and views field by field with the texts of their codes.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from enum import Enum
from typing import Any

from croupier_server.match.record import Decision, DecisionSource, MatchClock, MatchPlay, TurnStamp
from croupier_server.match.replay import Position
from croupier_server.match.verify import Verified
from croupier_server.rules import Codes, Entry, NumberDraw, options_values

_SOURCE = {
    DecisionSource.BOT: "",
    DecisionSource.TIMEOUT: "  (out of time: the fallback)",
    DecisionSource.FORFEITED: "  (forfeited: the fallback)",
}


def playthrough(verified: Verified) -> Iterator[str]:
    """The lines of a playthrough."""
    play, clock = verified.play, verified.clock
    yield from _head(play, clock)
    stamps = {(stamp.seat, stamp.turn_id): stamp for stamp in clock.turns}
    for position in verified.positions:
        yield from _position(play, position, stamps)
    yield from _end(play, clock)


def value_text(value: Any, hint: Any = None) -> str:
    """A value for people: codes as their texts, enums as their names, tuples in brackets."""
    if typing.get_origin(hint) is typing.Annotated:
        codes = next((extra for extra in typing.get_args(hint)[1:] if isinstance(extra, Codes)), None)
        if codes is not None and isinstance(value, int):
            return codes.text(value)
    arguments = [argument for argument in typing.get_args(hint) if argument not in (type(None), ...)]
    if isinstance(value, tuple):
        return "[" + " ".join(value_text(item, arguments[0] if arguments else None) for item in value) + "]"
    if isinstance(value, Enum):
        return value.name.lower().replace("_", " ")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if arguments and value is not None:
        return value_text(value, arguments[0])
    return "-" if value is None else str(value)


def fields_text(value: Any) -> str:
    """A dataclass as `name value, name value`."""
    hints = typing.get_type_hints(type(value), include_extras=True)
    return ", ".join(
        f"{field.name.replace('_', ' ')} {value_text(getattr(value, field.name), hints[field.name])}"
        for field in dataclasses.fields(value)
    )


def event_text(event: Any) -> str:
    """An event: what happened, and its fields."""
    name = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in type(event).__name__).strip()
    details = fields_text(event)
    return f"{name}: {details}" if details else name


def _head(play: MatchPlay, clock: MatchClock) -> Iterator[str]:
    spec = play.spec
    options = ", ".join(f"{key} {value}" for key, value in options_values(spec.options).items())
    yield f"{spec.game.title} ({spec.game.id}, behavior {spec.behavior}): {options}"
    yield f"cup {spec.identity.cup}, block {spec.identity.block}, seating {spec.identity.seating}"
    yield f"match {clock.match_id}, attempt {clock.attempt}"
    for seat, who in enumerate(spec.seats):
        yield f"seat {seat}: {who.entrant}"
    for draw in play.draws:
        if isinstance(draw, NumberDraw):
            yield f"luck {draw.label}: {draw.value} of {draw.bound}"
        else:
            yield f"luck {draw.label}: {' '.join(map(str, draw.order))}"


def _position(play: MatchPlay, position: Position, stamps: dict[tuple[int, int], TurnStamp]) -> Iterator[str]:
    for entry in position.news:
        yield _news_line(entry)
    for decision in position.decisions:
        yield _decision_line(play, decision, stamps)


def _news_line(entry: Entry[Any]) -> str:
    reader = "all" if entry.reader is None else f"seat {entry.reader}"
    return f"      to {reader}: {event_text(entry.event)}"


def _decision_line(play: MatchPlay, decision: Decision, stamps: dict[tuple[int, int], TurnStamp]) -> str:
    text = play.spec.game.action_text(decision.action)
    line = f"{decision.step:>4}. seat {decision.seat}: {text}{_SOURCE[decision.source]}"
    stamp = None if decision.turn_id is None else stamps.get((decision.seat, decision.turn_id))
    if stamp is None:
        return line
    return f"{line}  [{stamp.own_us / 1000:.1f} ms, host {stamp.host_us / 1000:.1f} ms]"


def _end(play: MatchPlay, clock: MatchClock) -> Iterator[str]:
    result = play.result
    for answer in play.illegal_answers:
        yield f"refused: seat {answer.seat}, turn {answer.turn_id}: {answer.broken_rule}"
    for incident in clock.incidents:
        detail = f": {incident.detail}" if incident.detail else ""
        yield f"{incident.at_us / 1e6:.3f} s: seat {incident.seat} {incident.kind.name.lower()}{detail}"
    yield f"end: {result.termination.name.lower()}"
    for seat, who in enumerate(play.spec.seats):
        place = f"place {result.places[seat]}" if result.places else "no place"
        score = f", score {result.scores[seat]}" if result.scores else ""
        reasons = [forfeit.reason.name.lower() for forfeit in result.forfeits if forfeit.seat == seat]
        forfeit = f", forfeited ({reasons[0].replace('_', ' ')})" if reasons else ""
        yield f"seat {seat}, {who.entrant}: {place}{score}{forfeit}"
