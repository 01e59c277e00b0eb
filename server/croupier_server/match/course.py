"""The game of one match on its way: position, luck, and the choices of the step that is open.

No time, no connections, no verdicts: the referee says who chose what, the rules what follows from it. A step takes
effect as a whole; when the rules fail in the middle of one, nothing of it stands in the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier_server.match.record import Decision, DecisionSource
from croupier_server.match.spec import MatchSpec
from croupier_server.rules import AnyState, Chance, Draw, Entry, Outcome, Recorder, Seat, Table


class Course:
    """Deal it, let every seat of `acting` choose, play the step, and so on until `acting` is empty."""

    def __init__(self, spec: MatchSpec, chance: Chance) -> None:
        self.acting: tuple[Seat, ...] = ()
        self.decisions: list[Decision] = []  # of the steps that took effect
        self._spec = spec
        self._state: AnyState | None = None
        self._recorder = Recorder(chance)
        self._table: Table[Any] = Table(self._recorder)
        self._drawn = 0
        self._step = 0
        self._choices: dict[Seat, Decision] = {}

    @property
    def draws(self) -> Sequence[Draw]:
        """What chance has given to the deal and the steps that took effect."""
        return self._recorder.draws[: self._drawn]

    @property
    def dealt(self) -> bool:
        """Whether there is a position."""
        return self._state is not None

    @property
    def position(self) -> AnyState:
        """Where the game stands, once it is dealt."""
        assert self._state is not None
        return self._state

    @property
    def decided(self) -> bool:
        """Whether every acting seat has chosen."""
        return len(self._choices) == len(self.acting)

    def deal(self) -> list[Entry[Any]]:
        """Opens the first step; returns the news of the deal."""
        return self._open(self._spec.game.deal(self._spec.options, len(self._spec.seats), self._table))

    def judge(self, seat: Seat, legal: Sequence[Any], choice: Any) -> tuple[Any, str | None]:
        """The action that a bot's choice stands for (see `signals.Answered`), and the rule that it breaks or None."""
        if isinstance(choice, int):
            if 0 <= choice < len(legal):
                return legal[choice], None
            return None, f"index {choice} is outside the list of {len(legal)} legal actions"
        if choice is None:
            return None, "the answer names no action of this game"
        if choice in legal:
            return choice, None
        return choice, self.position.broken_rule(seat, choice)

    def choose(self, seat: Seat, action: Any, source: DecisionSource, turn_id: int | None) -> None:
        """Keeps a legal choice of an acting seat until the step is played."""
        self._choices[seat] = Decision(self._step, seat, turn_id, action, source)

    def play(self) -> list[Entry[Any]]:
        """Plays the step that is open and decided, and opens the next; returns its news."""
        decisions = [self._choices[seat] for seat in self.acting]
        state = self.position.play({decision.seat: decision.action for decision in decisions}, self._table)
        self.decisions += decisions
        return self._open(state)

    def outcome(self) -> Outcome:
        """How the game ended, once nobody is to act."""
        outcome = self.position.outcome()
        assert outcome is not None, "nobody is to act, yet the game is not over"
        return outcome

    def _open(self, state: AnyState) -> list[Entry[Any]]:
        self._state, self.acting = state, state.to_act()
        self._step, self._choices, self._drawn = self._step + 1, {}, len(self._recorder.draws)
        news, self._table.news = self._table.news, []
        return news
