"""A searching bot for every game: it guesses what is hidden many times and plays the match on from each guess.

It knows no strategy. A game's own `world` makes a position of the view, with everything that the seat cannot see drawn
anew; from there all seats play at random to the end, and the action whose playouts end best is chosen.

For every decision it makes the same number of playouts, never until some time is up, so the same seed gives the same
match on every machine. They are dealt out in stages: in each, all actions that are left are tried on the same guesses,
and the better half goes on to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

import croupier
from croupier.v1.games_pb2 import Action, GameOptions, Observation
from croupier_server.games import GAMES
from croupier_server.match.wire import wire_of
from croupier_server.rules import AnyState, Chance, Outcome, Table

T = TypeVar("T")
EnvelopeT = TypeVar("EnvelopeT", Action, GameOptions, Observation)

PLAYOUTS = 100  # a decision
CANDIDATES = 50  # of a longer list of actions, so many are looked at, drawn by lot


class Luck(Chance):
    """The luck of guesses and playouts; nobody records it, so labels mean nothing."""

    def __init__(self, luck: Random) -> None:
        self._luck = luck

    def below(self, label: str, n: int) -> int:  # noqa: ARG002
        """See `Chance.below`."""
        return int(self._luck.random() * n)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002
        """See `Chance.shuffle`."""
        return tuple(self._luck.sample(items, len(items)))


class Deaf(Table[Any]):
    """A table at which nobody listens to news."""

    def announce(self, event: Any) -> None:
        """Tells nobody."""

    def whisper(self, seat: int, event: Any) -> None:
        """Tells nobody."""


def worth(outcome: Outcome, seat: int) -> float:
    """The share of the other seats that a seat has beaten, ties half: 1 for a victory alone, 0 for the last place."""
    mine, places = outcome.places[seat], outcome.places
    beaten = sum((place > mine) + (place == mine) / 2 for place in places) - 0.5  # without itself
    return beaten / (len(places) - 1)


class SearchBot(croupier.Bot):
    """See the module."""

    def start(self, match: croupier.Match) -> None:
        """Reads the rules in force."""
        self._game = GAMES[match.game]
        self._wire = wire_of(self._game)
        self._options = self._wire.read_options(self._wrapped(GameOptions, match.options))
        self._table = Deaf(Luck(self.luck))

    def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
        """The action that ends best on average."""
        if len(turn.legal) == 1:
            return 0
        seat, luck = self.match.seat, self._table.chance
        view = self._wire.read_observation(self._wrapped(Observation, turn.view))
        actions = [self._wire.read_action(self._wrapped(Action, action)) for action in turn.legal]
        left = list(range(len(actions)))
        if len(left) > CANDIDATES:
            left = self.luck.sample(left, CANDIDATES)
        total, tried = [0.0] * len(actions), [0] * len(actions)  # by index into turn.legal
        stages = (len(left) - 1).bit_length()  # how often they can be halved until one is left
        for _ in range(stages):
            for _ in range(max(1, PLAYOUTS // stages // len(left))):
                guess = self._game.world(self._options, view, luck)
                for index in left:
                    total[index] += self._playout(guess, seat, actions[index])
                    tried[index] += 1
            left.sort(key=lambda index: -total[index])
            del left[(len(left) + 1) // 2 :]
        best = left[0]
        return croupier.Answer(best, note=f"beats {total[best] / tried[best]:.0%} in {tried[best]} playouts")

    def _wrapped(self, envelope: type[EnvelopeT], message: Any) -> EnvelopeT:
        """A message of the game within the one over all games, which is what the codec reads."""
        return envelope(**{self.match.game: message})

    def _playout(self, state: AnyState, me: int, action: Any) -> float:
        """What the action is worth when everybody plays on at random, once."""
        choices = {seat: action if seat == me else self._any(state, seat) for seat in state.to_act()}
        while choices:
            state = state.play(choices, self._table)
            choices = {seat: self._any(state, seat) for seat in state.to_act()}
        outcome = state.outcome()
        assert outcome is not None  # nobody is asked any more
        return worth(outcome, me)

    def _any(self, state: AnyState, seat: int) -> Any:
        legal = state.legal(seat)
        return legal[int(self.luck.random() * len(legal))]


if __name__ == "__main__":
    croupier.play(SearchBot)
