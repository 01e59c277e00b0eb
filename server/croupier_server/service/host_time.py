"""The host's share of time: how late the event loop is, and how long launched bots waited for a processor.

The beat is due every BEAT_US. When it, or anything else that asks, comes later than SLACK_US after it was due, the
loop was held up for that long, and every open turn gets the time back (design: time and blame).
"""

from __future__ import annotations

import time

BEAT_US = 20_000
SLACK_US = 5_000


def now_us() -> int:
    """Microseconds of a clock that only moves forward."""
    return time.monotonic_ns() // 1000


class HostTime:
    """Adds up what the event loop was late by."""

    def __init__(self, now: int) -> None:
        self.lag_us = 0  # in all
        self._due = now + BEAT_US

    def observe(self, now: int) -> bool:
        """Counts the lag up to now; tells whether there was any. Call it before time is judged."""
        late = now - self._due
        if late <= SLACK_US:
            return False
        self.lag_us += late
        self._due = now  # what comes after this moment is counted by the next call
        return True

    def beat(self, now: int) -> bool:
        """The regular call; like `observe`, and the next beat is due one period from now."""
        late = self.observe(now)
        self._due = now + BEAT_US
        return late
