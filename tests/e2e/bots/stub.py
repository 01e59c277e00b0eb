"""What the misbehaving bots share: a stream from the generated stubs, and an honest way to play over it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any, TypeAlias

import grpc

from croupier.v1 import play_service_pb2 as pb
from croupier.v1.play_service_pb2_grpc import PlayServiceStub

TOKEN = os.environ["CROUPIER_TOKEN"]


class Stream:
    """One stream of PlayService; iterate over it for what the server says."""

    def __init__(self) -> None:
        self._requests: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        self._channel = grpc.insecure_channel(os.environ["CROUPIER_ADDRESS"], [("grpc.enable_http_proxy", 0)])
        self._call: Any = PlayServiceStub(self._channel).Play(iter(self._requests.get, None))

    def __iter__(self) -> Iterator[pb.PlayResponse]:
        return iter(self._call)

    def say(self, **payload: Any) -> None:
        """Sends a request with this payload."""
        self._requests.put(pb.PlayRequest(**payload))

    def hello(self, token: str = TOKEN, version: int = 1) -> None:
        """Opens a session."""
        self.say(hello=pb.Hello(token=token, protocol_version=version, sdk="stub"))

    def answer(self, turn: pb.Turn, index: int = 0, match_id: str = "") -> None:
        """Answers a turn with one of its legal actions, the first by default."""
        self.say(act=pb.Act(match_id=match_id or turn.match_id, turn_id=turn.turn_id, index=index))

    def end(self) -> None:
        """Says that nothing more will come."""
        self._requests.put(None)

    def cut(self) -> None:
        """Breaks the connection without a word."""
        self._channel.close()


OnTurn: TypeAlias = Callable[[Stream, pb.Turn], None]
OnError: TypeAlias = Callable[[Stream, pb.Error], None]


def play(
    on_turn: OnTurn,
    on_error: OnError | None = None,
    *,
    before_ready: Callable[[], None] = lambda: None,
    stream: Stream | None = None,
) -> None:
    """Follows a session to its end, with these ways to meet turns and errors; says Hello unless a stream is given."""
    if stream is None:
        stream = Stream()
        stream.hello()
    for response in stream:
        match response.WhichOneof("payload"):
            case "match_start":
                before_ready()
                stream.say(ready=pb.Ready(match_id=response.match_start.match_id))
            case "turn":
                on_turn(stream, response.turn)
            case "error" if on_error is not None:
                on_error(stream, response.error)
            case "draining":
                stream.end()
