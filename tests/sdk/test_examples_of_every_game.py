"""The example bots of every game: each beats random play, and the same seed gives the same play."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest
from examples import search_bot
from examples.random_bot import RandomBot
from examples.search_bot import SearchBot, worth
from tests.support.face_to_face import play_face_to_face

from croupier import Bot
from croupier_server.games import GAMES
from croupier_server.rules import AnyGame, Outcome

RULES_BOTS: dict[str, Callable[[], Bot]] = {
    name: import_module(f"examples.{name}_rules").RulesBot for name in GAMES
}  # each game has one


def beaten(game: AnyGame, bot: Callable[[], Bot], deals: int) -> float:
    """The share of random bots that a bot beats, once on every seat of each deal; of like ones it would be a half."""
    seats = game.seats[:2][-1]
    shares = []
    for deal in range(deals):
        for seat in range(seats):
            makes = [RandomBot] * seats
            result, _ = play_face_to_face(game, [*makes[:seat], bot, *makes[seat + 1 :]], deal)
            shares.append(worth(Outcome(result.scores, result.places), seat))
    return sum(shares) / len(shares)


@pytest.mark.parametrize("name", RULES_BOTS)
def test_the_rule_based_bot_of_a_game_beats_random_play(name: str) -> None:
    assert beaten(GAMES[name], RULES_BOTS[name], deals=5) >= 0.55


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_searching_bot_beats_random_play_at_every_game(game: AnyGame) -> None:
    assert beaten(game, SearchBot, deals=5) >= 0.5


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_searching_bot_plays_the_same_with_the_same_seed(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_bot, "PLAYOUTS", 10)
    monkeypatch.setattr(search_bot, "CANDIDATES", 4)
    others = [RandomBot] * (game.seats[0] - 1)
    first, second = (play_face_to_face(game, [SearchBot, *others], 3) for _ in range(2))
    assert first == second


def test_worth_is_the_share_of_the_others_that_are_beaten() -> None:
    outcome = Outcome((5, 3, 3, 1), (1, 2, 2, 4))
    assert [worth(outcome, seat) for seat in range(4)] == [1, 0.5, 0.5, 0]
