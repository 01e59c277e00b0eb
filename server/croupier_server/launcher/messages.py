"""What runner, warden and keeper tell each other: one JSON line a message. No sockets here.

Both ends are ours and of one version, so a message that does not fit is a fault of ours and raises.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

LONGEST = 1 << 20
"""The most bytes of a message. The kernel takes no larger arguments and environment in one string than 128 KiB."""


class Keep(NamedTuple):
    """Runner to warden, with a socket attached: fork a keeper, which listens there."""


class Adopt(NamedTuple):
    """Runner to warden: this process, which the runner started, dies with the runner."""

    pid: int
    start_time: int  # clock ticks since boot


class Start(NamedTuple):
    """Runner to keeper: start this bot."""

    command: Sequence[str]
    environment: Mapping[str, str]  # all of it
    folder: str
    output_limit: int  # bytes of each output file


class Stop(NamedTuple):
    """Runner to keeper: ask the bot to end, kill what is left of it after the grace."""

    grace_seconds: float


class Started(NamedTuple):
    """Keeper to runner: the bot runs."""

    pid: int


class Failed(NamedTuple):
    """Keeper to runner: the bot could not be started."""

    reason: str


class Ended(NamedTuple):
    """Keeper to runner: the bot and all below it are gone."""

    detail: str


Message: TypeAlias = Keep | Adopt | Start | Stop | Started | Failed | Ended

_KINDS: dict[str, Callable[..., Message]] = {
    kind.__name__: kind for kind in (Keep, Adopt, Start, Stop, Started, Failed, Ended)
}


def encode(message: Message) -> bytes:
    """The message as a line."""
    return json.dumps([type(message).__name__, *message]).encode() + b"\n"


def decode(line: bytes | bytearray) -> Message:
    """The message of a line; ValueError, KeyError or TypeError if it is none."""
    kind, *values = json.loads(line)
    return _KINDS[kind](*values)
