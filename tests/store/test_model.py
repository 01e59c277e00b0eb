"""Whatever is done in whatever order, the store is what a simple model says: its own words, no SQL."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlalchemy import Connection
from tests.store.samples import ABORTED_SEATS, DEADLINE_S, attempt, finished, new_cup, record_of, walkover

from croupier_server.store import (
    Access,
    AlreadyCommittedError,
    AttemptState,
    RecordRow,
    StoreError,
    Termination,
    open_store,
    reads,
    writes,
)

SCHEDULE = (1, 1, 1, 2, 2, 2, 2, 3)
NUMBERS = st.integers(1, len(SCHEDULE))
MOSTLY_ZERO = st.sampled_from([0, 0, 0, 0, -1, 1])
P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class Attempt:
    number: int
    redraw: int
    count: int
    state: AttemptState = AttemptState.RUNNING


@dataclass
class Outcome:
    number: int
    redraw: int
    match_id: str | None
    aborted: bool
    overridden: bool = False


@dataclass
class Model:
    """The cup "first" as a person would keep it on paper."""

    redraws: dict[int, int] = field(default_factory=lambda: dict.fromkeys(SCHEDULE, 0))
    attempts: dict[str, Attempt] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    withdrawn: set[str] = field(default_factory=set)
    closed: bool = False

    def current(self, outcome: Outcome) -> bool:
        return not outcome.overridden and outcome.redraw == self.redraws[SCHEDULE[outcome.number - 1]]

    def in_force(self, number: int, redraw: int) -> bool:
        return any((o.number, o.redraw, o.overridden) == (number, redraw, False) for o in self.outcomes)

    def block_outcomes(self, block: int) -> list[Outcome | None]:
        numbers = [number for number, of in enumerate(SCHEDULE, 1) if of == block]
        current = {o.number: o for o in self.outcomes if self.current(o)}
        return [current.get(number) for number in numbers]

    def over(self, block: int) -> bool:
        return self.closed or None not in self.block_outcomes(block)

    def counted(self, block: int) -> bool:
        return all(outcome is not None and not outcome.aborted for outcome in self.block_outcomes(block))

    def running(self, blocks: Iterable[int] = SCHEDULE) -> list[str]:
        return [
            match_id
            for match_id, attempt in self.attempts.items()
            if attempt.state is AttemptState.RUNNING and SCHEDULE[attempt.number - 1] in blocks
        ]

    def place_of(self, match_id: str) -> tuple[int, int, int]:
        attempt = self.attempts[match_id]
        return attempt.number, attempt.redraw, attempt.count

    def playable(self, number: int, redraw: int) -> bool:
        return (
            not self.closed
            and redraw == self.redraws[SCHEDULE[number - 1]]
            and not self.in_force(number, redraw)
            and number not in [self.attempts[match_id].number for match_id in self.running()]
        )


class StoreAndModel(RuleBasedStateMachine):
    """Does the same to both, and compares all that can be read after every step.

    Most choices fit what is there, since chance would hardly ever find them; some are wrong on purpose.
    """

    @initialize()
    def make(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.store = open_store(f"sqlite:///{Path(self.folder.name)}/arena.db", Access.CREATE)
        self.writer = self.store.writer()
        self.writer.submit(writes.create_cup, new_cup(schedule=SCHEDULE)).result(DEADLINE_S)
        self.model = Model()

    def teardown(self) -> None:
        self.writer.close()
        self.store.close()
        self.folder.cleanup()

    def write(
        self, allowed: bool, write: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T | None:
        """The result of a write that is allowed; None for one that is refused, as it should be."""
        future = self.writer.submit(write, *args, **kwargs)
        if allowed:
            return future.result(DEADLINE_S)
        with pytest.raises(StoreError):
            future.result(DEADLINE_S)
        return None

    def redraw_of(self, number: int, off: int) -> int:
        return max(0, self.model.redraws[SCHEDULE[number - 1]] + off)

    @rule(number=NUMBERS, off=MOSTLY_ZERO)
    def begin(self, number: int, off: int) -> None:
        redraw = self.redraw_of(number, off)
        allowed = self.model.playable(number, redraw)
        match_id = f"m{len(self.model.attempts)}"
        count = self.write(allowed, writes.begin_attempt, attempt(match_id, number, redraw=redraw))
        if count is not None:
            assert count == 1 + sum((a.number, a.redraw) == (number, redraw) for a in self.model.attempts.values())
            self.model.attempts[match_id] = Attempt(number, redraw, count)

    @rule(which=st.integers(0, 4), aborted=st.sampled_from([False, False, False, True]))
    def commit_one_that_runs(self, which: int, aborted: bool) -> None:
        running = self.model.running() or ["stranger"]
        self._commit(running[which % len(running)], aborted)

    @rule(which=st.integers(0, 30))
    def commit_any(self, which: int) -> None:
        known = list(self.model.attempts) or ["stranger"]
        self._commit(known[which % len(known)], aborted=False)

    def _commit(self, match_id: str, aborted: bool) -> None:
        match = finished(match_id)
        if aborted:
            match = finished(match_id, termination=Termination.ABORTED, seats=ABORTED_SEATS)
        future = self.writer.submit(writes.commit_match, match)
        tried = self.model.attempts.get(match_id)
        if tried is not None and not self.model.closed and self.model.in_force(tried.number, tried.redraw):
            with pytest.raises(AlreadyCommittedError):
                future.result(DEADLINE_S)
        elif tried is None or tried.state is not AttemptState.RUNNING:
            with pytest.raises(StoreError):
                future.result(DEADLINE_S)
        else:
            future.result(DEADLINE_S)
            tried.state = AttemptState.ABORTED if aborted else AttemptState.COMMITTED
            self.model.outcomes.append(Outcome(tried.number, tried.redraw, match_id, aborted))

    @rule(which=st.integers(0, 30))
    def abort(self, which: int) -> None:
        known = list(self.model.attempts) or ["stranger"]
        match_id = known[which % len(known)]
        allowed = match_id in self.model.running()
        self.write(allowed, writes.abort_attempt, match_id, "a bug")
        if allowed:
            self.model.attempts[match_id].state = AttemptState.ABORTED

    @rule(number=NUMBERS, off=MOSTLY_ZERO)
    def walk_over(self, number: int, off: int) -> None:
        redraw = self.redraw_of(number, off)
        allowed = self.model.playable(number, redraw)
        self.write(allowed, writes.commit_walkover, walkover(number, redraw=redraw))
        if allowed:
            self.model.outcomes.append(Outcome(number, redraw, None, aborted=False))

    @rule()
    def interrupt(self) -> None:
        rows = self.write(not self.model.closed, writes.mark_interrupted, "first", "power")
        assert [row.match_id for row in rows or ()] == sorted(self.model.running(), key=self.model.place_of)
        for match_id in self.model.running():
            self.model.attempts[match_id].state = AttemptState.INTERRUPTED

    @rule(block=st.integers(1, 4), partly_over=st.booleans())
    def redraw(self, block: int, partly_over: bool) -> None:
        model = self.model
        if partly_over:
            block = next((b for b in model.redraws if any(model.block_outcomes(b)) and not model.over(b)), block)
        allowed = block in model.redraws and not model.over(block) and not model.running([block])
        redraw = self.write(allowed, writes.redraw_block, "first", block)
        if allowed:
            model.redraws[block] += 1
            assert redraw == model.redraws[block]

    @rule(entrant=st.sampled_from(["ann", "ben", "zoe"]), after_match=st.integers(0, 3), all_later=st.booleans())
    def withdraw(self, entrant: str, after_match: int, all_later: bool) -> None:
        model = self.model
        hit = [o for o in model.outcomes if model.current(o) and (o.number > after_match or not all_later)]
        known = entrant in ("ann", "ben") and entrant not in model.withdrawn
        allowed = not model.closed and known and all(outcome.number > after_match for outcome in hit)
        overridden = [outcome.number for outcome in hit]
        self.write(allowed, writes.withdraw_entrant, "first", entrant, after_match=after_match, overridden=overridden)
        if allowed:
            model.withdrawn.add(entrant)
            for outcome in hit:
                outcome.overridden = True

    @rule(seldom=st.integers(0, 9))
    def close(self, seldom: int) -> None:
        if seldom:  # nothing happens in a closed cup
            return
        allowed = not self.model.closed and not self.model.running()
        self.write(allowed, writes.close_cup, "first", closed_unix_ms=9_000)
        self.model.closed |= allowed

    @rule()
    def reopen(self) -> None:
        self.writer.close()
        self.store.close()
        self.store = open_store(f"sqlite:///{self.store.path}", Access.WRITE)
        self.writer = self.store.writer()

    @invariant()
    def the_store_is_what_the_model_says(self) -> None:
        self.store.read(self._compare)

    def _compare(self, connection: Connection) -> None:
        model = self.model
        attempts = {
            row.match_id: Attempt(row.number, row.redraw, row.attempt, row.state)
            for row in reads.attempts(connection, "first")
        }
        assert attempts == model.attempts
        rows = reads.matches(connection, "first")
        found = [(r.number, r.redraw, r.match_id, r.current, r.counted, r.open_to_all) for r in rows]
        said = [
            (
                outcome.number,
                outcome.redraw,
                outcome.match_id,
                model.current(outcome),
                model.current(outcome) and model.counted(SCHEDULE[outcome.number - 1]),
                model.over(SCHEDULE[outcome.number - 1]),
            )
            for outcome in sorted(model.outcomes, key=lambda outcome: (outcome.number, outcome.redraw))
        ]
        assert found == said
        for row in rows[-1:]:
            if row.match_id is not None:
                assert reads.record(connection, row.match_id) == RecordRow(row, record_of(row.match_id))
        blocks = [(row.number, row.redraw, row.over, row.counted) for row in reads.blocks(connection, "first")]
        assert blocks == [(b, n, model.over(b), model.counted(b)) for b, n in model.redraws.items()]
        cup = reads.cup(connection, "first")
        assert (cup.matches_over, cup.closed) == (sum(map(model.current, model.outcomes)), model.closed)
        assert {row.name for row in reads.entrants(connection, "first") if row.withdrawn} == model.withdrawn


StoreAndModel.TestCase.settings = settings(
    max_examples=20, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
test_the_store_and_a_model_of_it_agree = StoreAndModel.TestCase
