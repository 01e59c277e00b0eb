"""The classic Elo of people's games: a running number, moved after every match. It depends on the order of matches."""

from __future__ import annotations

from collections.abc import Iterable

from croupier_tournament.rating.match import MEAN, SCALE, RatedMatch, pair_weight

K_FACTOR = 16.0


def sequential_elo(entrants: Iterable[str], matches: Iterable[RatedMatch]) -> dict[str, float]:
    """The rating of every entrant after `matches`, which come in schedule order; everyone starts at 1500.

    All pairs of a table are rated at once from the ratings before the match, with K = 16 / (k - 1) each. Raises
    KeyError when a match names nobody's entrant.
    """
    ratings = dict.fromkeys(entrants, MEAN)
    for match in matches:
        before = [ratings[name] for name in match.entrants]
        weight = pair_weight(len(before))
        for one, two, halves in match.half_points():
            gain = K_FACTOR * weight * (halves / 2 - _expected(before[one], before[two]))
            ratings[match.entrants[one]] += gain
            ratings[match.entrants[two]] -= gain
    return ratings


def _expected(mine: float, other: float) -> float:
    return 1 / (1 + 10 ** ((other - mine) / SCALE))
