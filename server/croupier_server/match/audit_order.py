"""Checks of form: every seat exists, every list stands in its order, and nothing is said twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from croupier_server.match.faults import require
from croupier_server.match.record import IncidentKind, MatchClock, MatchNotes, MatchPlay


class _OfSeat(Protocol):
    @property
    def seat(self) -> int: ...


def check_order(play: MatchPlay, clock: MatchClock, notes: MatchNotes | None) -> str:
    """What stands in a list belongs to a seat of the match and stands where the format says."""
    texts = () if notes is None else notes.notes
    lists: dict[str, Sequence[_OfSeat]] = {
        "forfeits": play.result.forfeits,
        "illegal answers": play.illegal_answers,
        "turns": clock.turns,
        "incidents": clock.incidents,
        "notes": texts,
    }
    for name, items in lists.items():
        for index, item in enumerate(items, 1):
            exists = item.seat < len(play.spec.seats)
            require(exists, f"{name}: item {index} is of seat {item.seat}, there are {len(play.spec.seats)}")
    turns: Counter[int] = Counter()
    for stamp in clock.turns:
        turns[stamp.seat] += 1
        found, expected = stamp.turn_id, turns[stamp.seat]
        require(found == expected, f"turns: seat {stamp.seat} has a stamp of turn {found}, expected turn {expected}")
    _require_sorted("turns", [(stamp.seat, stamp.turn_id) for stamp in clock.turns])
    _require_sorted("illegal answers", [(answer.seat, answer.turn_id) for answer in play.illegal_answers])
    _require_sorted("notes", [(note.seat, note.turn_id) for note in texts])
    require(len({(note.seat, note.turn_id) for note in texts}) == len(texts), "notes: two of one turn")
    _require_sorted("incidents", [*[(incident.at_us,) for incident in clock.incidents], (clock.over_us,)])
    for seat in range(len(play.spec.seats)):
        _check_connections(seat, [incident.kind for incident in clock.incidents if incident.seat == seat])
    return f"form: {len(clock.turns)} turns, {len(clock.incidents)} incidents, {len(texts)} notes in order"


def _require_sorted(name: str, keys: Sequence[tuple[int, ...]]) -> None:
    require(list(keys) == sorted(keys), f"{name}: out of order")


def _check_connections(seat: int, kinds: Sequence[IncidentKind]) -> None:
    """A seat is ready once, gone once and not ready after that; it resumes what was lost and loses what it has."""
    away, settled = False, set()
    for kind in kinds:
        if kind in (IncidentKind.DISCONNECTED, IncidentKind.RESUMED):
            require(away == (kind is IncidentKind.RESUMED), f"incidents: seat {seat} was {kind.name.lower()} twice")
            away = kind is IncidentKind.DISCONNECTED
        else:
            again = kind in settled or IncidentKind.FORFEITED in settled
            require(not again, f"incidents: seat {seat} was {kind.name.lower()} twice, or after its forfeit")
            settled.add(kind)
