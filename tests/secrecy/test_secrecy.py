"""Every game, variant and number of seats keeps its secrets, or has none; see checks.py and open_books.py."""

from __future__ import annotations

import pytest
from tests.secrecy.checks import log_decides, nothing_interferes
from tests.secrecy.open_books import nothing_is_hidden
from tests.secrecy.rightful import RIGHTFUL
from tests.support.worlds import ALL_PUBLIC, cases

from croupier_server.games import GAMES
from croupier_server.rules import AnyGame

with_secrets, without_secrets = (
    pytest.mark.parametrize(("game", "variant", "seats"), cases(all_public=public)) for public in (False, True)
)


@with_secrets
def test_what_a_viewer_sees_is_a_function_of_what_it_was_told_and_did(game: AnyGame, variant: str, seats: int) -> None:
    log_decides(game, variant, seats)


@with_secrets
def test_what_a_viewer_may_not_know_changes_nothing_for_it(game: AnyGame, variant: str, seats: int) -> None:
    nothing_interferes(game, variant, seats)


@without_secrets
def test_everybody_is_told_everything(game: AnyGame, variant: str, seats: int) -> None:
    nothing_is_hidden(game, variant, seats)


def test_every_game_says_what_may_be_known_or_hides_nothing() -> None:
    assert set(RIGHTFUL) == set(GAMES) - ALL_PUBLIC
