"""What a runner writes into its store in one step, so that no death of it leaves half of the step behind.

Each function is handed to `Writer.submit`, as those of `writes` are, which it puts together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from croupier_server.store import AttemptRow, AttemptState, Connection, Walkover, reads, writes


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """All that follows from the withdrawal of an entrant."""

    entrant: str
    after_match: int  # the number of the match whose outcome withdrew it
    given_up: frozenset[int]  # the numbers of running matches that are not to be played, or otherwise
    overridden: tuple[int, ...]  # the numbers of matches whose outcomes no longer stand
    walkovers: tuple[Walkover, ...]


def withdraw(connection: Connection, cup: str, withdrawal: Withdrawal) -> None:
    """Ends running attempts, takes outcomes out of force, and puts walkovers in the place of matches."""
    _abort_attempts(connection, cup, withdrawal.given_up, f"{withdrawal.entrant} was withdrawn")
    writes.withdraw_entrant(
        connection,
        cup,
        withdrawal.entrant,
        after_match=withdrawal.after_match,
        overridden=withdrawal.overridden,
    )
    for walkover in withdrawal.walkovers:
        writes.commit_walkover(connection, walkover)


def take_up(connection: Connection, cup: str, seen: Callable[[AttemptRow], bool]) -> dict[int, int]:
    """Ends the attempts that a dead runner left, and draws the blocks anew of those for which `seen` says so.

    Returns the new redraws by block number.
    """
    interrupted = writes.mark_interrupted(connection, cup, "the runner ended")
    blocks = sorted({attempt.block for attempt in interrupted if seen(attempt)})
    return {block: writes.redraw_block(connection, cup, block) for block in blocks}


def _abort_attempts(connection: Connection, cup: str, numbers: Collection[int], detail: str) -> None:
    """Ends the running attempts at the matches of these numbers."""
    for attempt in reads.attempts(connection, cup, state=AttemptState.RUNNING):
        if attempt.number in numbers:
            writes.abort_attempt(connection, attempt.match_id, detail)
