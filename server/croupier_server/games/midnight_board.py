"""The board of midnight as tables: corridor, rooms, stairs, and where a guest can go. No turns, no scores.

Rules are cited as in midnight.py.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier_server.games.midnight_words import (
    SQUARES,
    Edition,
    Face,
    HugoStart,
    MoveGuest,
    Options,
    PlaceGuest,
    Square,
    action_text,
)

CORRIDOR = tuple(range(1, 29))  # M2
ROOMS = tuple(range(29, 40))  # M3
STAIRS = tuple(range(40, 49))  # M4, the deepest first
TEN_ROOM = 49
CELLAR_DOOR = 50
LAST_OF_CORRIDOR, FIRST_ROOM, FIRST_STAIR, TOP_STAIR = CORRIDOR[-1], ROOMS[0], STAIRS[0], STAIRS[-1]

# Rooms by number of square (M3).
DOOR_OF = dict(zip(ROOMS, (3, 4, 6, 9, 11, 15, 17, 18, 21, 24, 26), strict=True))
POINTS_OF = dict(zip(ROOMS, (0, 0, 3, 3, 0, 0, 0, 0, -1, 0, -1), strict=True))
EXACT = frozenset([room for room in ROOMS if POINTS_OF[room] > 0])
ROOMS_OF = {Edition.OLD: ROOMS, Edition.NEW: tuple([room for room in ROOMS if SQUARES.text(room) not in ("r5", "r11")])}

COST = {**dict(zip(STAIRS, range(10, 1, -1), strict=True)), TEN_ROOM: 10}  # points of a capture (M15)
NEXT = (0, *CORRIDOR[1:], 1, *[0] * len(ROOMS), *STAIRS[1:], 1, 0, FIRST_STAIR)  # by square: where Hugo goes on (M14)

ASCII_RANK = {square: rank for rank, square in enumerate(sorted(range(1, 50), key=lambda s: f"{SQUARES.text(s)}>"))}
PLACES = tuple(sorted(map(PlaceGuest, CORRIDOR), key=action_text))


def hugo_start(options: Options) -> Square:
    """Where Hugo starts (M14)."""
    default = HugoStart.STEP10 if options.edition is Edition.OLD else HugoStart.DOOR
    return FIRST_STAIR if (options.hugo_start or default) is HugoStart.STEP10 else CELLAR_DOOR


class Way(NamedTuple):
    """One move of a guest that may be possible."""

    action: MoveGuest
    room: Square  # 0: the move ends in the corridor
    exact: bool  # whether a room is entered with just the count that it takes


def _ways(edition: Edition, face: Face, origin: Square) -> list[Way]:
    inside = origin not in CORRIDOR
    if origin == 0 or (inside and edition is Edition.OLD):
        return []
    # As if the guest stood one square before the one that its first step leads to.
    start = DOOR_OF[origin] - 1 if origin in DOOR_OF else 0 if inside else origin
    found = [Way(MoveGuest(origin, (start - 1 + face) % 28 + 1), 0, exact=False)]
    for room in ROOMS_OF[edition]:
        count = (DOOR_OF[room] - start) % 28 + 1
        reached = count == face if room in EXACT else count <= face
        # Outside is where a guest from inside must step first, so it passes by no door further back.
        if reached and room != origin and not (inside and count == 1):
            found.append(Way(MoveGuest(origin, room), room, exact=count == face))
    return found


def _text(way: Way) -> str:
    return action_text(way.action)


# By face and square of a guest: all ways that it can go with a number, in ASCII order of their texts (M9, M10, M27).
OLD_WAYS, NEW_WAYS = [
    [[tuple(sorted(_ways(edition, face, origin), key=_text)) for origin in range(TEN_ROOM + 1)] for face in range(6)]
    for edition in Edition
]
