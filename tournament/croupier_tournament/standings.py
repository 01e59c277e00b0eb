"""The table of a cup: ranks, ratings and counts from the complete blocks. It decides nothing and formats nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from croupier_server.match.spec import Termination
from croupier_tournament.pairing import ScheduledMatch
from croupier_tournament.played import Played
from croupier_tournament.rating import RatedMatch, elo_margins, fit_elo, sequential_elo

DECIMALS = 6  # of ratings: far finer than any margin, far coarser than the last bits of a solver


@dataclass(frozen=True, slots=True)
class Standing:
    """One row. Counts are over the matches that count."""

    rank: int  # from 1; equal ratings share a rank
    bot: str
    elo: float  # order-free; the mean of all entrants is 1500
    elo_margin: float | None  # half the width of its 95 % interval; None with fewer than two blocks
    sequential_elo: float
    matches: int
    wins: int  # opponents placed below
    draws: int  # opponents on the same place
    losses: int  # opponents placed above
    forfeits: int  # matches forfeited
    thinking_ms: int  # the host's part left out
    turns: int

    @property
    def ms_per_turn(self) -> float | None:
        """Mean thinking time a turn; None without turns."""
        return self.thinking_ms / self.turns if self.turns else None


@dataclass(frozen=True, slots=True)
class Standings:
    """The table, best first."""

    rows: tuple[Standing, ...]
    blocks: int  # the complete ones, on which it rests


def complete_blocks(schedule: Iterable[ScheduledMatch], effective: Mapping[int, Played]) -> frozenset[int]:
    """The numbers of the blocks whose matches are all over and none aborted: only these count."""
    whole: dict[int, bool] = {}
    for match in schedule:
        played = effective.get(match.number)
        counts = played is not None and played.result.termination is not Termination.ABORTED
        whole[match.block_number] = whole.get(match.block_number, True) and counts
    return frozenset(block for block, counts in whole.items() if counts)


def compute_standings(
    entrants: Sequence[str], schedule: Sequence[ScheduledMatch], effective: Mapping[int, Played]
) -> Standings:
    """The table from what stands for each match by number (see `effective_results`).

    Equal ratings keep the order of `entrants`. Numbers depend on nothing but the results of the complete blocks.
    """
    blocks = complete_blocks(schedule, effective)
    counted = [(match, effective[match.number]) for match in schedule if match.block_number in blocks]
    rated = [RatedMatch(match.block_number, match.entrants, played.result.places) for match, played in counted]
    elo = {name: round(rating, DECIMALS) for name, rating in fit_elo(entrants, rated).items()}
    margins = elo_margins(entrants, rated)
    sequential = sequential_elo(entrants, rated)
    counts = _count(entrants, counted)
    rows = [
        Standing(
            rank=1 + sum(other > elo[name] for other in elo.values()),
            bot=name,
            elo=elo[name],
            elo_margin=None if margins is None else round(margins[name], DECIMALS),
            sequential_elo=round(sequential[name], DECIMALS),
            **asdict(counts[name]),
        )
        for name in entrants
    ]
    return Standings(tuple(sorted(rows, key=lambda row: row.rank)), len(blocks))


@dataclass(slots=True)
class _Count:
    """The fields of Standing that are sums over matches."""

    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    thinking_ms: int = 0
    turns: int = 0


def _count(entrants: Iterable[str], counted: Iterable[tuple[ScheduledMatch, Played]]) -> dict[str, _Count]:
    counts = {name: _Count() for name in entrants}
    for match, played in counted:
        places = played.result.places
        for name, place, thinking_ms, turns in zip(
            match.entrants, places, played.thinking_ms, played.turns, strict=True
        ):
            count = counts[name]
            count.matches += 1
            count.wins += sum(other > place for other in places)
            count.draws += places.count(place) - 1
            count.losses += sum(other < place for other in places)
            count.thinking_ms += thinking_ms
            count.turns += turns
        for forfeit in played.result.forfeits:
            counts[match.entrants[forfeit.seat]].forfeits += 1
    return counts
