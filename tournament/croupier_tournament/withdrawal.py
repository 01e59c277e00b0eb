"""Who is withdrawn from a cup, and what becomes of the matches left. A pure rule, so that resuming decides the same.

An entrant whose bot fails to start in three of its matches in a row is withdrawn. "In a row" is meant in schedule
order: matches that ended earlier than their turn wait until all before them are over, so the rule says the same with 1
and with 8 matches at a time. Matches that were not played, or were aborted, say nothing about a bot and are passed
over. A match of a withdrawn entrant that has been played out of order already is overridden: kept, not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from croupier_server.match.spec import Forfeit, ForfeitReason, MatchResult, Termination
from croupier_tournament.pairing import ScheduledMatch
from croupier_tournament.played import Played

FAILED_STARTS = 3


class WithdrawalRule:
    """Reads results in schedule order as far as they go without a gap, and remembers where it stopped.

    `known` are those that an earlier reading withdrew, with the match after which; they stay withdrawn.
    """

    def __init__(self, schedule: Sequence[ScheduledMatch], known: Mapping[str, int] | None = None) -> None:
        self._schedule = schedule
        self._read = 0
        self._failures: Counter[str] = Counter()
        self._withdrawn = dict(known or {})

    def withdrawn(self, results: Mapping[int, Played]) -> dict[str, int]:
        """For each withdrawn entrant the number of the match after which it is.

        `results` holds by number all that is known, and may grow from call to call; what was known once must stay.
        """
        while self._read < len(self._schedule):
            match = self._schedule[self._read]
            played = standing(match, results, self._withdrawn)
            if played is None:
                break
            self._note(match, played.result)
            self._read += 1
        return dict(self._withdrawn)

    def _note(self, match: ScheduledMatch, result: MatchResult) -> None:
        gone = withdrawn_seats(match, self._withdrawn)
        if result.termination is Termination.ABORTED or _unplayed(match, gone):
            return
        failed = {forfeit.seat for forfeit in result.forfeits if not forfeit.was_ready}
        for seat, name in enumerate(match.entrants):
            if seat in gone:
                continue
            self._failures[name] = self._failures[name] + 1 if seat in failed else 0
            if self._failures[name] == FAILED_STARTS:
                self._withdrawn.setdefault(name, match.number)


def withdrawn_seats(match: ScheduledMatch, withdrawn: Mapping[str, int]) -> tuple[int, ...]:
    """The seats of a match whose entrants were withdrawn before it, ascending."""
    return tuple(
        seat for seat, name in enumerate(match.entrants) if name in withdrawn and withdrawn[name] < match.number
    )


def standing(match: ScheduledMatch, results: Mapping[int, Played], withdrawn: Mapping[str, int]) -> Played | None:
    """What stands for a match: as it was played, a walkover, or None when it has (still, or again) to be played.

    With at most one seat left that is not withdrawn there is nothing to play. With more, the match is played by the
    others and the fallback, and one that was played before the withdrawal was known has to be played again.
    """
    gone = withdrawn_seats(match, withdrawn)
    if _unplayed(match, gone):
        return _walkover(len(match.entrants), gone)
    played = results.get(match.number)
    if played is None or played.result.termination is Termination.ABORTED:
        return played
    marked = {forfeit.seat for forfeit in played.result.forfeits if forfeit.reason is ForfeitReason.WITHDRAWN}
    return played if marked.issuperset(gone) else None


def effective_results(
    schedule: Sequence[ScheduledMatch], results: Mapping[int, Played], withdrawn: Mapping[str, int]
) -> dict[int, Played]:
    """What stands for each match of the schedule, by number in schedule order; absent is what has to be played."""
    found = ((match.number, standing(match, results, withdrawn)) for match in schedule)
    return {number: played for number, played in found if played is not None}


def _unplayed(match: ScheduledMatch, gone: Sequence[int]) -> bool:
    return len(gone) >= len(match.entrants) - 1


def _walkover(seats: int, gone: Sequence[int]) -> Played:
    """Those withdrawn forfeit in one instant: tied below the one left, or all on place 1."""
    places = tuple(1 + (seat in gone and len(gone) < seats) for seat in range(seats))
    forfeits = tuple(
        Forfeit(seat, ForfeitReason.WITHDRAWN, decisions_before=0, instant=1, was_ready=False) for seat in gone
    )
    nothing = (0,) * seats
    return Played(MatchResult(Termination.FORFEIT, places, forfeits=forfeits), nothing, nothing)
