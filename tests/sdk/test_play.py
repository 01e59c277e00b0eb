"""Bots that play against a real grpc.aio server with a scripted other side: matches, lost streams, ends, errors."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from tests.support import play_messages as say
from tests.support.scripted_server import Caller, serve

import croupier
from croupier import _transport
from croupier.v1 import play_service_pb2 as pb

DEADLINE_S = 20.0
pytestmark = pytest.mark.asyncio(loop_scope="module")  # grpc.aio wants one loop a process


async def played(make: Callable[[], croupier.Bot], address: str, *, max_matches: int = 1) -> None:
    async with asyncio.timeout(DEADLINE_S):
        await croupier.play_async(make, address=address, token="ticket", max_matches=max_matches)


class First(croupier.Bot):
    """Always takes the first legal action."""

    def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
        return 0


class Diary(croupier.Bot):
    """Writes down what it is told, the object that it is included."""

    def __init__(self, lines: list[tuple[object, ...]]) -> None:
        self.lines = lines

    def start(self, match: croupier.Match) -> None:
        self.lines.append((self, "start", match.match_id, self.match is match, self.luck.random()))

    def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
        self.lines.append((self, "act", turn.match.match_id, turn.turn_id))
        return 0

    def end(self, end: croupier.AnyEnd) -> None:
        self.lines.append((self, "end", end.match.match_id, end.place))


async def one_match(bot: Caller, match_id: str = "m1") -> None:
    await bot.says(say.match_start(match_id))
    assert (await bot.hears("ready")).match_id == match_id
    await bot.says(say.turn(1, match_id))
    assert (await bot.hears("act")).turn_id == 1
    await bot.says(say.match_end(match_id))


async def greeted(bot: Caller) -> None:
    await bot.hears("hello")
    await bot.says(say.welcome("again"))


async def test_matches_are_played_one_after_the_other_by_fresh_bots_with_their_own_luck() -> None:
    async def script(bot: Caller) -> None:
        await greeted(bot)
        await one_match(bot, "m1")
        await one_match(bot, "m2")
        await bot.says(say.draining())
        await bot.hears_goodbye()

    lines: list[tuple[object, ...]] = []
    async with serve(script) as address:
        await played(lambda: Diary(lines), address)
    luck = random.Random(7).random()
    assert [line[1:] for line in lines] == [
        ("start", "m1", True, luck),
        ("act", "m1", 1),
        ("end", "m1", 1),
        ("start", "m2", True, luck),
        ("act", "m2", 1),
        ("end", "m2", 1),
    ]
    assert len({id(line[0]) for line in lines}) == 2


async def test_an_async_bot_plays_the_same_way() -> None:
    class Slow(croupier.Bot):
        async def start(self, match: croupier.Match) -> None:
            await asyncio.sleep(0)

        async def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
            await asyncio.sleep(0)
            return turn.legal[2]

    async def script(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start(), say.turn(1))
        await bot.hears("ready")
        assert (await bot.hears("act")).index == 2
        await bot.says(say.match_end(), say.draining())
        await bot.hears_goodbye()

    async with serve(script) as address:
        await played(Slow, address)


async def test_async_bots_think_about_several_matches_at_a_time() -> None:
    both_think = asyncio.Barrier(2)

    class Patient(croupier.Bot):
        async def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
            await both_think.wait()
            return 0

    async def script(bot: Caller) -> None:
        assert (await bot.hears("hello")).max_matches == 2
        await bot.says(say.welcome(), say.match_start("m1"), say.match_start("m2"))
        assert {(await bot.hears("ready")).match_id for _ in range(2)} == {"m1", "m2"}
        await bot.says(say.turn(1, "m1"), say.turn(1, "m2"))
        assert {(await bot.hears("act")).match_id for _ in range(2)} == {"m1", "m2"}

    async with serve(script) as address:
        await played(Patient, address, max_matches=2)


async def test_an_answer_that_comes_after_its_time_is_not_sent() -> None:
    timed_out = asyncio.Event()

    class Dreamer(croupier.Bot):
        async def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
            if turn.turn_id == 1:
                await timed_out.wait()
            return 0

        def update(self, update: croupier.AnyUpdate) -> None: ...

    async def script(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start())
        await bot.hears("ready")
        await bot.says(say.turn(1), say.error(pb.ERROR_CODE_TIMED_OUT, turn_id=1, strikes=1), say.turn(2))
        timed_out.set()
        assert (await bot.hears("act")).turn_id == 2

    async with serve(script) as address:
        await played(Dreamer, address)


async def test_updates_are_asked_for_by_bots_that_listen_to_them_and_told() -> None:
    heard: list[int] = []

    class Listener(First):
        games = ("jekyll",)

        def update(self, update: croupier.AnyUpdate) -> None:
            heard.extend(event.round_began.round for event in update.events)
            heard.append(update.view.marker)

    async def script(bot: Caller) -> None:
        hello = await bot.hears("hello")
        assert hello.wants_updates
        assert list(hello.games) == ["jekyll"]
        await bot.says(say.welcome(), say.match_start(), say.update([say.round_began(2)], 1), say.match_end())
        await bot.hears("ready")

    async with serve(script) as address:
        await played(Listener, address)
    assert heard == [2, 4]


async def test_updates_are_not_asked_for_by_others() -> None:
    async def script(bot: Caller) -> None:
        assert not (await bot.hears("hello")).wants_updates

    async with serve(script) as address:
        await played(First, address)


async def test_a_refused_answer_is_thought_about_again_with_the_reason() -> None:
    class Learner(croupier.Bot):
        def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
            return 1 if turn.refusal == "the server's words" else say.play_action(say.CARDS[20])

    async def script(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start(), say.turn(1))
        await bot.hears("ready")
        assert (await bot.hears("act")).HasField("action")
        await bot.says(say.error(pb.ERROR_CODE_ILLEGAL_ACTION, turn_id=1, strikes=1))
        assert (await bot.hears("act")).index == 1

    async with serve(script) as address:
        await played(Learner, address)


async def test_resigning_reaches_the_server() -> None:
    class Quitter(croupier.Bot):
        def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
            return croupier.RESIGN

    async def script(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start(), say.turn(1))
        await bot.hears("ready")
        assert (await bot.hears("resign")).match_id == "m1"

    async with serve(script) as address:
        await played(Quitter, address)


# -- lost streams


@pytest.mark.parametrize("status", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, grpc.StatusCode.CANCELLED])
async def test_a_cut_stream_is_resumed_and_the_match_goes_on(status: grpc.StatusCode) -> None:
    async def first(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start())
        await bot.hears("ready")
        await bot.says(say.turn(1, events=[say.round_began(1)], last_sequence=5))
        await bot.hears("act")
        await bot.cuts(status)

    async def second(bot: Caller) -> None:
        resume = await bot.hears("resume")
        assert resume.resume_token == "again"
        assert [(match.match_id, match.last_sequence) for match in resume.matches] == [("m1", 5)]
        await bot.says(say.welcome("and again"), say.turn(2, last_sequence=8))
        assert (await bot.hears("act")).turn_id == 2
        await bot.says(say.match_end(), say.draining())
        await bot.hears_goodbye()

    lines: list[tuple[object, ...]] = []
    async with serve(first, second) as address:
        await played(lambda: Diary(lines), address)
    assert [line[1] for line in lines] == ["start", "act", "act", "end"]
    assert len({id(line[0]) for line in lines}) == 1


async def test_an_answer_that_was_lost_with_its_stream_is_repeated_without_asking_the_bot() -> None:
    async def first(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start())
        await bot.hears("ready")
        await bot.says(say.turn(1))
        await bot.hears("act")
        await bot.cuts()

    async def second(bot: Caller) -> None:
        await bot.hears("resume")
        await bot.says(say.turn(1))
        assert (await bot.hears("act")).turn_id == 1

    lines: list[tuple[object, ...]] = []
    async with serve(first, second) as address:
        await played(lambda: Diary(lines), address)
    assert [line[1] for line in lines] == ["start", "act"]


async def test_a_bot_that_thinks_while_the_stream_is_lost_answers_over_the_next() -> None:
    back = asyncio.Event()

    class Thinker(croupier.Bot):
        async def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
            await back.wait()
            return 0

    async def first(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start())
        await bot.hears("ready")
        await bot.says(say.turn(1))
        await bot.cuts()

    async def second(bot: Caller) -> None:
        await bot.hears("resume")
        back.set()
        assert (await bot.hears("act")).turn_id == 1

    async with serve(first, second) as address:
        await played(Thinker, address)


async def test_a_server_that_stays_away_for_longer_than_the_grace_is_a_lost_connection() -> None:
    async def script(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start(grace_ms=300))
        await bot.hears("ready")
        await bot.cuts()

    async def cut_again(bot: Caller) -> None:
        await bot.hears("resume")
        stop.set()
        await bot.cuts()

    stop = asyncio.Event()
    async with serve(script, cut_again) as address:
        playing = asyncio.create_task(played(First, address))
        await stop.wait()
    with pytest.raises(croupier.ConnectionLost, match=f"no connection to {address} for [0-9.]+ s: "):
        await playing


async def test_a_server_that_was_never_there_is_a_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_transport, "PATIENCE_S", 0.2)
    async with serve() as address:
        pass
    with pytest.raises(croupier.ConnectionLost, match=address):
        await played(First, address)


async def test_a_server_that_comes_late_is_waited_for(tmp_path: Path) -> None:
    async def script(bot: Caller) -> None:
        await bot.hears("hello")

    address = f"unix:{tmp_path / 'late.sock'}"
    playing = asyncio.create_task(played(First, address))
    await asyncio.wait({playing}, timeout=0.1)
    assert not playing.done()
    async with serve(script, listen=address):
        await playing


# -- ends


async def test_a_stream_that_the_server_ends_in_peace_ends_the_session_and_its_matches() -> None:
    async def script(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start())
        await bot.hears("ready")

    async with serve(script) as address:
        await played(First, address)


async def test_a_drained_session_does_not_wait_for_a_server_that_says_no_goodbye(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_transport, "LEAVE_S", 0.1)
    gone = asyncio.Event()

    async def script(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.draining())
        await gone.wait()

    async with serve(script) as address:
        await played(First, address)
        gone.set()


async def test_a_refused_ticket_is_a_refusal_after_one_attempt() -> None:
    async def script(bot: Caller) -> None:
        await bot.hears("hello")
        await bot.says(say.fatal(pb.ERROR_CODE_UNAUTHENTICATED, "no such ticket"))
        await bot.cuts(grpc.StatusCode.UNAUTHENTICATED)

    async with serve(script) as address:
        with pytest.raises(croupier.RefusedError, match="UNAUTHENTICATED: no such ticket") as caught:
            await played(First, address)
    assert caught.value.code == pb.ERROR_CODE_UNAUTHENTICATED


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, pb.ERROR_CODE_UNAUTHENTICATED),
        (grpc.StatusCode.FAILED_PRECONDITION, pb.ERROR_CODE_UNSUPPORTED_VERSION),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, pb.ERROR_CODE_LIMIT_EXCEEDED),
    ],
)
async def test_a_status_alone_is_a_refusal_too(status: grpc.StatusCode, code: pb.ErrorCode.ValueType) -> None:
    async with serve(lambda bot: bot.cuts(status)) as address:
        with pytest.raises(croupier.RefusedError, match="cut by the script") as caught:
            await played(First, address)
    assert caught.value.code == code


@pytest.mark.parametrize("status", [grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.OUT_OF_RANGE])
async def test_other_statuses_are_protocol_errors(status: grpc.StatusCode) -> None:
    async with serve(lambda bot: bot.cuts(status)) as address:
        with pytest.raises(croupier.ProtocolError, match="cut by the script"):
            await played(First, address)


async def test_a_server_without_the_service_is_named() -> None:
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    with pytest.raises(croupier.ProtocolError, match=f"127.0.0.1:{port} is no Croupier server"):
        await played(First, f"127.0.0.1:{port}")
    await server.stop(None)


async def test_what_a_bot_raises_comes_out_as_it_was_raised() -> None:
    class Broken(First):
        def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
            raise LookupError("no idea") from KeyError("why")

    async def script(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start(), say.turn(1))
        await bot.hears("ready")
        await bot.hears_goodbye()

    async with serve(script) as address:
        with pytest.raises(LookupError, match="no idea") as caught:
            await played(Broken, address)
    assert isinstance(caught.value.__cause__, KeyError)


async def test_an_answer_that_means_nothing_comes_out_as_a_protocol_error() -> None:
    class Vague(First):
        def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
            return 99

    async def script(bot: Caller) -> None:
        await greeted(bot)
        await bot.says(say.match_start(), say.turn(1))
        await bot.hears("ready")
        await bot.hears_goodbye()

    async with serve(script) as address:
        with pytest.raises(croupier.ProtocolError, match="found index 99, expected 0 to 2"):
            await played(Vague, address)


# -- addresses


async def test_a_unix_socket_is_an_address_too(tmp_path: Path) -> None:
    async def script(bot: Caller) -> None:
        await bot.hears("hello")

    async with serve(script, listen=f"unix:{tmp_path / 'play.sock'}") as address:
        await played(First, address)


async def test_a_proxy_does_not_come_between_local_bots_and_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")

    async def script(bot: Caller) -> None:
        await bot.hears("hello")

    async with serve(script) as address:
        await played(First, address)


@pytest.mark.parametrize("address", ["localhost", "localhost:", ":50051", "host:0", "host:65536", "host:port", "unix:"])
async def test_an_address_that_cannot_be_is_named(address: str) -> None:
    with pytest.raises(croupier.CroupierError, match=f"found '{address}', expected host:port or unix:path"):
        await played(First, address)


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("unix:/run/croupier.sock", True),
        ("localhost:1", True),
        ("127.0.0.1:1", True),
        ("127.9.9.9:1", True),
        ("[::1]:1", True),
        ("arena.example:1", False),
        ("192.0.2.1:1", False),
    ],
)
async def test_local_addresses_are_known(address: str, local: bool) -> None:
    assert _transport.is_local(_transport.check_address(address)) is local
