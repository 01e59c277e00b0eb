"""ArenaService: what has been played, read from the store. The embargo holds here; nothing is written."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import grpc
import grpc.aio

from croupier.v1 import arena_service_pb2 as pb
from croupier.v1 import arena_service_pb2_grpc, match_pb2, record_pb2
from croupier_server.games import GAMES
from croupier_server.match.wire import wire_of
from croupier_server.store import MatchRow, Store, UnknownCupError, reads

T = TypeVar("T")
Context = grpc.aio.ServicerContext[Any, Any]

_PAGE = 100
_LARGEST_PAGE = 1_000
_TOKEN = re.compile(r"(\d{1,10})-(\d{1,10})-(\d{1,18})", re.ASCII)


class ArenaService(arena_service_pb2_grpc.ArenaServiceServicer):
    """Reads; without a store there are games and nothing else."""

    def __init__(self, store: Store | None) -> None:
        self._store = store

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:  # noqa: ARG002, N802
        """The catalogue."""
        games = [
            pb.GameInfo(
                id=game.id,
                title=game.title,
                seat_counts=game.seats,
                behavior=game.behavior,
                default_options=wire_of(game).options(game.options()),
            )
            for game in sorted(GAMES.values(), key=lambda game: game.id)
        ]
        return pb.ListGamesResponse(games=games)

    async def ListCups(self, request: pb.ListCupsRequest, context: Context) -> pb.ListCupsResponse:  # noqa: ARG002, N802
        """The cups of the store."""
        if self._store is None:
            return pb.ListCupsResponse()
        cups = [
            pb.Cup(
                name=cup.name,
                game=cup.game,
                created_unix_ms=cup.created_unix_ms,
                closed=cup.closed,
                matches_scheduled=cup.matches_scheduled,
                matches_over=cup.matches_over,
                isolation=cup.isolation,
                duplicate=cup.duplicate,
            )
            for cup in await self._read(context, reads.cups)
        ]
        return pb.ListCupsResponse(cups=cups)

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:  # noqa: N802
        """The entrants of a cup."""
        entrants = await self._read(context, reads.entrants, request.cup)
        return pb.ListBotsResponse(
            bots=[pb.Bot(name=row.name, remote=row.remote, withdrawn=row.withdrawn) for row in entrants]
        )

    async def ListMatches(self, request: pb.ListMatchesRequest, context: Context) -> pb.ListMatchesResponse:  # noqa: N802
        """A page of matches; the token is the position of the last match of the page before."""
        size = min(request.page_size or _PAGE, _LARGEST_PAGE)
        after = _position(request.page_token)
        if after is None:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "page_token is none that this server gave")
        rows = await self._read(context, reads.matches, request.cup, after=after, limit=size)
        token = "-".join(map(str, rows[-1].position)) if len(rows) == size else ""
        matches = [_match(row) for row in rows if row.current]
        return pb.ListMatchesResponse(matches=matches, next_page_token=token)

    async def GetRecord(self, request: pb.GetRecordRequest, context: Context) -> pb.GetRecordResponse:  # noqa: N802
        """A record, once its block is over."""
        row = await self._read(context, reads.record, request.match_id)
        if row is None:
            await _not_found(context, f"there is no record of a match {request.match_id[:64]!r}")
        if not row.match.open_to_all:
            text = "the block of this match is not over; nothing of it but places, scores and time use is told before"
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, text)
        return pb.GetRecordResponse(record=record_pb2.MatchRecord.FromString(row.record))

    async def GetStandings(self, request: pb.GetStandingsRequest, context: Context) -> pb.GetStandingsResponse:  # noqa: N802
        """The table as last computed."""
        standings = await self._read(context, reads.standings, request.cup)
        rows = [
            pb.Standing(
                rank=row.rank,
                bot=row.entrant,
                elo=row.elo,
                elo_margin=row.elo_margin,
                sequential_elo=row.sequential_elo,
                matches=row.matches,
                wins=row.wins,
                draws=row.draws,
                losses=row.losses,
                forfeits=row.forfeits,
                ms_per_turn=row.ms_per_turn,
            )
            for row in standings.rows
        ]
        return pb.GetStandingsResponse(standings=rows, blocks=standings.blocks)

    async def _read(self, context: Context, question: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Asks the store in a thread of its own, so that no match waits for a disk."""
        if self._store is None:
            await _not_found(context, "this server has no store")
        try:
            return await asyncio.to_thread(self._store.read, question, *args, **kwargs)
        except UnknownCupError as error:
            await _not_found(context, str(error))


async def _not_found(context: Context, text: str) -> NoReturn:
    await context.abort(grpc.StatusCode.NOT_FOUND, text)
    raise AssertionError("abort raises")


def _position(token: str) -> tuple[int, int, int] | None:
    """Where a page begins; None for a token that was never given."""
    if not token:
        return (0, 0, 0)
    found = _TOKEN.fullmatch(token)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def _match(row: MatchRow) -> pb.Match:
    result = match_pb2.MatchResult(
        termination=match_pb2.Termination.Value(f"TERMINATION_{row.termination.name}"),
        places=[seat.place for seat in row.seats if seat.place is not None],
        scores=[seat.score for seat in row.seats if seat.score is not None],
        forfeits=_forfeits(row),
    )
    told = row.open_to_all
    return pb.Match(
        match_id=row.match_id or "",
        number=row.number,
        block=row.block,
        entrants=[seat.entrant for seat in row.seats],
        result=result,
        thinking_ms=[seat.thinking_us // 1000 for seat in row.seats],
        turns=[seat.turns for seat in row.seats],
        counted=row.counted,
        open_to_all=told,
        play_hash=(row.play_hash or b"") if told else b"",
        record_hash=(row.record_hash or b"") if told else b"",
    )


def _forfeits(row: MatchRow) -> list[match_pb2.Forfeit]:
    forfeits = [
        match_pb2.Forfeit(
            seat=seat,
            reason=match_pb2.ForfeitReason.Value(f"FORFEIT_REASON_{forfeit.reason.name}"),
            decisions_before=forfeit.decisions_before if row.open_to_all else 0,
            instant=forfeit.instant,
            was_ready=forfeit.was_ready,
        )
        for seat, forfeit in enumerate(row.forfeit for row in row.seats)
        if forfeit is not None
    ]
    return sorted(forfeits, key=lambda forfeit: (forfeit.instant, forfeit.seat))
