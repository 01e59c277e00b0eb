"""What a runner knows of its cup: the schedule, what has been played, who is withdrawn, and what is to be played next.

Kept in memory, made from the store's rows and kept in step with them. It plays and writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from croupier_server.match import codec
from croupier_server.match.spec import Forfeit, ForfeitReason, MatchResult, Termination
from croupier_server.store import FinishedMatch, MatchRow, SeatForfeit, SeatRow, Store, reads
from croupier_server.store import ForfeitReason as StoredReason
from croupier_server.store import Termination as StoredTermination
from croupier_tournament.cupfile import CupFile
from croupier_tournament.pairing import ScheduledMatch, schedule
from croupier_tournament.played import Played
from croupier_tournament.standings import Standings, compute_standings
from croupier_tournament.withdrawal import WithdrawalRule, effective_results, standing, withdrawn_seats


def cup_schedule(cup: CupFile) -> tuple[ScheduledMatch, ...]:
    """All matches of a cup, in order."""
    return tuple(schedule(cup.names, cup.players, cup.blocks, cup.seed))


class Ledger:
    """The books of one cup."""

    def __init__(
        self, cup: CupFile, redraws: Mapping[int, int], results: Mapping[int, Played], withdrawn: Mapping[str, int]
    ) -> None:
        self.schedule = cup_schedule(cup)
        self.redraws = dict(redraws)  # by block number
        self.results = dict(results)  # by match number, of the current redraws, walkovers included
        self.withdrawn = dict(withdrawn)  # by entrant: the match after which it is
        self._cup = cup
        self._rule = WithdrawalRule(self.schedule, withdrawn)
        self._first_open = 0  # all matches before this index stand

    def newly_withdrawn(self) -> dict[str, int]:
        """Applies the withdrawal rule to what is known; the entrants that it withdraws now."""
        before, self.withdrawn = self.withdrawn, self._rule.withdrawn(self.results)
        new = {name: after for name, after in self.withdrawn.items() if name not in before}
        if new:
            self._first_open = 0  # matches behind it may be open again
        return new

    def redraw(self, redraws: Mapping[int, int]) -> None:
        """Takes note of blocks that were drawn anew, by number; what was played of them no longer counts."""
        self.redraws.update(redraws)
        for match in self.schedule:
            if match.block_number in redraws:
                self.results.pop(match.number, None)

    def stands(self, match: ScheduledMatch) -> Played | None:
        """What stands for a match; None while it has to be played."""
        return standing(match, self.results, self.withdrawn)

    def override(self, matches: Iterable[ScheduledMatch]) -> tuple[int, ...]:
        """Forgets results that do not stand any more, since an entrant was withdrawn before; returns their numbers."""
        known = [match for match in matches if match.number in self.results]
        overridden = tuple([match.number for match in known if self.stands(match) != self.results[match.number]])
        for number in overridden:
            del self.results[number]
        return overridden

    def walkovers(self, matches: Iterable[ScheduledMatch]) -> dict[ScheduledMatch, Played]:
        """What stands for matches without a result, since they are not to be played."""
        unplayed = [match for match in matches if match.number not in self.results]
        return {match: played for match in unplayed if (played := self.stands(match)) is not None}

    def withdrawn_seats(self, match: ScheduledMatch) -> tuple[int, ...]:
        """The seats that nobody plays."""
        return withdrawn_seats(match, self.withdrawn)

    def next_match(
        self, running: Collection[ScheduledMatch], capacity: Callable[[str], int | None]
    ) -> ScheduledMatch | None:
        """The first match in schedule order that is open, not running, and whose entrants can play one more."""
        numbers = {match.number for match in running}
        busy = Counter(name for match in running for name in match.entrants)
        for index in range(self._first_open, len(self.schedule)):
            match = self.schedule[index]
            if self.stands(match) is not None:
                self._first_open += index == self._first_open
            elif match.number not in numbers and all(_free(name, busy, capacity) for name in match.entrants):
                return match
        return None

    def effective(self) -> dict[int, Played]:
        """What stands for every match that is over, by number."""
        return effective_results(self.schedule, self.results, self.withdrawn)

    def standings(self) -> Standings:
        """The table as of now."""
        return compute_standings(self._cup.names, self.schedule, self.effective())


def load_ledger(store: Store, cup: CupFile) -> Ledger:
    """The books of a cup as the store has them."""
    redraws = {block.number: block.redraw for block in store.read(reads.blocks, cup.name)}
    rows = store.read(reads.matches, cup.name)
    results = {row.number: played_of(row) for row in rows if row.current}
    entrants = store.read(reads.entrants, cup.name)
    withdrawn = {entrant.name: entrant.withdrawn_after for entrant in entrants if entrant.withdrawn_after is not None}
    return Ledger(cup, redraws, results, withdrawn)


def _free(name: str, busy: Counter[str], capacity: Callable[[str], int | None]) -> bool:
    limit = capacity(name)
    return limit is None or busy[name] < limit


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a record says: the row for the store, and what counts."""

    row: FinishedMatch
    played: Played


def outcome_of(data: bytes, entrants: Iterable[str], committed_unix_ms: int) -> Outcome:
    """Reads the record of a match that was just played."""
    record = codec.read_record(data)
    result, clock = codec.read_play(record.play).result, codec.read_clock(record.clock)
    names = tuple(entrants)
    thinking, host, turns = ([0] * len(names) for _ in range(3))
    for stamp in clock.turns:
        thinking[stamp.seat] += stamp.own_us
        host[stamp.seat] += stamp.host_us
        turns[stamp.seat] += 1
    forfeits = {forfeit.seat: _stored_forfeit(forfeit) for forfeit in result.forfeits}
    seats = tuple(
        SeatRow(
            entrant=name,
            place=result.places[seat] if result.places else None,
            score=result.scores[seat] if result.scores else None,
            forfeit=forfeits.get(seat),
            turns=turns[seat],
            thinking_us=thinking[seat],
            host_us=host[seat],
        )
        for seat, name in enumerate(names)
    )
    row = FinishedMatch(
        match_id=clock.match_id,
        termination=StoredTermination[result.termination.name],
        seats=seats,
        play_hash=record.play_hash,
        record_hash=record.record_hash,
        record=data,
        committed_unix_ms=committed_unix_ms,
    )
    thinking_ms = tuple(own // 1000 for own in thinking)
    return Outcome(row, Played(result, thinking_ms, tuple(turns), record.play_hash.hex()))


def walkover_rows(match: ScheduledMatch, played: Played) -> tuple[SeatRow, ...]:
    """The seats of a match that is not played."""
    forfeits = {forfeit.seat: _stored_forfeit(forfeit) for forfeit in played.result.forfeits}
    return tuple(
        SeatRow(entrant=name, place=place, score=None, forfeit=forfeits.get(seat), turns=0, thinking_us=0, host_us=0)
        for seat, (name, place) in enumerate(zip(match.entrants, played.result.places, strict=True))
    )


def played_of(row: MatchRow) -> Played:
    """What a row of the store says of a match."""
    forfeits = [
        Forfeit(
            seat,
            ForfeitReason[forfeit.reason.name],
            forfeit.decisions_before,
            forfeit.instant,
            forfeit.was_ready,
        )
        for seat, forfeit in enumerate(seat_row.forfeit for seat_row in row.seats)
        if forfeit is not None
    ]
    result = MatchResult(
        termination=Termination[row.termination.name],
        places=tuple(seat.place for seat in row.seats if seat.place is not None),
        scores=tuple(seat.score for seat in row.seats if seat.score is not None),
        forfeits=tuple(sorted(forfeits, key=lambda forfeit: (forfeit.instant, forfeit.seat))),
    )
    return Played(
        result,
        tuple(seat.thinking_us // 1000 for seat in row.seats),
        tuple(seat.turns for seat in row.seats),
        row.play_hash.hex() if row.play_hash else "",
    )


def _stored_forfeit(forfeit: Forfeit) -> SeatForfeit:
    reason = StoredReason[forfeit.reason.name]
    return SeatForfeit(reason, forfeit.decisions_before, forfeit.instant, forfeit.was_ready)
