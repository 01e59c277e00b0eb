"""The position that a view of midnight shows: nothing is hidden, so there is one. No rules of its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from croupier_server.games.midnight import PLACE, Midnight
from croupier_server.games.midnight_board import COST, FIRST_ROOM, FIRST_STAIR, ROOMS
from croupier_server.games.midnight_history import Captures, Moves, Placed, Rounds
from croupier_server.games.midnight_words import Observation, Options, Square
from croupier_server.rules import Chance, Seat, viewer_of


def world(options: Options, view: Observation, _chance: Chance) -> Midnight:
    """See `Game.world`."""
    viewer_of(view)
    left = iter(view.guests)
    guests = tuple([tuple(islice(left, count)) for count in view.guest_counts])
    rooms: list[Seat | None] = [None] * len(ROOMS)
    for seat, own in enumerate(guests):
        for square in own:
            if square in ROOMS:
                rooms[square - FIRST_ROOM] = seat
    return Midnight(
        options=options,
        phase=view.phase,
        turn=view.turn,
        rolled=view.rolled or 0,
        hugo=view.hugo,
        laps=view.laps,
        scores=view.scores,
        guests=guests,
        rooms=tuple(rooms),
        placing=_placing(view, guests),
        placed=Placed(view.placed_squares, view.placed_by),
        rolls=view.rolls,
        moves=Moves(view.move_rolls, view.move_origins, view.move_targets, view.kick_moves, view.kick_owners),
        captures=Captures(view.capture_rolls, view.capture_owners, view.capture_squares, view.capture_stairs),
        rounds=Rounds(_firsts(view), view.round_rolls, view.round_scores),
    )


def _placing(view: Observation, guests: tuple[tuple[Square, ...], ...]) -> tuple[tuple[Seat, Square], ...]:
    """Who is still to place, and which guest: before the first roll a new one, then the captured ones (M22)."""
    if view.phase is PLACE:
        return tuple([(seat, 0) for seat in view.placing])
    captured: list[Iterator[Square]] = [
        iter(sorted([square for square in own if square >= FIRST_STAIR], key=lambda square: (-COST[square], square)))
        for own in guests
    ]
    return tuple([(seat, next(captured[seat])) for seat in view.placing])


def _firsts(view: Observation) -> tuple[Seat, ...]:
    """Who rolled first in each round."""
    begins = [sum(view.round_rolls[:number]) for number in range(view.round - 1)]
    return (*[view.rolled_by[begin] for begin in begins], view.first_roller)
