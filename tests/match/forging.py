"""Tools of a forger who can change what a record says and make all its hashes right again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from tests.match.matches import Parts, sealed

from croupier_server.match.faults import Fault
from croupier_server.match.spec import Forfeit
from croupier_server.match.verify import audit, verify

T = TypeVar("T")


def fault_in_bytes(parts: Parts) -> str:
    """What `verify` says about a forged record of a game of the catalogue."""
    with pytest.raises(Fault) as caught:
        verify(sealed(parts))
    return str(caught.value)


def fault(parts: Parts) -> str:
    """What the audit says about forged parts, of any game."""
    with pytest.raises(Fault) as caught:
        audit(*parts)
    return str(caught.value)


def changed(items: Sequence[T], index: int, **fields: Any) -> tuple[T, ...]:
    """The items, one of them with other values in some fields."""
    item: Any = items[index]
    copy = list(items)
    copy[index] = replace(item, **fields)
    return tuple(copy)


def without(items: Sequence[T], index: int) -> tuple[T, ...]:
    """The items without one of them."""
    return (*items[:index], *items[index + 1 :])


def with_play(parts: Parts, **fields: Any) -> Parts:
    """The parts with other values in some fields of the play."""
    play, clock, notes = parts
    return replace(play, **fields), clock, notes


def with_spec(parts: Parts, **fields: Any) -> Parts:
    """The parts with other values in some fields of the spec."""
    return with_play(parts, spec=replace(parts[0].spec, **fields))


def with_result(parts: Parts, **fields: Any) -> Parts:
    """The parts with other values in some fields of the result."""
    return with_play(parts, result=replace(parts[0].result, **fields))


def with_forfeit(parts: Parts, index: int, **fields: Any) -> Parts:
    """The parts with other values in some fields of one forfeit."""
    forfeits: tuple[Forfeit, ...] = changed(parts[0].result.forfeits, index, **fields)
    return with_result(parts, forfeits=forfeits)


def with_clock(parts: Parts, **fields: Any) -> Parts:
    """The parts with other values in some fields of the clock."""
    play, clock, notes = parts
    return play, replace(clock, **fields), notes


def with_stamp(parts: Parts, index: int, **fields: Any) -> Parts:
    """The parts with other values in some fields of one stamp."""
    return with_clock(parts, turns=changed(parts[1].turns, index, **fields))


def with_incident(parts: Parts, index: int, **fields: Any) -> Parts:
    """The parts with other values in some fields of one incident."""
    return with_clock(parts, incidents=changed(parts[1].incidents, index, **fields))
