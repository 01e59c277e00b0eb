"""A rule-based bot for midnight, both editions: it adds up what every guest may gain and lose, and takes the best sum.

The strategy in three rules:

1. A guest in a room is safe; r3 and r4 also give points, r9 and r11 cost one.
2. A guest in the corridor is the more in danger the fewer squares it is ahead of Hugo.
3. A guest on the stairs is safe too, but in the new edition it has to come out; better while Hugo is far away.

So every action can be weighed by where the guest stands afterwards, less where it stood before. It needs no luck.
"""

from __future__ import annotations

from typing import TypeAlias

import croupier
from croupier.v1.midnight_pb2 import MidnightAction, MidnightEvent, MidnightObservation

MidnightTurn: TypeAlias = croupier.Turn[MidnightObservation, MidnightEvent, MidnightAction]

CORRIDOR = 28  # squares, which have the numbers 1 to 28
LAST_ROOM = 39
DOORS = (3, 4, 6, 9, 11, 15, 17, 18, 21, 24, 26)  # of rooms 1 to 11
POINTS = {31: 3, 32: 3, 37: -1, 39: -1}  # of rooms by number of square
CAUGHT = 6.0  # what a capture costs, about
SHELTER = 2.0  # what a place in a room is worth besides its points
HOPE = 0.2  # what a room within reach is worth of what it is worth from inside
ROLLS = (1, 2, 4, 5)  # and Hugo on the other two of six faces
LOOKS_AHEAD = 16  # squares behind a guest in which Hugo is near


class RulesBot(croupier.Bot):
    """See the module."""

    games = ("midnight",)

    def act(self, turn: MidnightTurn) -> MidnightAction:
        """The action after which the guest stands best, compared with before; of equal ones the first."""
        self._view = turn.view
        return max(turn.legal, key=self._gain)

    def _gain(self, action: MidnightAction) -> float:
        if action.HasField("place_guest"):
            return self._worth(action.place_guest.square) - self._crowd(action.place_guest.square)
        if action.HasField("move_guest"):
            origin, target = action.move_guest.origin, action.move_guest.target
            return self._worth(target) + POINTS.get(target, 0) - self._worth(origin)
        return 0

    def _worth(self, square: int) -> float:
        """What it is worth to have a guest there, not counting points already had."""
        if square > LAST_ROOM:
            return -self._danger(1)  # it will come out at square 1
        if square > CORRIDOR:
            return SHELTER
        return self._hope(square) - self._danger(square)

    def _hope(self, square: int) -> float:
        """How many free rooms can be reached with the next roll; those with points want an exact one."""
        hope = 0.0
        for room, door in enumerate(DOORS, CORRIDOR + 1):
            steps, points = (door - square) % CORRIDOR + 1, POINTS.get(room, 0)
            reached = ROLLS.count(steps) if points > 0 else sum(steps <= roll for roll in ROLLS)
            if room not in self._view.guests:
                hope += HOPE * (SHELTER + points) * reached / 6
        return hope

    def _danger(self, square: int) -> float:
        hugo = self._view.hugo
        behind = (square - hugo) % CORRIDOR if hugo <= CORRIDOR else square + 2 * self._view.hugo_speed
        if behind == 0:
            return CAUGHT if hugo == square else 0
        return CAUGHT * max(0, LOOKS_AHEAD - behind) / LOOKS_AHEAD

    def _crowd(self, square: int) -> int:
        return sum(guest == square for guest in self._view.guests)


if __name__ == "__main__":
    croupier.play(RulesBot)
