from __future__ import annotations

import asyncio
from typing import Any

import pytest

from croupier.v1 import games_pb2, jekyll_pb2, match_pb2
from croupier.v1 import play_service_pb2 as pb
from croupier_server.match.keys import commitment
from croupier_server.match.record import DecisionSource
from croupier_server.match.spec import ForfeitReason, Termination

pytestmark = pytest.mark.asyncio

ERRORS = pb.ErrorCode


async def test_two_streams_play_a_match_to_its_record(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        tokens = a.admit("one"), a.admit("two")
        match = a.open("one", "two")
        starts = await asyncio.gather(one.begin(tokens[0]), two.begin(tokens[1]))
        ends = await asyncio.gather(one.play_on(), two.play_on())
        played = await match
    assert [start.seat for start in starts] == [0, 1]
    assert [start.bot_seed for start in starts] == [7, 8]
    assert starts[0].options.jekyll.greed_count == 2
    assert starts[0].commitment == commitment(starts[0].match_id, played.clock.salt, played.play.block_key)
    assert ends[0].result == ends[1].result
    assert list(ends[0].result.places) == list(played.play.result.places)
    assert played.play.result.termination is Termination.NORMAL
    assert not ends[0].result.forfeits


async def test_turns_count_for_each_seat_and_events_arrive_without_a_gap(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))

        async def follow(bot: Any) -> list[tuple[int, int, int]]:
            seen = []
            while (response := await bot.next()) is not None and not response.HasField("match_end"):
                turn = response.turn
                seen.append((turn.turn_id, len(turn.events), turn.last_sequence))
                await bot.act(turn)
            return seen

        seen = (await asyncio.gather(follow(one), follow(two)))[0]
        await match
    assert [turn_id for turn_id, _, _ in seen] == list(range(1, len(seen) + 1))
    told = 0
    for _, events, last in seen:
        told += events
        assert last == told


async def test_an_answer_is_an_index_or_an_action(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        turn = await one.until("turn")
        chosen = turn.legal_actions[-1]
        await one.send(act=pb.Act(match_id=turn.match_id, turn_id=turn.turn_id, action=chosen, note="why not"))
        await asyncio.gather(one.play_on(), two.play_on())
        played = await match
    assert next(decision.turn_id for decision in played.play.decisions if decision.seat == 0) == 1
    assert played.play.spec.game.action_text(played.play.decisions[0].action).startswith("give ")
    assert b"why not" in played.record.notes
    assert b"why not" not in played.record.play


@pytest.mark.parametrize("kind", ["late", "double", "foreign turn", "foreign match"])
async def test_an_answer_to_anything_but_the_open_turn_changes_and_costs_nothing(arena: Any, kind: str) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        first = await one.until("turn")
        await one.act(first)
        if kind == "late":
            await two.act(await two.until("turn"))
            second = await one.until("turn")
            await one.act(first, 3)
            error = await one.until("error")
            await one.act(second)
        elif kind == "double":
            await one.act(first, 5)
            error = await one.until("error")
        elif kind == "foreign turn":
            await one.send(act=pb.Act(match_id=first.match_id, turn_id=99, index=0))
            error = await one.until("error")
        else:
            await one.send(act=pb.Act(match_id="another", turn_id=1, index=0))
            error = await one.until("error")
        await asyncio.gather(one.play_on(), two.play_on())
        played = await match
    assert error.code == (ERRORS.ERROR_CODE_UNKNOWN_MATCH if kind == "foreign match" else ERRORS.ERROR_CODE_STALE_TURN)
    assert not error.fatal
    assert not played.play.illegal_answers
    assert not played.play.result.forfeits


@pytest.mark.parametrize("answer", ["index", "foreign card", "no choice", "empty action"])
async def test_an_illegal_answer_costs_a_strike_and_leaves_the_turn_open(arena: Any, answer: str) -> None:
    choices: dict[str, dict[str, Any]] = {
        "index": {"index": 1_000},
        "foreign card": {
            "action": games_pb2.Action(
                jekyll=jekyll_pb2.JekyllAction(play=jekyll_pb2.JekyllPlay(card=jekyll_pb2.JEKYLL_CARD_P1))
            )
        },
        "no choice": {},
        "empty action": {"action": games_pb2.Action()},
    }
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        turn = await one.until("turn")
        await one.send(act=pb.Act(match_id=turn.match_id, turn_id=turn.turn_id, **choices[answer]))
        error = await one.until("error")
        await one.act(turn)
        await asyncio.gather(one.play_on(), two.play_on())
        played = await match
    assert error.code == ERRORS.ERROR_CODE_ILLEGAL_ACTION
    assert (error.turn_id, error.strikes) == (1, 1)
    assert len(played.play.illegal_answers) == 1
    assert not played.play.result.forfeits


async def test_the_last_strike_forfeits_and_the_other_seat_wins(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two", strikes=2)
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        turn = await one.until("turn")
        await one.act(turn, 999)
        await one.act(turn, 999)
        end = await two.until("match_end")
        played = await match
    assert list(end.result.places) == [2, 1]
    assert not end.result.scores
    assert end.result.forfeits[0].reason == match_pb2.FORFEIT_REASON_ILLEGAL_ACTION
    assert played.play.result.termination is Termination.FORFEIT


async def test_silence_plays_the_fallback_and_in_the_end_forfeits(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two", strikes=2, turn_cap_ms=150)
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        turn = await one.until("turn")
        error = await one.until("error")
        await two.play_on()
        played = await match
    assert turn.remaining_ms <= 150
    assert (error.code, error.turn_id) == (ERRORS.ERROR_CODE_TIMED_OUT, 1)
    first = played.play.decisions[0]
    assert (first.source, first.action) == (DecisionSource.TIMEOUT, _fallback(turn, played))
    assert [forfeit.reason for forfeit in played.play.result.forfeits] == [ForfeitReason.TIMEOUT]


def _fallback(turn: pb.Turn, played: Any) -> Any:
    from croupier_server.match.wire import wire_of

    return wire_of(played.play.spec.game).read_action(turn.legal_actions[0])


async def test_a_seat_that_is_never_ready_forfeits_when_the_allowance_ends(arena: Any) -> None:
    async with arena() as a:
        one = a.stream()
        match = a.open("one", "two", start_up_ms=200)
        await one.begin(a.admit("one"))
        end = await one.until("match_end")
        await match
    assert list(end.result.places) == [1, 2]
    assert end.result.forfeits[0].reason == match_pb2.FORFEIT_REASON_NOT_READY
    assert not end.result.forfeits[0].was_ready
    assert not end.HasField("observation")


async def test_a_bot_can_resign(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        turn = await one.until("turn")
        await one.send(resign=pb.Resign(match_id=turn.match_id))
        end = await one.until("match_end")
        await match
    assert end.result.forfeits[0].reason == match_pb2.FORFEIT_REASON_RESIGNED


async def test_updates_go_only_to_those_who_asked(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        tokens = a.admit("one"), a.admit("two")
        await asyncio.gather(one.begin(tokens[0], wants_updates=True), two.begin(tokens[1]))

        async def kinds(bot: Any) -> set[str]:
            seen = set()
            while (response := await bot.next()) is not None:
                seen.add(response.WhichOneof("payload"))
                if response.HasField("turn"):
                    await bot.act(response.turn)
                if response.HasField("match_end"):
                    break
            return seen

        first, second = await asyncio.gather(kinds(one), kinds(two))
        await match
    assert first == {"turn", "update", "match_end"}
    assert second == {"turn", "match_end"}


async def test_one_session_plays_several_matches_when_it_says_so(arena: Any) -> None:
    async with arena() as a:
        one, two = a.stream(), a.stream()
        matches = [a.open("one", "two") for _ in range(3)]
        tokens = a.admit("one"), a.admit("two")
        await asyncio.gather(one.hello(tokens[0], max_matches=3), two.hello(tokens[1], max_matches=3))

        async def play(bot: Any) -> int:
            ended = 0
            while ended < 3 and (response := await bot.next()) is not None:
                if response.HasField("match_start"):
                    await bot.send(ready=pb.Ready(match_id=response.match_start.match_id))
                elif response.HasField("turn"):
                    await bot.act(response.turn)
                elif response.HasField("match_end"):
                    ended += 1
            return ended

        first, second = await asyncio.gather(play(one), play(two))
        assert (first, second) == (3, 3)
        await asyncio.gather(*matches)


async def test_a_unix_socket_serves_as_well(arena: Any, short_path: Any) -> None:
    async with arena(f"unix:{short_path}") as a:
        one, two = a.stream(), a.stream()
        match = a.open("one", "two")
        await asyncio.gather(one.begin(a.admit("one")), two.begin(a.admit("two")))
        await asyncio.gather(one.play_on(), two.play_on())
        assert (await match).play.result.termination is Termination.NORMAL
