"""The example bots: what each promises about itself. That they play in cups is tested with the cups."""

from __future__ import annotations

import ast
import asyncio
import hashlib
import random
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from examples.jekyll_rules import RulesBot, beats, ranked
from examples.jekyll_search import SearchBot, answer_wins, deduce, position
from examples.random_bot import RandomBot
from tests.support import play_messages as say
from tests.support.face_to_face import play_face_to_face
from tests.support.scripted_server import Caller, serve

from croupier import Bot
from croupier.v1.jekyll_pb2 import JekyllObservation
from croupier_server.games import jekyll
from croupier_server.match.wire import wire_of
from croupier_server.rules import KeyedChance, Table

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DEADLINE_S = 30.0


def wins(bot: Callable[[], Bot], other: Callable[[], Bot], *, deals: int) -> int:
    """How many of two matches a deal, one on either seat, a bot wins."""
    won = 0
    for deal in range(deals):
        won += play_face_to_face(jekyll.GAME, [bot, other], deal)[0].places[0] == 1
        won += play_face_to_face(jekyll.GAME, [other, bot], deal)[0].places[1] == 1
    return won


def test_the_rule_based_bot_beats_random_play() -> None:
    assert wins(RulesBot, RandomBot, deals=20) >= 32  # of 40; it wins 93 of 100


@pytest.mark.slow
def test_the_searching_bot_beats_random_play() -> None:
    assert wins(SearchBot, RandomBot, deals=8) >= 14  # of 16; it wins 98 of 100


@pytest.mark.slow
def test_the_searching_bot_beats_the_rule_based_one() -> None:
    assert wins(SearchBot, RulesBot, deals=12) >= 15  # of 24; it wins 78 of 100


@pytest.mark.parametrize("bot", [RandomBot, RulesBot, SearchBot])
def test_the_same_seed_gives_the_same_play(bot: type[Bot]) -> None:
    decisions = [play_face_to_face(jekyll.GAME, [bot, RandomBot], 5)[1] for _ in range(2)]
    assert decisions[0] == decisions[1]


# -- what the searching bot knows


def random_positions(options: jekyll.Options, seed: int) -> Iterator[jekyll.Jekyll]:
    """Every position of a random match but the last."""
    luck, table = random.Random(seed), Table[jekyll.Event](KeyedChance(hashlib.sha256(b"%d" % seed).digest()))
    state = jekyll.Jekyll.deal(options, 2, table)
    while seats := state.to_act():
        yield state
        state = state.play({seat: luck.choice(state.legal(seat)) for seat in seats}, table)


def seen(state: jekyll.Jekyll, seat: int) -> JekyllObservation:
    return wire_of(jekyll.GAME).observation(state.view(seat)).jekyll


@pytest.mark.parametrize("options", jekyll.GAME.variants.values(), ids=jekyll.GAME.variants)
def test_what_is_deduced_of_the_hidden_hand_is_true(options: jekyll.Options) -> None:
    told = 0
    for seed in range(15):
        for state in random_positions(options, seed):
            for seat in state.to_act():
                hidden, hand = deduce(seen(state, seat)), set(state.hands[1 - seat])
                rest = hand - hidden.known
                assert hidden.known <= hand
                assert rest <= set(hidden.others)
                assert len(rest) == hidden.size
                assert sum(card >= jekyll.FIRST_POTION for card in rest) <= hidden.potions
                told += len(hidden.known)
    assert told > 500


def test_guesses_are_hands_that_fit_and_differ() -> None:
    luck = random.Random(1)
    for state in random_positions(jekyll.Options(), 3):
        (seat, *_) = state.to_act()
        hidden = deduce(seen(state, seat))
        for _ in range(5):
            guess = hidden.guess(luck)
            assert list(guess) == sorted(set(guess))
            assert len(guess) == len(state.hands[1 - seat])
            assert not set(guess) & set(state.hands[seat])


@pytest.mark.parametrize("options", jekyll.GAME.variants.values(), ids=jekyll.GAME.variants)
def test_a_position_made_of_the_true_cards_goes_on_like_the_true_one(options: jekyll.Options) -> None:
    for state in random_positions(options, 4):
        for seat in state.to_act():
            made = position(seen(state, seat), options, state.hands[1 - seat])
            choices = {asked: state.legal(asked)[-1] for asked in state.to_act()}
            assert [made.legal(asked) for asked in choices] == [state.legal(asked) for asked in choices]
            tables = [Table[jekyll.Event](KeyedChance(bytes(32))) for _ in range(2)]
            made.play(choices, tables[0])
            state.play(choices, tables[1])
            assert tables[0].news == tables[1].news


def test_both_bots_know_who_wins_a_trick() -> None:
    tricks = 0
    for seed in range(30):
        before = None
        for state in random_positions(jekyll.Options(), seed):
            if before is not None and before.phase is jekyll.Phase.FOLLOW and state.phase is jekyll.Phase.LEAD:
                lead, answer = state.plays.cards[-2:]
                led_wins = state.leader == before.leader
                assert answer_wins(answer, lead, before.row) is not led_wins
                assert beats(lead, answer, ranked(before.row, answer)) is led_wins
                tricks += 1
            before = state
    assert tricks > 500


# -- the raw bot


def test_the_raw_bot_is_short_and_imports_nothing_of_the_library_but_the_generated_code() -> None:
    text = (EXAMPLES / "raw_bot.py").read_text()
    assert len(text.splitlines()) <= 60
    imports = {node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom) and node.module}
    assert {name for name in imports if name.startswith("croupier")} == {
        "croupier.v1",
        "croupier.v1.play_service_pb2_grpc",
    }


@pytest.mark.asyncio(loop_scope="module")
async def test_the_raw_bot_plays_one_match_after_the_other_and_leaves_when_the_session_drains() -> None:
    indices: dict[str, list[int]] = {"m1": [], "m2": []}

    async def script(bot: Caller) -> None:
        assert (await bot.hears("hello")).token == "ticket"
        await bot.says(say.welcome())
        for match_id, answers in indices.items():
            await bot.says(say.match_start(match_id, bot_seed=7))
            assert (await bot.hears("ready")).match_id == match_id
            for turn_id in range(1, 9):
                await bot.says(say.turn(turn_id, match_id, legal=20))
                answers.append((await bot.hears("act")).index)
            await bot.says(say.match_end(match_id))
        await bot.says(say.draining())
        await bot.hears_goodbye()

    async with serve(script) as address, asyncio.timeout(DEADLINE_S):
        settings = {"CROUPIER_ADDRESS": address, "CROUPIER_TOKEN": "ticket", "PYTHONPATH": ":".join(sys.path)}
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(EXAMPLES / "raw_bot.py"), env=settings, stderr=PIPE
        )
        _, stderr = await process.communicate()
    assert (process.returncode, stderr) == (0, b"")
    assert indices["m1"] == indices["m2"]  # the same seed, the same luck
    assert len(set(indices["m1"])) > 3
