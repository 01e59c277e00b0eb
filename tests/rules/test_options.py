"""Options from plain values: what is unknown or unfit is an error that names the place and the nearest valid name."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.worlds import every_case

from croupier_server.games import GAMES, find_game
from croupier_server.games.jekyll import GAME, GreedChoice, GreedShort, Options, check
from croupier_server.rules import AnyGame, OptionsError, options_values, read_options, seats_for


@pytest.mark.parametrize(("game", "variant", "seats"), every_case())
def test_options_of_every_variant_are_written_and_read(game: AnyGame, variant: str, seats: int) -> None:
    options = game.variants[variant]
    assert read_options(game, options_values(options), seats) == options


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])
def test_no_options_are_the_standard_variant_which_stands_first(game: AnyGame) -> None:
    assert next(iter(game.variants)) == "standard"
    assert all(read_options(game, {}, seats) == game.variants["standard"] for seats in game.seats)


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])
def test_every_variant_is_for_some_number_of_seats(game: AnyGame) -> None:
    assert all(seats_for(game, options) for options in game.variants.values())


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])
def test_variants_differ(game: AnyGame) -> None:
    assert len(set(game.variants.values())) == len(game.variants)


def test_every_option_is_read() -> None:
    values = {"greed_count": 1, "greed_choice": "random", "greed_short": "none", "wrath_reseeds": True}
    assert read_options(GAME, values, 2) == Options(1, GreedChoice.RANDOM, GreedShort.NONE, wrath_reseeds=True)


@pytest.mark.parametrize(
    ("values", "key", "message"),
    [
        ({"greed_cuont": 1}, "greed_cuont", "jekyll has no option 'greed_cuont'; did you mean 'greed_count'?"),
        (
            {"x": 1},
            "x",
            "jekyll has no option 'x'; there are: greed_choice, greed_count, greed_short, wrath_reseeds",
        ),
        (
            {"greed_choice": "radnom"},
            "greed_choice",
            "jekyll: greed_choice = 'radnom' is not possible; did you mean 'random'?",
        ),
        (
            {"greed_choice": "RANDOM"},
            "greed_choice",
            "jekyll: greed_choice = 'RANDOM' is not possible; there are: owner, random",
        ),
        (
            {"greed_short": 2},
            "greed_short",
            "jekyll: greed_short = 2 is not possible; there are: as_many_as_possible, none",
        ),
        ({"greed_count": 3}, "greed_count", "jekyll: greed_count = 3 is not possible; expected 1 or 2"),
        ({"greed_count": 0}, "greed_count", "jekyll: greed_count = 0 is not possible; expected 1 or 2"),
        ({"greed_count": True}, "greed_count", "jekyll: greed_count = True is not possible; expected a whole number"),
        ({"greed_count": "2"}, "greed_count", "jekyll: greed_count = '2' is not possible; expected a whole number"),
        ({"greed_count": 2.0}, "greed_count", "jekyll: greed_count = 2.0 is not possible; expected a whole number"),
        ({"wrath_reseeds": 1}, "wrath_reseeds", "jekyll: wrath_reseeds = 1 is not possible; expected true or false"),
        (
            {"wrath_reseeds": None},
            "wrath_reseeds",
            "jekyll: wrath_reseeds = None is not possible; expected true or false",
        ),
    ],
)
def test_unknown_and_unfit_options_are_errors_that_name_the_nearest(
    values: dict[str, Any], key: str, message: str
) -> None:
    with pytest.raises(OptionsError) as error:
        read_options(GAME, values, 2)
    assert (error.value.key, str(error.value)) == (key, message)


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_a_number_of_seats_that_the_game_is_not_for_is_an_error(seats: int) -> None:
    with pytest.raises(OptionsError) as error:
        read_options(GAME, {}, seats)
    assert (error.value.key, str(error.value)) == ("seats", f"jekyll is for 2 players, not for {seats}")


def test_options_made_without_reading_are_checked_too() -> None:
    with pytest.raises(OptionsError, match="greed_count = 5 is not possible"):
        check(Options(greed_count=5), 2)


def test_an_unknown_game_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"there is no game 'jekyl'; did you mean 'jekyll'\?"):
        find_game("jekyl")
