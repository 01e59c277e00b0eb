"""How the luck of a match follows from a cup's secret, and how the host binds itself to it. Pure functions of bytes."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

SECRET_BYTES = 32
KEY_BYTES = 32  # of a block key
SALT_BYTES = 32


def _message(parts: Iterable[str | int]) -> bytes:
    """Each part as UTF-8 or as 8 bytes big-endian, behind its length in 4 bytes big-endian."""
    out = bytearray()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part.to_bytes(8, "big")
        out += len(data).to_bytes(4, "big") + data
    return bytes(out)


def block_key(
    secret: bytes, game: str, entrants: Iterable[str], block: int, *, redraw: int, seating: int | None = None
) -> bytes:
    """The 32-byte key of all luck of a block; with `seating` (independent deals) that of one match.

    HMAC-SHA-256 of the cup's secret over game, sorted entrants' names, index of the block among theirs, seating if
    given, redraw: entrants that come or go do not change the deals of others.
    """
    seatings = [] if seating is None else [seating]
    parts: list[str | int] = [game, *sorted(entrants), block, *seatings, redraw]
    return hmac.digest(secret, _message(parts), "sha256")


def bot_seed(secret: bytes, entrants: Iterable[str], block: int, seating: int, seat: int) -> int:
    """The 64-bit seed of a bot's own luck; the same when an interrupted match is played again."""
    parts: list[str | int] = ["bot_seed", *sorted(entrants), block, seating, seat]
    return int.from_bytes(hmac.digest(secret, _message(parts), "sha256")[:8], "big")


def commitment(match_id: str, salt: bytes, key: bytes) -> bytes:
    """SHA-256(match_id ‖ salt ‖ block key): told before the deal, checked when the key is known."""
    return hashlib.sha256(match_id.encode() + salt + key).digest()
