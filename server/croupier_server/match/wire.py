"""The codec of one game: its options, views, actions and events as the messages of games.proto, and back.

Actions and events are encoded once and kept, since a game has few different ones and tells them often.
"""

from __future__ import annotations

import functools
from typing import Any

from google.protobuf.descriptor import Descriptor

from croupier.v1 import games_pb2
from croupier_server.match.mirror import mirror, union_mirror
from croupier_server.rules import AnyGame

_KEPT = 1 << 16  # encoded actions and events kept a game


class GameWire:
    """Between a game's plain values and their messages; raises TypeError at construction when they do not match."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._options = mirror(game.options, _arm_type(games_pb2.GameOptions.DESCRIPTOR, game))
        self._view = mirror(game.observation, _arm_type(games_pb2.Observation.DESCRIPTOR, game))
        self._action = union_mirror(game.actions, _arm_type(games_pb2.Action.DESCRIPTOR, game))
        self._event = union_mirror(game.events, _arm_type(games_pb2.Event.DESCRIPTOR, game))
        self.action = functools.lru_cache(_KEPT)(self._encode_action)
        self.event = functools.lru_cache(_KEPT)(self._encode_event)

    def options(self, value: Any) -> games_pb2.GameOptions:
        """The rules in force, as a message."""
        return games_pb2.GameOptions(**{self.game.id: self._options.encode(value)})

    def read_options(self, message: games_pb2.GameOptions) -> Any:
        """Raises ValueError when the message is about another game, or leaves an enum unset."""
        return self._options.decode(self._arm(message))

    def observation(self, value: Any) -> games_pb2.Observation:
        """What a seat or a spectator can see, as a message."""
        return games_pb2.Observation(**{self.game.id: self._view.encode(value)})

    def read_action(self, message: games_pb2.Action) -> Any:
        """Raises ValueError when the message is about another game, or is no whole action."""
        return self._action.decode(self._arm(message))

    def read_event(self, message: games_pb2.Event) -> Any:
        """Raises ValueError when the message is about another game, or is no whole event."""
        return self._event.decode(self._arm(message))

    def read_observation(self, message: games_pb2.Observation) -> Any:
        """Raises ValueError when the message is about another game, or leaves an enum unset."""
        return self._view.decode(self._arm(message))

    def _encode_action(self, value: Any) -> games_pb2.Action:
        return games_pb2.Action(**{self.game.id: self._action.encode(value)})

    def _encode_event(self, value: Any) -> games_pb2.Event:
        return games_pb2.Event(**{self.game.id: self._event.encode(value)})

    def _arm(self, message: Any) -> Any:
        found = message.WhichOneof("game")
        if found != self.game.id:
            raise ValueError(f"{message.DESCRIPTOR.name} is about {found or 'no game'}, expected {self.game.id}")
        return getattr(message, self.game.id)


def _arm_type(descriptor: Descriptor, game: AnyGame) -> Descriptor:
    arm = descriptor.fields_by_name.get(game.id)
    if arm is None or arm.message_type is None:
        raise TypeError(f"{descriptor.full_name} has no message for the game {game.id}")
    return arm.message_type


@functools.cache
def wire_of(game: AnyGame) -> GameWire:
    """The codec of a game, made once."""
    return GameWire(game)
