from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from croupier.v1 import match_pb2
from croupier.v1 import play_service_pb2 as pb
from croupier_server.match.record import IncidentKind
from croupier_server.match.spec import ForfeitReason, Termination
from croupier_server.service.limits import LIMITS

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(
    ("first", "code", "status"),
    [
        (pb.PlayRequest(hello=pb.Hello(token="wrong", protocol_version=1)), "UNAUTHENTICATED", "UNAUTHENTICATED"),
        (pb.PlayRequest(hello=pb.Hello(token="x", protocol_version=9)), "UNSUPPORTED_VERSION", "FAILED_PRECONDITION"),
        (pb.PlayRequest(resume=pb.Resume(resume_token="wrong")), "UNAUTHENTICATED", "UNAUTHENTICATED"),
        (pb.PlayRequest(ready=pb.Ready(match_id="m")), "PROTOCOL_MISUSE", "INVALID_ARGUMENT"),
        (pb.PlayRequest(), "PROTOCOL_MISUSE", "INVALID_ARGUMENT"),
        (b"\xff\xff\xff garbage", "PROTOCOL_MISUSE", "INVALID_ARGUMENT"),
    ],
)
async def test_a_bad_beginning_is_told_and_ends_the_stream(arena: Any, first: Any, code: str, status: str) -> None:
    async with arena() as a:
        bot = a.stream()
        await bot.send_bytes(first if isinstance(first, bytes) else first.SerializeToString())
        error = await bot.until("error")
        assert error.code == pb.ErrorCode.Value(f"ERROR_CODE_{code}")
        assert error.fatal
        assert await bot.status() is grpc.StatusCode[status]


async def test_a_ticket_is_dead_after_one_hello(arena: Any) -> None:
    async with arena() as a:
        token = a.admit("one")
        first, second = a.stream(), a.stream()
        await first.hello(token)
        await second.send(hello=pb.Hello(token=token, protocol_version=1))
        assert (await second.until("error")).code == pb.ERROR_CODE_UNAUTHENTICATED


async def test_a_token_opens_as_many_sessions_as_it_likes_until_it_is_revoked(arena: Any) -> None:
    async with arena() as a:
        token = a.admit("one", one_time=False)
        first, second, third = a.stream(), a.stream(), a.stream()
        assert (await first.hello(token)).session_id != (await second.hello(token)).session_id
        a.line.revoke("one")
        assert await first.next() is not None  # Draining
        assert await first.status() is grpc.StatusCode.OK
        await third.send(hello=pb.Hello(token=token, protocol_version=1))
        assert (await third.until("error")).code == pb.ERROR_CODE_UNAUTHENTICATED


async def test_a_lost_stream_resumes_with_the_open_turn_and_what_was_missed(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        welcome = await one.hello(a.admit("one"))
        start = await one.ready()
        await two.begin(a.admit("two"))
        turn = await one.until("turn")
        one.drop()
        again = a.stream()
        known = pb.ResumedMatch(match_id=start.match_id, last_sequence=1)
        await again.send(resume=pb.Resume(resume_token=welcome.resume_token, matches=[known]))
        assert (await again.until("welcome")).session_id == welcome.session_id
        resent = await again.until("turn")
        assert (resent.turn_id, resent.observation) == (turn.turn_id, turn.observation)
        assert list(resent.events) == list(turn.events)[1:]
        assert resent.last_sequence == turn.last_sequence
        assert resent.remaining_ms <= turn.remaining_ms
        await again.act(resent)
        await asyncio.gather(again.play_on(), two.play_on())
        played = await match
    kinds = [incident.kind for incident in played.clock.incidents if incident.seat == 0]
    assert kinds == [IncidentKind.READY, IncidentKind.DISCONNECTED, IncidentKind.RESUMED]
    assert not played.play.result.forfeits


async def test_a_match_that_is_not_listed_on_resume_starts_again(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        welcome = await one.hello(a.admit("one"))
        await one.ready()
        await two.begin(a.admit("two"))
        turn = await one.until("turn")
        one.drop()
        again = a.stream()
        await again.send(resume=pb.Resume(resume_token=welcome.resume_token))
        assert (await again.until("match_start")).match_id == turn.match_id
        assert list((await again.until("turn")).events) == list(turn.events)
        again.drop()
        two.drop()
        await match


async def test_a_new_stream_replaces_the_old_one_of_its_session(arena: Any) -> None:
    async with arena() as a:
        one, again = a.stream(), a.stream()
        welcome = await one.hello(a.admit("one"))
        await again.send(resume=pb.Resume(resume_token=welcome.resume_token))
        await again.until("welcome")
        assert (await one.until("error")).code == pb.ERROR_CODE_REPLACED
        assert await one.status() is grpc.StatusCode.ABORTED


async def test_a_match_that_ended_meanwhile_is_told_on_resume(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two", disconnect_grace_ms=300)
        welcome = await one.hello(a.admit("one"))
        start = await one.ready()
        await two.begin(a.admit("two"))
        await one.until("turn")
        one.drop()
        await two.until("match_end")
        again = a.stream()
        known = pb.ResumedMatch(match_id=start.match_id, last_sequence=0)
        await again.send(resume=pb.Resume(resume_token=welcome.resume_token, matches=[known]))
        end = await again.until("match_end")
        await match
    assert end.match_id == start.match_id
    assert end.result.forfeits[0].reason == match_pb2.FORFEIT_REASON_DISCONNECT
    assert end.last_sequence == len(end.events) > 0


async def test_who_does_not_come_back_forfeits_after_the_grace(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two", disconnect_grace_ms=200)
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        one.drop()
        await two.until("match_end")
        played = await match
    assert [forfeit.reason for forfeit in played.play.result.forfeits] == [ForfeitReason.DISCONNECT]


async def test_garbage_in_the_middle_ends_the_stream_and_costs_the_seat(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two", disconnect_grace_ms=200)
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        await one.until("turn")
        await one.send_bytes(b"\x0a\xff\xff\xff\xff\xff")
        assert (await one.until("error")).code == pb.ERROR_CODE_PROTOCOL_MISUSE
        assert await one.status() is grpc.StatusCode.INVALID_ARGUMENT
        await two.play_on()
        played = await match
    assert [forfeit.seat for forfeit in played.play.result.forfeits] == [0]


async def test_a_message_that_is_too_long_ends_the_stream(arena: Any) -> None:
    async with arena() as a:
        bot = a.stream()
        await bot.hello(a.admit("one"))
        await bot.send(act=pb.Act(match_id="m", note="x" * (LIMITS.max_message_bytes + 1)))
        assert await bot.status() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_flooder_slows_only_itself_and_its_refusals_are_not_queued(arena: Any) -> None:
    async with arena() as a:
        one, two, three, four = (a.stream() for _ in range(4))
        flooded, quiet = a.open("one", "two"), a.open("three", "four")
        bots = {"one": one, "two": two, "three": three, "four": four}
        await asyncio.gather(*[bot.begin(a.admit(slot)) for slot, bot in bots.items()])
        turn = await one.until("turn")

        async def flood() -> None:
            for _ in range(3_000):
                await one.send(act=pb.Act(match_id=turn.match_id, turn_id=77, index=0))

        flooding = asyncio.create_task(flood())
        await asyncio.gather(three.play_on(), four.play_on())
        assert (await quiet).play.result.termination is Termination.NORMAL
        flooding.cancel()
        one.drop()
        await two.until("match_end")
        played = await flooded
    ignored = sum(stamp.ignored_answers for stamp in played.clock.turns)
    assert 0 < ignored < LIMITS.ignored_burst + LIMITS.ignored_per_second * 20
    assert not played.play.illegal_answers


async def test_the_end_of_a_launched_process_forfeits_at_once(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        a.line.process_ended("one", "killed by SIGKILL")
        await two.until("match_end")
        played = await match
    assert [forfeit.reason for forfeit in played.play.result.forfeits] == [ForfeitReason.CRASH]
    assert "killed by SIGKILL" in [incident.detail for incident in played.clock.incidents]


async def test_a_process_that_ended_before_its_match_was_opened_forfeits_it(arena: Any) -> None:
    async with arena() as a:
        two = a.stream()
        a.admit("one")
        a.line.process_ended("one", "exit status 1")
        match = a.open("one", "two")
        token = a.admit("two")
        played = await match
        await two.hello(token)
    assert [forfeit.reason for forfeit in played.play.result.forfeits] == [ForfeitReason.CRASH]
    assert not played.play.result.forfeits[0].was_ready


async def test_a_session_gets_only_games_that_it_plays(arena: Any) -> None:
    async with arena() as a:
        one = a.stream()
        match = a.open("one", "two", start_up_ms=300)
        await one.hello(a.admit("one"), games=["chess"])
        played = await match
        one.drop()
    assert len(played.play.result.forfeits) == 2
    assert played.play.result.places == (1, 1)


async def test_the_runner_hears_who_is_there(arena: Any) -> None:
    async with arena() as a:
        one = a.stream()
        await one.hello(a.admit("one"), max_matches=3)
        async with asyncio.timeout(10), a.line.changed:
            await a.line.changed.wait_for(lambda: a.line.slot("one").capacity == 3)
        one.drop()
        async with asyncio.timeout(10), a.line.changed:
            await a.line.changed.wait_for(lambda: a.line.slot("one").sessions == 0)
