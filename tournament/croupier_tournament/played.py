"""One match of the schedule as far as a table needs it: how it ended and what time it took. Not its record."""

from __future__ import annotations

from dataclasses import dataclass

from croupier_server.match.spec import MatchResult


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over: the attempt that stands, or a walkover."""

    result: MatchResult
    thinking_ms: tuple[int, ...]  # by seat, the host's part left out
    turns: tuple[int, ...]  # by seat
    play_hash: str = ""  # 64 hexadecimal digits; empty for a walkover
