"""The messages of the bare ping-pong. Of our own protobuf classes, but with nothing in them.

Both are built for every turn and parsed on both sides: a few numbers and one field that is as long as needed. That is
the least that any server in Python has to do.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.v1 import play_service_pb2 as pb

_MATCH_ID = "0123456789abcdef"
_TURNS = 100  # they are numbered anew after so many, as in a match: the messages keep their size


def ping(turn: int, padding: bytes) -> pb.PlayResponse:
    """What the server asks."""
    start = pb.MatchStart(match_id=_MATCH_ID, behavior=1, seats=2, seat=1, commitment=padding, bot_seed=turn)
    return pb.PlayResponse(match_start=start)


def pong(turn: int, padding: str) -> pb.PlayRequest:
    """What the bot answers."""
    return pb.PlayRequest(act=pb.Act(match_id=_MATCH_ID, turn_id=turn, index=0, note=padding))


def next_turn(turn: int) -> int:
    """The number of the turn after that."""
    return turn % _TURNS + 1


def padding_for(message_bytes: int, size: Callable[[int], int]) -> int:
    """How long the padding may be for a message of that size, given the size of a message by its padding."""
    length = message_bytes
    while length and size(length) > message_bytes:
        length -= 1
    return length
