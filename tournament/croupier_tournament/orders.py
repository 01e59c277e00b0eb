"""From a place in the schedule to the match that is ordered: spec and key. Pure; the cup's secret is handed in."""

from __future__ import annotations

from croupier_server.match.keys import block_key, bot_seed
from croupier_server.match.spec import MatchSpec, ScheduleIdentity, SeatSpec
from croupier_tournament.cupfile import CupFile, Deals
from croupier_tournament.pairing import ScheduledMatch


def match_spec(cup: CupFile, match: ScheduledMatch, secret: bytes, redraw: int) -> MatchSpec:
    """The match as the referee gets it; equal for every attempt of one redraw."""
    seats = tuple(
        SeatSpec(name, bot_seed(secret, match.entrants, match.block, match.seating, seat))
        for seat, name in enumerate(match.entrants)
    )
    duplicate = cup.deals is Deals.DUPLICATE
    identity = ScheduleIdentity(cup.name, match.block, match.seating, redraw, duplicate)
    return MatchSpec(cup.game, cup.options, cup.game.behavior, seats, identity, cup.clock, cup.policy)


def match_key(cup: CupFile, match: ScheduledMatch, secret: bytes, redraw: int) -> bytes:
    """The key of the match's luck: that of its block, or its own where every seating has a deal of its own."""
    seating = match.seating if cup.deals is Deals.INDEPENDENT else None
    return block_key(secret, cup.game.id, match.entrants, match.block, redraw=redraw, seating=seating)
