"""What must hold of a game in which nothing is hidden, in place of the properties of checks.py, which need secrets.

`nothing_is_hidden`: everybody is told and shown the same, and what all were told decides the whole position. So no
luck is drawn, and no choice made, that matters later and is not told; positions that differ are never one to anybody.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.secrecy.altered import OtherLuck
from tests.secrecy.checks import CHANGES, ENOUGH, MOST_WORLDS, LeakError
from tests.support.worlds import Step, as_played, at_random, luck, play, viewers

from croupier_server.rules import AnyGame, AnyState, Recorder


@dataclass
class _Books:
    """The position that each public log led to. A log is a number: that of the shorter log and of what was added."""

    numbers: dict[tuple[int, Any], int] = field(default_factory=dict)
    positions: dict[int, AnyState] = field(default_factory=dict)

    def enter(self, steps: Iterable[Step], seats: int) -> set[int]:
        """Adds a game; raises LeakError at what is not told or shown to all. The logs of its positions."""
        log, logs = 0, set()
        for step in steps:
            for event in step.told[None]:
                log = self.numbers.setdefault((log, event), len(self.numbers) + 1)
            for viewer in viewers(seats):
                if step.told[viewer] != step.told[None]:
                    raise LeakError(f"seat {viewer} is told {step.told[viewer]}, all are told {step.told[None]}")
            if log not in self.positions:
                self.positions[log] = step.state
                _compare_views(step.state, seats)
            elif (known := self.positions[log]) != step.state:
                raise LeakError(f"two positions under what is one log to all:\n  {known}\n  {step.state}")
            logs.add(log)
        return logs


def _compare_views(state: AnyState, seats: int) -> None:
    public = state.view(None)
    for viewer in range(seats):
        if (shown := dataclasses.replace(state.view(viewer), seat=None)) != public:
            raise LeakError(f"seat {viewer} is shown {shown}, all are shown {public}")


def nothing_is_hidden(game: AnyGame, variant: str, seats: int, *, enough: int = ENOUGH) -> None:
    """Plays worlds whose luck differs in one place until `enough` of their positions were told apart.

    Raises LeakError when anything is hidden from anybody, AssertionError when too few positions differ.
    """
    options = game.variants[variant]
    books = _Books()
    apart = 0
    for world in range(MOST_WORLDS):
        recorder = Recorder(luck(f"open {world}"))
        base = list(play(game, options, seats, recorder, at_random(f"open {world}")))
        logs = books.enter(base, seats)
        pick = luck(f"open pick {world}")
        for change in range(CHANGES):
            other = OtherLuck(recorder.draws, pick, luck(f"open beyond {world} {change}"))
            choose = as_played(base, at_random(f"open otherwise {world} {change}"))
            apart += len(books.enter(play(game, options, seats, other, choose), seats) - logs)
        if apart >= enough:
            return
    raise AssertionError(f"only {apart} positions of other worlds were told apart, not {enough}")
