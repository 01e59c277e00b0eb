"""The codec of one game: its options, views, actions and events as the messages of games.proto, and back.

Actions and events are encoded once and kept, since a game has few different ones and tells them often.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import Descriptor

from croupier.v1 import games_pb2
from croupier_server.match.fields import field_writer
from croupier_server.match.mirror import Mirror, mirror, union_mirror
from croupier_server.rules import AnyGame

_KEPT = 1 << 16  # encoded actions and events kept a game


class GameWire:
    """Between a game's plain values and their messages; raises TypeError at construction when they do not match."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._options = _within(games_pb2.GameOptions.DESCRIPTOR, game, lambda arm: mirror(game.options, arm))
        self._view = _within(games_pb2.Observation.DESCRIPTOR, game, lambda arm: mirror(game.observation, arm))
        self._action = _within(games_pb2.Action.DESCRIPTOR, game, lambda arm: union_mirror(game.actions, arm))
        self._event = _within(games_pb2.Event.DESCRIPTOR, game, lambda arm: union_mirror(game.events, arm))
        self.action = functools.lru_cache(_KEPT)(self._encode_action)
        self.event = functools.lru_cache(_KEPT)(self._encode_event)

    def options(self, value: Any) -> games_pb2.GameOptions:
        """The rules in force, as a message."""
        message: games_pb2.GameOptions = self._options.encode(value)
        return message

    def read_options(self, message: games_pb2.GameOptions) -> Any:
        """Raises ValueError when the message is about another game, or leaves an enum unset."""
        return self._options.decode(message)

    def observation(self, value: Any) -> games_pb2.Observation:
        """What a seat or a spectator can see, as a message."""
        message: games_pb2.Observation = self._view.encode(value)
        return message

    def observation_bytes(self, value: Any) -> bytes:
        """The same, serialized. There is no message on the way, which is what makes turns cheap."""
        return self._view.write(value)

    def read_action(self, message: games_pb2.Action) -> Any:
        """Raises ValueError when the message is about another game, or is no whole action."""
        return self._action.decode(message)

    def read_event(self, message: games_pb2.Event) -> Any:
        """Raises ValueError when the message is about another game, or is no whole event."""
        return self._event.decode(message)

    def read_observation(self, message: games_pb2.Observation) -> Any:
        """Raises ValueError when the message is about another game, or leaves an enum unset."""
        return self._view.decode(message)

    def _encode_action(self, value: Any) -> games_pb2.Action:
        message: games_pb2.Action = self._action.encode(value)
        return message

    def _encode_event(self, value: Any) -> games_pb2.Event:
        message: games_pb2.Event = self._event.encode(value)
        return message


def _within(envelope: Descriptor, game: AnyGame, make: Callable[[Descriptor], Mirror]) -> Mirror:
    """The mirror of a game's message within the message over all games."""
    arm = envelope.fields_by_name.get(game.id)
    if arm is None or arm.message_type is None:
        raise TypeError(f"{envelope.full_name} has no message for the game {game.id}")
    inner = make(arm.message_type)

    def decode(sent: Any) -> Any:
        found = sent.WhichOneof("game")
        if found != game.id:
            raise ValueError(f"{envelope.name} is about {found or 'no game'}, expected {game.id}")
        return inner.decode(getattr(sent, game.id))

    return Mirror.of(envelope, field_writer(arm, inner.write), decode)


@functools.cache
def wire_of(game: AnyGame) -> GameWire:
    """The codec of a game, made once."""
    return GameWire(game)
