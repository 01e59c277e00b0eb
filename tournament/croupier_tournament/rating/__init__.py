"""From results to ratings: the order-free fit that decides, its intervals, and the sequential Elo that people know.

The one room that may use numpy and scipy. It knows names and places, no schedule, no clock and no store.
"""

from croupier_tournament.rating.elo import fit_elo
from croupier_tournament.rating.jackknife import elo_margins
from croupier_tournament.rating.match import MEAN, SCALE, RatedMatch
from croupier_tournament.rating.sequential import sequential_elo

__all__ = ["MEAN", "SCALE", "RatedMatch", "elo_margins", "fit_elo", "sequential_elo"]
