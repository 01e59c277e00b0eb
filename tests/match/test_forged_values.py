"""Every value of a record changed, one at a time: what is not found must be what nobody but the host can know."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any

import pytest
from tests.match.matches import Parts, auction_of_five, auction_that_two_give_up, jekyll_given_up, jekyll_never_begun

from croupier_server.match.faults import Fault
from croupier_server.match.verify import audit
from croupier_server.rules import Game

# What a record alone cannot prove. Where only some values pass, the tests beside this one show which do not.
FREE = {
    "play.spec.seats*": "who sat where stands in the cup's schedule",
    "play.spec.identity*": "so does the match's place in it",
    "play.spec.options*": "an option may not have mattered",
    "play.spec.clock*": "nor a limit that nobody came near",
    "play.spec.policy*": "nor a strike more, where nobody had one",
    "play.decisions.action.*": "another legal action, after which all that follows is still right",
    "play.decisions.source": "a choice of the fallback, at the very moment of the forfeit",
    "play.illegal_answers.turn_id": "in which of its turns a seat erred",
    "play.illegal_answers.action.*": "how, as long as it breaks the same rule",
    "play.illegal_answers": "their order in one turn; answers that made no difference",
    "play.result.forfeits.reason": "why a process ended, or its bot gave up",
    "clock.attempt": "how often the match was tried",
    "clock.opened_unix_ms": "when it was",
    "clock.turns.ended_us": "when the seats answered that were not the last of their step",
    "clock.turns.host_us": "what the host took of a turn's time, as long as the verdict stands",
    "clock.turns.ignored_answers": "what was ignored",
    "clock.incidents": "the order of incidents of one moment; a connection that came back",
    "clock.incidents.at_us": "when a connection was lost",
    "clock.incidents.seat": "whose connection was lost",
    "clock.incidents.detail": "words",
    "notes.notes*": "what bots noted",
    "notes.salt": "the salt of that",
}


def changes_of(value: Any) -> Iterator[Any]:
    """Other values of the same kind."""
    match value:
        case bool():
            yield not value
        case Enum():
            yield from (member for member in type(value) if member is not value)
        case int():
            yield from {number for number in (value - 1, value + 1, 0, 1, 2, 3, 2**31) if number >= 0} - {value}
        case bytes():
            yield from (value[:-1], value + b"x", bytes(len(value)))
        case str():
            yield from (value + "x", "")
        case None:
            yield 1


def changed_parts(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every copy of the value with one change in it, and where that is."""
    if dataclasses.is_dataclass(value) and not isinstance(value, Game | type):
        for field in dataclasses.fields(value):
            for where, changed in changed_parts(getattr(value, field.name), f"{path}.{field.name}"):
                yield where, dataclasses.replace(value, **{field.name: changed})
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            yield path, value[:i] + value[i + 1 :]
            yield path, (*value[:i], item, *value[i:])
            yield path, value[i : i + 1] + value[:i] + value[i + 1 :]
            for where, changed in changed_parts(item, path):
                yield where, (*value[:i], changed, *value[i + 1 :])
    else:
        yield from ((path, changed) for changed in changes_of(value))


@pytest.mark.parametrize("match", [jekyll_given_up, jekyll_never_begun, auction_of_five, auction_that_two_give_up])
def test_every_changed_value_is_found_but_what_only_the_host_can_know(match: Callable[[], Parts]) -> None:
    found: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for index, name in enumerate(("play", "clock", "notes")):
        for path, changed in changed_parts(match()[index], name):
            if changed == match()[index]:
                continue
            parts: list[Any] = list(match())
            parts[index] = changed
            try:
                audit(*parts)
                passed[path] += 1
            except Fault:
                found[path] += 1
    assert {path for path in passed if not any(fnmatchcase(path, free) for free in FREE)} == set()
    assert found.total() > 60
