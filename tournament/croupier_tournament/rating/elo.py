"""Order-free Elo: the ratings under which the results are most likely, all at once. It knows no time and no order.

Two entrants with ratings a and b share the point of a match as 1 / (1 + 10^((b - a) / 400)); a tie is half a point to
each. The pairs of a table of k weigh 1/(k - 1) each. A weak prior, one drawn virtual match of every entrant against a
rating of 1500, keeps everyone finite; after the fit all ratings are moved together so that the mean of all entrants
is 1500. The likelihood is concave, so its maximum is the only one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from croupier_tournament.rating.match import MEAN, SCALE, RatedMatch
from croupier_tournament.rating.tally import Floats, Tally, evidence_by_block

ELO_PER_NAT = SCALE / math.log(10)
_NOISE = 1e-12  # relative; a likelihood that sinks by less may be mere rounding
_CLOSE = 1e-6  # nats; Newton's method squares the error, so a step this small leaves one of about 1e-12
_STEPS = 200  # never needed: a lopsided score of a million matches takes about 20


def fit_elo(entrants: Sequence[str], matches: Iterable[RatedMatch]) -> dict[str, float]:
    """The rating of every entrant, in the order given, from the matches of complete blocks in any order.

    An entrant without a match is kept, and counts in the mean. Raises KeyError when a match names nobody's entrant.
    """
    tally = Tally.of(len(entrants), evidence_by_block(entrants, matches))
    ratings = to_elo(most_likely(tally, np.zeros(len(entrants))))
    return dict(zip(entrants, ratings.tolist(), strict=True))


def to_elo(strengths: Floats) -> Floats:
    """Elo ratings with mean 1500 from strengths in nats."""
    return np.asarray(MEAN + ELO_PER_NAT * (strengths - strengths.mean()))


def most_likely(tally: Tally, start: Floats) -> Floats:
    """The strengths in nats that maximise the likelihood with its prior: Newton's method from `start`, damped."""
    strengths, value = start, _log_likelihood(tally, start)
    for _ in range(_STEPS):
        step = _newton_step(tally, strengths)
        if np.abs(step).max(initial=0.0) < _CLOSE:
            return strengths + step
        while (reached := _log_likelihood(tally, strengths + step)) < value + _NOISE * value:  # it is below nought
            step = step / 2
        strengths, value = strengths + step, reached
    raise ArithmeticError(f"the fit of {tally.entrants} entrants did not settle in {_STEPS} steps")


def _log_likelihood(tally: Tally, strengths: Floats) -> float:
    edge = strengths[tally.one] - strengths[tally.two]
    results = tally.points * np.logaddexp(0, -edge) + (tally.weight - tally.points) * np.logaddexp(0, edge)
    prior = np.logaddexp(0, -strengths) / 2 + np.logaddexp(0, strengths) / 2
    return -float(results.sum() + prior.sum())


def _newton_step(tally: Tally, strengths: Floats) -> Floats:
    one, two, n = tally.one, tally.two, tally.entrants
    expected = _logistic(strengths[one] - strengths[two])
    surplus = tally.points - tally.weight * expected
    curve = tally.weight * expected * (1 - expected)
    drawn = _logistic(strengths)
    gradient = 1 / 2 - drawn + np.bincount(one, surplus, n) - np.bincount(two, surplus, n)
    steepness = np.diag(drawn * (1 - drawn) + np.bincount(one, curve, n) + np.bincount(two, curve, n))
    steepness[one, two] = steepness[two, one] = -curve
    return np.asarray(np.linalg.solve(steepness, gradient), dtype=np.float64)


def _logistic(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-x)))
