"""Every game, variant and number of seats keeps its secrets; see checks.py for what that means."""

from __future__ import annotations

import pytest
from tests.secrecy.checks import log_decides, nothing_interferes
from tests.support.worlds import every_case

from croupier_server.rules import AnyGame

pytestmark = pytest.mark.parametrize(("game", "variant", "seats"), every_case())


def test_what_a_viewer_sees_is_a_function_of_what_it_was_told_and_did(game: AnyGame, variant: str, seats: int) -> None:
    log_decides(game, variant, seats)


def test_what_a_viewer_may_not_know_changes_nothing_for_it(game: AnyGame, variant: str, seats: int) -> None:
    nothing_interferes(game, variant, seats)
