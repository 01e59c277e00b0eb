"""Who meets whom, in which seats and in which order: designs, seatings and the schedule. Pure; no results, no clock."""

from croupier_tournament.pairing.designs import tables
from croupier_tournament.pairing.schedule import ScheduledMatch, match_count, schedule
from croupier_tournament.pairing.seatings import seating_count, seatings

__all__ = ["ScheduledMatch", "match_count", "schedule", "seating_count", "seatings", "tables"]
