"""One seat's time: bank, increment, cap, and the host's share of a turn. Microseconds in, microseconds out; no clock.

A turn may take `allowed` = min(cap, bank + increment). The host's share is time that the host caused; it is added to
the deadline, so only the bot's own part is charged to the bank. A bank that was let run dry stays at zero.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier_server.match.spec import Clock

US = 1000  # microseconds in a millisecond


@dataclass(slots=True)
class SeatTime:
    """The thinking time of one seat over a match."""

    clock: Clock
    bank_us: int  # what is left, without the increment of the next turn

    @classmethod
    def full(cls, clock: Clock) -> SeatTime:
        """The time of a seat that has not been asked yet."""
        return cls(clock, clock.bank_ms * US)

    def begin(self) -> int:
        """Starts a turn: adds the increment and returns what the turn may take without the host's share."""
        self.bank_us += self.clock.increment_ms * US
        return min(self.bank_us, self.clock.turn_cap_ms * US)

    def charge(self, own_us: int, allowed_us: int) -> None:
        """Ends a turn of which the bot's own part was `own_us`; never charges more than was allowed."""
        self.bank_us -= min(max(own_us, 0), allowed_us)
