"""What the server accepts from a bot. Numbers in one place, so that documents and tests can name them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one session."""

    hello_seconds: float = 10.0  # from the opening of a stream to Hello or Resume
    max_message_bytes: int = 65_536
    note_bytes: int = 4_096
    ignored_per_second: float = 50.0  # messages that change nothing; more are read slower, on the bot's own time
    ignored_burst: int = 100
    outbox_messages: int = 256  # a reader that is further behind loses its stream
    outbox_bytes: int = 4 << 20
    refusals_queued: int = 16  # a refusal is dropped when more than so many messages wait
    flush_seconds: float = 2.0  # for the last messages of a stream that is closed
    resume_seconds: float = 60.0  # how long a session without a stream and without matches is remembered
    max_matches: int = 64  # of one session


LIMITS = Limits()
