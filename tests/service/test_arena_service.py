from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest

from croupier.v1 import arena_service_pb2 as pb
from croupier.v1 import arena_service_pb2_grpc, record_pb2
from croupier_server.games import GAMES
from croupier_server.service.arena import ArenaService
from croupier_server.store import (
    Access,
    FinishedMatch,
    Isolation,
    NewAttempt,
    NewCup,
    NewEntrant,
    SeatRow,
    StandingRow,
    Standings,
    Store,
    Termination,
    open_store,
    writes,
)

pytestmark = pytest.mark.asyncio

RECORD = record_pb2.MatchRecord(format=1, play=b"the play").SerializeToString()


@dataclass
class Desk:
    """A store with a cup of two blocks of two matches, and the service that reads it."""

    store: Store
    stub: arena_service_pb2_grpc.ArenaServiceAsyncStub

    def play(self, number: int) -> str:
        match_id = f"match-{number}"
        seats = tuple(SeatRow(name, place, 2 - place, None, 10, 5_000, 7) for name, place in (("ann", 1), ("bob", 2)))
        finished = FinishedMatch(match_id, Termination.NORMAL, seats, b"p" * 32, b"r" * 32, RECORD, 5)
        with self.store.writer() as writer:
            writer.submit(writes.begin_attempt, NewAttempt(match_id, "first", number, 0, 4)).result()
            writer.submit(writes.commit_match, finished).result()
        return match_id


@asynccontextmanager
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    entrants = (NewEntrant("ann"), NewEntrant("bob"))
    cup = NewCup("first", "jekyll", b"file", os.urandom(32), Isolation.PROCESS, True, 2, entrants, (1, 1, 2, 2), 3, "0")
    with open_store(f"sqlite:///{tmp_path / 'store.sqlite'}", Access.CREATE) as store:
        with store.writer() as writer:
            writer.submit(writes.create_cup, cup).result()
        server = grpc.aio.server()
        arena_service_pb2_grpc.add_ArenaServiceServicer_to_server(ArenaService(store), server)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield Desk(store, arena_service_pb2_grpc.ArenaServiceStub(channel))
        await server.stop(0)


async def status_of(call: Any) -> grpc.StatusCode:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    return error.value.code()


async def test_games_are_listed_with_their_seats_and_options(tmp_path: Path) -> None:
    async with desk(tmp_path) as d:
        games = {game.id: game for game in (await d.stub.ListGames(pb.ListGamesRequest())).games}
    jekyll = games["jekyll"]
    assert list(games) == sorted(GAMES)
    assert (list(jekyll.seat_counts), jekyll.behavior) == ([2], GAMES["jekyll"].behavior)
    assert jekyll.default_options.jekyll.greed_count == 2


async def test_cups_and_bots_are_listed(tmp_path: Path) -> None:
    async with desk(tmp_path) as d:
        (cup,) = (await d.stub.ListCups(pb.ListCupsRequest())).cups
        bots = (await d.stub.ListBots(pb.ListBotsRequest(cup="first"))).bots
    assert (cup.name, cup.game, cup.matches_scheduled, cup.matches_over, cup.closed) == ("first", "jekyll", 4, 0, False)
    assert [bot.name for bot in bots] == ["ann", "bob"]


async def test_until_a_block_is_over_only_places_scores_and_time_use_are_told(tmp_path: Path) -> None:
    async with desk(tmp_path) as d:
        match_id = d.play(1)
        (match,) = (await d.stub.ListMatches(pb.ListMatchesRequest(cup="first"))).matches
        refused = await status_of(d.stub.GetRecord(pb.GetRecordRequest(match_id=match_id)))
        d.play(2)
        told = (await d.stub.ListMatches(pb.ListMatchesRequest(cup="first"))).matches[0]
        record = (await d.stub.GetRecord(pb.GetRecordRequest(match_id=match_id))).record
    assert (list(match.result.places), list(match.result.scores), list(match.thinking_ms)) == ([1, 2], [1, 0], [5, 5])
    assert not match.open_to_all
    assert not match.play_hash
    assert not match.record_hash
    assert refused is grpc.StatusCode.FAILED_PRECONDITION
    assert told.open_to_all
    assert told.play_hash == b"p" * 32
    assert record.play == b"the play"


async def test_matches_come_in_pages(tmp_path: Path) -> None:
    async with desk(tmp_path) as d:
        for number in (1, 2, 3):
            d.play(number)
        numbers, token = [], ""
        while True:
            request = pb.ListMatchesRequest(cup="first", page_size=2, page_token=token)
            page = await d.stub.ListMatches(request)
            numbers += [match.number for match in page.matches]
            token = page.next_page_token
            if not token:
                break
        bad = await status_of(d.stub.ListMatches(pb.ListMatchesRequest(cup="first", page_token="x" * 100)))
    assert numbers == [1, 2, 3]
    assert bad is grpc.StatusCode.INVALID_ARGUMENT


async def test_standings_are_the_rows_that_were_written(tmp_path: Path) -> None:
    async with desk(tmp_path) as d:
        rows = (
            StandingRow(1, "ann", 1600.5, None, 1510.0, 2, 2, 0, 0, 0, 1.5),
            StandingRow(2, "bob", 1399.5, 12.0, 1490.0, 2, 0, 0, 2, 1, None),
        )
        with d.store.writer() as writer:
            writer.submit(writes.replace_standings, "first", Standings(1, rows)).result()
        answer = await d.stub.GetStandings(pb.GetStandingsRequest(cup="first"))
    assert answer.blocks == 1
    assert [(row.rank, row.bot, row.elo) for row in answer.standings] == [(1, "ann", 1600.5), (2, "bob", 1399.5)]
    assert not answer.standings[0].HasField("elo_margin")
    assert not answer.standings[1].HasField("ms_per_turn")


async def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    async with desk(tmp_path) as d:
        calls = [
            d.stub.ListBots(pb.ListBotsRequest(cup="second")),
            d.stub.ListMatches(pb.ListMatchesRequest(cup="second")),
            d.stub.GetStandings(pb.GetStandingsRequest(cup="")),
            d.stub.GetRecord(pb.GetRecordRequest(match_id="no such")),
        ]
        assert {await status_of(call) for call in calls} == {grpc.StatusCode.NOT_FOUND}


async def test_a_server_without_a_store_has_games_and_nothing_else() -> None:
    server = grpc.aio.server()
    arena_service_pb2_grpc.add_ArenaServiceServicer_to_server(ArenaService(None), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub: arena_service_pb2_grpc.ArenaServiceAsyncStub = arena_service_pb2_grpc.ArenaServiceStub(channel)
        assert (await stub.ListGames(pb.ListGamesRequest())).games
        assert not (await stub.ListCups(pb.ListCupsRequest())).cups
        code = await status_of(stub.ListBots(pb.ListBotsRequest(cup="first")))
    await server.stop(0)
    assert code is grpc.StatusCode.NOT_FOUND
