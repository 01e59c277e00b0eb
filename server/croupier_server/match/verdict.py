"""Who comes where when seats have forfeited. Used by the referee and again, independently of it, by verification."""

from __future__ import annotations

from collections.abc import Sequence

from croupier_server.match.spec import Forfeit


def final_places(places: Sequence[int] | None, forfeits: Sequence[Forfeit], seats: int) -> tuple[int, ...]:
    """Places by seat, from 1, standard competition ranking.

    `places` are the rules' own, None when the game did not reach its end. Forfeiters come below all others, a later
    forfeit above an earlier one, those of one instant tied; seats that did not forfeit keep the rules' order, and are
    tied without one.
    """
    instants = {forfeit.seat: forfeit.instant for forfeit in forfeits}

    def key(seat: int) -> tuple[int, int]:  # smaller is better
        if seat in instants:
            return (1, -instants[seat])
        return (0, 0 if places is None else places[seat])

    keys = [key(seat) for seat in range(seats)]
    return tuple(1 + sum(other < mine for other in keys) for mine in keys)
