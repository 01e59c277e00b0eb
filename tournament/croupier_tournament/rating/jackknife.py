"""How sure the order-free ratings are: the jackknife that leaves out one block at a time. It assumes no model.

The block is the unit, since the matches of a block share a table and perhaps a deal and say the same thing twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from scipy.special import stdtrit

from croupier_tournament.rating.elo import most_likely, to_elo
from croupier_tournament.rating.match import RatedMatch
from croupier_tournament.rating.tally import Tally, evidence_by_block

CONFIDENCE = 0.95


def elo_margins(entrants: Sequence[str], matches: Iterable[RatedMatch]) -> dict[str, float] | None:
    """Half the width of the 95 % interval of every entrant's `fit_elo` rating, in Elo points; None below two blocks.

    With B blocks it is t(B - 1) * sqrt((B - 1) / B * S), S the sum of squares of the B left-out ratings about their
    own mean. Every refit keeps all entrants. Blocks that say the same are refitted once. Raises KeyError when a match
    names nobody's entrant.
    """
    evidence = evidence_by_block(entrants, matches)
    times = np.array(list(evidence.values()))[:, np.newaxis]
    blocks = int(times.sum())
    if blocks < 2:
        return None
    whole = Tally.of(len(entrants), evidence)
    start = most_likely(whole, np.zeros(len(entrants)))
    left_out = np.array([to_elo(most_likely(whole.without(block), start)) for block in evidence])
    mean = (times * left_out).sum(axis=0) / blocks
    squares = (times * (left_out - mean) ** 2).sum(axis=0)
    margins = stdtrit(blocks - 1, (1 + CONFIDENCE) / 2) * np.sqrt((blocks - 1) / blocks * squares)
    return dict(zip(entrants, margins.tolist(), strict=True))
