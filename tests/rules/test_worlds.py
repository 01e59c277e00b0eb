"""Worlds: positions that a seat takes for possible. For the seat they are the real one, and they can be played on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.rules.invariants import INVARIANTS
from tests.support.worlds import at_random, cases, every_case, luck, play

from croupier_server.games import GAMES
from croupier_server.match.wire import wire_of
from croupier_server.rules import AnyGame, AnyState, Table, deal_out, seats_for

PLAYOUTS = 2

of_every_case = pytest.mark.parametrize(("game", "variant", "seats"), every_case())
of_games_with_secrets, of_games_without_secrets = (
    pytest.mark.parametrize(("game", "variant", "seats"), cases(all_public=public)) for public in (False, True)
)


def looks(game: AnyGame, variant: str, seats: int) -> Iterator[tuple[AnyState, int, Any]]:
    """Every position of some games, with a seat that may look at it, whether it is asked or not, and what it sees."""
    for i in range(PLAYOUTS):
        for step in play(game, game.variants[variant], seats, luck(f"look {i}"), at_random(f"look {i}")):
            if step.actions:
                for seat in range(seats):
                    yield step.state, seat, step.state.view(seat)


@of_every_case
def test_a_world_looks_to_the_seat_like_the_position(game: AnyGame, variant: str, seats: int) -> None:
    wire = wire_of(game) if game.id in GAMES else None  # a page's toy has no protos
    for number, (state, seat, view) in enumerate(looks(game, variant, seats)):
        world = game.world(game.variants[variant], view, luck(f"world {number}"))
        assert world.view(seat) == view
        assert wire is None or wire.observation_bytes(world.view(seat)) == wire.observation_bytes(view)
        assert world.legal(seat) == state.legal(seat)
        assert world.to_act() == state.to_act()
        INVARIANTS[game.id](world)


@of_every_case
def test_a_world_can_be_played_on_to_an_end(game: AnyGame, variant: str, seats: int) -> None:
    choose = at_random("on")
    for number, (_, _, view) in enumerate(looks(game, variant, seats)):
        if number % 7 == 0:
            world = game.world(game.variants[variant], view, luck(f"world {number}"))
            table: Table[Any] = Table(luck(f"on {number}"))
            while asked := world.to_act():
                INVARIANTS[game.id](world)
                world = world.play({seat: choose(0, seat, world.legal(seat)) for seat in asked}, table)
            assert world.outcome() is not None


@of_every_case
def test_equal_luck_gives_equal_worlds(game: AnyGame, variant: str, seats: int) -> None:
    for number, (_, _, view) in enumerate(looks(game, variant, seats)):
        if number % 5 == 0:
            one, other = (game.world(game.variants[variant], view, luck(f"same {number}")) for _ in range(2))
            assert one == other


@of_games_with_secrets
def test_other_luck_gives_other_worlds(game: AnyGame, variant: str, seats: int) -> None:
    most = 0
    for number, (_, _, view) in enumerate(looks(game, variant, seats)):
        if number % 10 == 0 and most < 10:
            worlds = [game.world(game.variants[variant], view, luck(f"other {i}")) for i in range(12)]
            most = max(most, len(set(map(repr, worlds))))
    assert most >= 10


@of_games_without_secrets
def test_where_nothing_is_hidden_the_world_is_the_position(game: AnyGame, variant: str, seats: int) -> None:
    for state, _, view in looks(game, variant, seats):
        assert game.world(game.variants[variant], view, luck("public")) == state


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_world_is_made_of_the_view_of_a_spectator(game: AnyGame) -> None:
    options = game.variants["standard"]
    position = game.deal(options, seats_for(game, options)[0], Table(luck("spectator")))
    with pytest.raises(ValueError, match="found the view of a spectator"):
        game.world(options, position.view(None), luck("spectator"))


def test_cards_are_dealt_out_to_holders_that_can_have_them_and_the_rest_to_nobody() -> None:
    cards, sizes, barred = range(10), (2, 4, 0), ({0, 1, 2, 3, 4, 5, 6}, {7, 8}, set[int]())
    for i in range(200):
        first, second, third = deal_out(luck(f"deal {i}"), "cards", cards, sizes, barred)
        assert (len(first), len(second), len(third)) == sizes
        assert len({*first, *second}) == 6
        assert not barred[0] & {*first}
        assert not barred[1] & {*second}


def test_the_only_deal_that_fits_is_found() -> None:
    barred = [set(range(9)) - {i, (i + 1) % 9} for i in range(8)] + [set(range(9)) - {0}]
    for i in range(50):
        assert deal_out(luck(f"only {i}"), "cards", range(9), (1,) * 9, barred)[8] == (0,)


def test_deals_are_about_equally_likely() -> None:
    barred: tuple[set[int], ...] = ({1}, set(), set())
    dealt = Counter([deal_out(luck(f"likely {i}"), "cards", range(4), (1, 1, 1), barred) for i in range(3600)])
    assert len(dealt) == 18
    assert all(140 <= count <= 270 for count in dealt.values())


def test_deals_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match=r"cards: 3 cards are not enough for hands of \[2, 2\]"):
        deal_out(luck("short"), "cards", range(3), (2, 2), ((), ()))
    with pytest.raises(ValueError, match="no deal fits"):
        deal_out(luck("barred"), "cards", range(4), (2, 2), ({0, 1, 2}, ()))
