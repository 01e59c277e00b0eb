"""One bot session: who it is, its stream if it has one, and the seats it plays. Knows no gRPC call and no clock."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.v1 import play_service_pb2 as pb
from croupier_server.service.limits import Limits
from croupier_server.service.stream import Stream

if TYPE_CHECKING:
    from croupier_server.service.matches import RunningMatch

PROTOCOL_VERSION = 1


def credential_hash(secret: str) -> bytes:
    """What is kept of a ticket, a token or a resume token: they are long and random, so a plain SHA-256 is enough."""
    return hashlib.sha256(secret.encode()).digest()


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat that a session plays."""

    match: RunningMatch
    seat: int


class Allowance:
    """A token bucket for messages that change nothing. Times in seconds, handed in."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second, self._burst = per_second, burst
        self._tokens, self._at = float(burst), 0.0

    def take(self, now: float) -> float:
        """Takes a token and returns for how many seconds the taker should pause, 0.0 while there are tokens."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_second)
        self._at = now
        self._tokens -= 1
        return max(-self._tokens / self._per_second, 0.0)


@dataclass(eq=False)
class Session:
    """A bot that said Hello."""

    slot: str
    entrant: str
    hello: pb.Hello
    limits: Limits
    session_id: str = field(default_factory=lambda: secrets.token_hex(8))
    resume_token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    stream: Stream | None = None
    lost_at: float = 0.0  # when the stream was lost; seconds of the event loop
    seats: dict[str, SeatLink] = field(default_factory=dict)  # matches that go on, by match_id
    finished: OrderedDict[str, SeatLink] = field(default_factory=OrderedDict)  # the last ended ones
    refused: int = 0  # refusals since the last pause was asked for
    _ignored: Allowance = field(init=False)

    def __post_init__(self) -> None:
        self._ignored = Allowance(self.limits.ignored_per_second, self.limits.ignored_burst)

    @property
    def capacity(self) -> int:
        """How many matches it can play at a time."""
        return min(max(self.hello.max_matches, 1), self.limits.max_matches)

    def can_take(self, game: str) -> bool:
        """Whether it can be given another match of that game now."""
        plays = not self.hello.games or game in self.hello.games
        return plays and self.stream is not None and len(self.seats) < self.capacity

    def welcome(self) -> bytes:
        """The first message of each of its streams."""
        limits = pb.SessionLimits(
            max_message_bytes=self.limits.max_message_bytes,
            max_ignored_per_second=int(self.limits.ignored_per_second),
            max_matches=self.capacity,
        )
        welcome = pb.Welcome(
            session_id=self.session_id,
            resume_token=self.resume_token,
            protocol_version=PROTOCOL_VERSION,
            entrant=self.entrant,
            limits=limits,
        )
        return pb.PlayResponse(welcome=welcome).SerializeToString()

    def send(self, data: bytes) -> None:
        """Sends a message, if the bot is connected."""
        if self.stream is not None:
            self.stream.send(data)

    def refuse(self, data: bytes) -> None:
        """Sends a refusal, unless others wait already."""
        self.refused += 1
        if self.stream is not None:
            self.stream.send_refusal(data)

    def pause(self, now: float) -> float:
        """For how many seconds the reader should pause after what was refused since the last call."""
        pause = 0.0
        for _ in range(self.refused):
            pause = self._ignored.take(now)
        self.refused = 0
        return pause

    def finish(self, match_id: str) -> None:
        """Moves a match to those that have ended."""
        link = self.seats.pop(match_id, None)
        if link is not None:
            self.finished[match_id] = link
            while len(self.finished) > self.capacity:  # no more can have ended while a stream was lost
                self.finished.popitem(last=False)
