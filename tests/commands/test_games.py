"""`croupier games`, run as a program: the list, and each game explained."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from croupier_server.games import GAMES
from croupier_server.rules import AnyGame, options_values

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def games(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "croupier", "games", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def explained(game: str) -> str:
    """What is told of a game, in one line."""
    done = games(game)
    assert (done.returncode, done.stderr) == (0, "")
    return " ".join(done.stdout.split())


def test_the_list_has_id_title_and_players_of_every_game() -> None:
    done = games()
    assert (done.returncode, done.stderr) == (0, "")
    rows = [re.split(r"  +", line) for line in done.stdout.splitlines()]
    assert [row[:2] for row in rows] == [[id_, GAMES[id_].title] for id_ in sorted(GAMES)]
    assert ["luther", "The Church vs Martin Luther", "3 to 5 players"] in rows
    assert ["witch21", "The 21-count witch hunt", "3, 4 or 6 players"] in rows


@EVERY_GAME
def test_a_game_is_explained_with_its_options_variants_and_page_of_rules(game: AnyGame) -> None:
    text = explained(game.id)
    assert text.startswith(f"{game.id}: {game.title} ")
    assert f" rules docs/rules/{game.id}.md " in text
    options, variants = text.partition(" options ")[2].partition(" variants ")[::2]
    assert [key for key in options_values(game.options()) if f"{key} " not in options] == []
    assert [name for name in game.variants if f"{name} " not in variants] == []


@EVERY_GAME
def test_every_action_has_an_example_in_a_notation_that_the_game_reads(game: AnyGame) -> None:
    done = games(game.id).stdout
    examples = re.findall(r"for example: (.+)", done)
    assert [type(game.parse_action(text)) for text in examples] == list(game.actions)


def test_luther_is_explained_with_values_defaults_and_forms() -> None:
    text = explained("luther")
    assert "sets a number; default 1 how many are played: 1, or the number of seats (L26)" in text
    assert "indulgence_taker table or strongest_red; default table" in text
    assert "run_wrap true or false; default false" in text
    assert "start_seat a number; absent by default" in text
    assert "ace-high ace_value=14" in text
    assert "three-sets sets=3 (for 3 players)" in text
    assert "'play CARD', 'take INDULGENCE', 'discard INDULGENCE', 'use INDULGENCE CARD ...' or 'pass'" in text


def test_an_unknown_game_gets_the_nearest_name_and_2() -> None:
    done = games("luter")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "croupier games: there is no game 'luter'; did you mean 'luther'?\n"


def test_games_are_listed_with_nothing_but_the_server_itself() -> None:
    code = (
        "import sys\n"
        "from croupier_server.commands.games import games\n"
        "games(['luther'])\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "sys.exit(', '.join(loaded & {'grpc', 'google', 'sqlalchemy', 'rich', 'numpy', 'scipy'}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False)
    assert done.stderr == "\n"
