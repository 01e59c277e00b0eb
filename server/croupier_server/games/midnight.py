"""Midnight Party and Escape from the Hidden Castle: guests flee from the ghost Hugo into rooms. Nothing is hidden.

The rules of both editions, numbered M1 to M31 as cited here, are in docs/rules/midnight.md. What is said is in
midnight_words.py, the board in midnight_board.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from croupier_server.games.midnight_board import (
    ASCII_RANK,
    CORRIDOR,
    COST,
    DOOR_OF,
    EXACT,
    FIRST_ROOM,
    FIRST_STAIR,
    LAST_OF_CORRIDOR,
    NEW_WAYS,
    NEXT,
    OLD_WAYS,
    PLACES,
    POINTS_OF,
    ROOMS,
    ROOMS_OF,
    STAIRS,
    TEN_ROOM,
    TOP_STAIR,
    hugo_start,
)
from croupier_server.games.midnight_history import Captures, Moves, Placed, Rounds
from croupier_server.games.midnight_words import (
    SQUARES,
    Action,
    DieRolled,
    Edition,
    Event,
    Face,
    GameBegan,
    GuestKicked,
    GuestMoved,
    GuestPlaced,
    GuestsCaptured,
    HugoMoved,
    HugoStart,
    KickOntoHugo,
    MoveGuest,
    Observation,
    Options,
    Phase,
    PlaceGuest,
    RoundBegan,
    RoundEnded,
    Square,
    StairsOverflow,
    Stay,
    Stayed,
    action_text,
    check,
    parse_action,
)
from croupier_server.rules import Game, Outcome, Seat, Table, replaced, without

GUESTS = {2: 6, 3: 5, 4: 4, 5: 3, 6: 2, 7: 2, 8: 2}  # of each seat, by number of seats (M1)
HUGO = 3
DIE = (1, 2, HUGO, 4, 5, HUGO)  # faces in the order of the draw (M5)
FIRST_FEAR = 10  # M25
FEAR_ENDS_AT = 46  # M30
LAPS_END_AT = 5  # M30

PLACE, REPLACE, MOVE, OVER = Phase  # plain names are read faster than attributes of an Enum
OLD, NEW = Edition
_die_rolled, _guest_moved, _stayed = cache(DieRolled), cache(GuestMoved), cache(Stayed)  # few, and told often
_hugo_moved, _guest_placed = cache(HugoMoved), cache(GuestPlaced)
_STAY = Stay()


class Midnight(NamedTuple):
    """A position; all of it is public."""

    options: Options
    phase: Phase
    turn: Seat  # who decides; when the game is over, who rolled last
    rolled: Face  # what the deciding seat moves by; 0 unless it is to move
    hugo: Square
    laps: int
    scores: tuple[int, ...]  # by seat; in the new edition minus the fear
    guests: tuple[tuple[Square, ...], ...]  # by seat, ascending
    rooms: tuple[Seat | None, ...]  # by room: whose guest is in it
    placing: tuple[tuple[Seat, Square], ...]  # who is still to place, and the guest's square (0: it is new)
    placed: Placed
    rolls: tuple[Face, ...]
    moves: Moves
    captures: Captures
    rounds: Rounds

    @classmethod
    def deal(cls, options: Options, seats: int, table: Table[Event]) -> Midnight:
        """The first position of a match (M6)."""
        start = table.chance.below("start", seats) if options.start_seat is None else options.start_seat
        table.announce(GameBegan(start))
        placing = tuple([((start + i) % seats, 0) for i in range(seats * GUESTS[seats])])
        points = 0 if options.edition is OLD else -FIRST_FEAR
        return cls(
            options,
            PLACE,
            start,
            0,
            hugo_start(options),
            0,
            (points,) * seats,
            ((),) * seats,
            (None,) * len(ROOMS),
            placing,
            Placed(),
            (),
            Moves(),
            Captures(),
            Rounds((start,)),
        )

    @property
    def speed(self) -> int:
        """How far Hugo goes with the next roll that shows him (M14, M29)."""
        if self.options.edition is NEW:
            return 3 + self.laps
        return self.options.hugo_step_old or (2 if len(self.guests) >= 7 else 3)

    def to_act(self) -> tuple[Seat, ...]:
        """See `State.to_act`."""
        return () if self.phase is OVER else (self.turn,)

    def legal(self, seat: Seat) -> Sequence[Action]:
        """See `State.legal`."""
        phase = self.phase
        if seat != self.turn or phase is OVER:
            return ()
        if phase is MOVE:
            return self._legal_moves(seat)
        if phase is REPLACE and not self.options.replace_needs_empty:
            return PLACES
        taken = set(chain.from_iterable(self.guests))
        return [place for place in PLACES if place.square not in taken]

    def broken_rule(self, seat: Seat, action: Action) -> str:
        """See `State.broken_rule`; raises ValueError for a legal action."""
        if seat != self.turn or self.phase is OVER:
            return "M7: this seat has no decision to make now"
        if (self.phase is MOVE) == isinstance(action, PlaceGuest):
            return f"M7: this is the time to {'move' if self.phase is MOVE else 'place'} a guest"
        broken = None
        match action:
            case PlaceGuest(square):
                broken = self._broken_by_place(square)
            case MoveGuest(origin, target):
                broken = self._broken_by_origin(seat, origin) or self._broken_by_target(seat, origin, target)
            case Stay() if self.options.edition is NEW:
                broken = "M26: a number must be moved"
        if broken is None:
            raise ValueError(f"{action_text(action)!r} breaks no rule")
        return broken

    def play(self, actions: Mapping[Seat, Action], table: Table[Event]) -> Midnight:
        """See `State.play`."""
        action, after = actions[self.turn], self
        if isinstance(action, PlaceGuest):
            return self._with_guest(action.square, table)
        if isinstance(action, MoveGuest):
            after = self._with_move(action.origin, action.target, table)
        else:
            table.announce(_stayed(self.turn))
        if after._is_over():
            return after._with_end(table)
        return after._with_rolls((self.turn + 1) % len(self.guests), table)

    def view(self, viewer: Seat | None) -> Observation:
        """See `State.view`."""
        guests, moves, rounds = self.guests, self.moves, self.rounds
        return Observation(
            viewer,
            self.phase,
            self.turn,
            len(rounds.firsts),
            self.rolled or None,
            self.hugo,
            self.speed,
            self.laps,
            self.scores,
            tuple(chain.from_iterable(guests)),
            tuple([len(own) for own in guests]),
            tuple([seat for seat, _ in self.placing]),
            rounds.firsts[-1],
            *self.placed,
            self.rolls,
            rounds.rolled_by(len(self.rolls), len(guests)),
            *moves[:3],
            *self.captures,
            *moves[3:],
            rounds.rolls,
            rounds.scores,
        )

    def outcome(self) -> Outcome | None:
        """See `State.outcome`."""
        return Outcome.by_score(self.scores) if self.phase is OVER else None  # M24, M30

    def _legal_moves(self, seat: Seat) -> list[Action]:
        """All moves with the number that a seat has rolled, in ASCII order of their texts."""
        old, hugo, rooms = self.options.edition is OLD, self.hugo, self.rooms
        out, found = hugo <= LAST_OF_CORRIDOR, list[Action]()
        ways = (OLD_WAYS if old else NEW_WAYS)[self.rolled]
        for origin in sorted(self._movable(seat), key=ASCII_RANK.__getitem__):
            for action, room, exact in ways[origin]:
                if room:
                    if not out:
                        break  # rooms stand behind the corridor
                    owner = rooms[room - FIRST_ROOM]
                    if owner is not None and (old or owner == seat or not exact or self._kick_is_forbidden(room)):
                        continue
                found.append(action)
        if old:
            found.append(_STAY)  # moves begin with a C
        return found

    def _movable(self, seat: Seat) -> set[Square]:
        """The squares of the guests that a seat may move (M17, M26)."""
        own = self.guests[seat]
        if self.options.edition is OLD:
            return {square for square in own if square <= LAST_OF_CORRIDOR}
        below = [square for square in own if square >= FIRST_STAIR]
        deepest = TEN_ROOM if TEN_ROOM in below else below[0] if below else 0
        return {square for square in own if square < FIRST_STAIR or square == deepest}

    def _kick_is_forbidden(self, room: Square) -> bool:
        """Whether the guest of a room must not be put out, onto Hugo's square (M28)."""
        return DOOR_OF[room] == self.hugo and self.options.kick_onto_hugo is KickOntoHugo.FORBIDDEN

    def _broken_by_place(self, square: Square) -> str | None:
        if square not in CORRIDOR:
            return f"M2: {_name(square)} is no square of the corridor"
        if any(square in own for own in self.guests) and (self.phase is PLACE or self.options.replace_needs_empty):
            return f"{'M6' if self.phase is PLACE else 'M22'}: there is a guest on {_name(square)}"
        return None

    def _broken_by_origin(self, seat: Seat, origin: Square) -> str | None:
        if origin not in self.guests[seat]:
            return f"M7: the seat has no guest on {_name(origin)}"
        if origin in self._movable(seat):
            return None
        if self.options.edition is OLD:
            return f"M17: a guest on {_name(origin)} does not move before the round is over"
        return f"M26: {_name(origin)} is not the deepest of the seat's guests on the stairs"

    def _broken_by_target(self, seat: Seat, origin: Square, target: Square) -> str | None:
        old, name = self.options.edition is OLD, _name(target)
        ways = (OLD_WAYS if old else NEW_WAYS)[self.rolled][origin]
        way = next((way for way in ways if way.action.target == target), None)
        if way is None:
            rule = "M10" if target in ROOMS_OF[self.options.edition] else "M3" if target in ROOMS else "M9"
            exactly = " exactly" if target in EXACT else ""
            return f"{rule}: {name} is not reached{exactly} from {_name(origin)} with {self.rolled}"
        if not way.room:
            return None
        if self.hugo > LAST_OF_CORRIDOR:
            return "M11: rooms are closed while Hugo is on the stairs"
        owner = self.rooms[way.room - FIRST_ROOM]
        if owner is None:
            return None
        if old:
            return f"M12: there is a guest in {name}"
        if owner == seat:
            return f"M28: there is a guest of the seat itself in {name}"
        if not way.exact:
            return f"M28: the guest in {name} is put out by an exact count only"
        return f"M28: the guest in {name} would be put onto Hugo's square" if self._kick_is_forbidden(target) else None

    def _is_over(self) -> bool:
        """Whether the game, or the round of the old edition, is over after a roll or a move (M19, M30)."""
        if self.options.edition is NEW:
            return self.laps >= LAPS_END_AT or min(self.scores) <= -FEAR_ENDS_AT
        if self.hugo > LAST_OF_CORRIDOR:
            return False
        return None not in self.rooms or all(own[0] > LAST_OF_CORRIDOR for own in self.guests)

    def _with_guest(self, square: Square, table: Table[Event]) -> Midnight:
        """A guest was placed (M6, M22), and after the last one dice are rolled."""
        options, phase, seat, _, hugo, laps, scores, guests, rooms, placing, placed, rolls, moves, caught, rounds = self
        origin, placing = placing[0][1], placing[1:]
        table.announce(_guest_placed(seat, square, origin or None))
        own = without(guests[seat], origin) if origin else guests[seat]
        guests = replaced(guests, seat, tuple(sorted((*own, square))))
        placed = Placed((*placed.squares, square), (*placed.by, seat))
        turn = placing[0][0] if placing else seat
        after = Midnight(
            options, phase, turn, 0, hugo, laps, scores, guests, rooms, placing, placed, rolls, moves, caught, rounds
        )
        return after if placing else after._with_rolls(rounds.firsts[-1], table)

    def _with_rolls(self, seat: Seat, table: Table[Event]) -> Midnight:
        """The die is rolled, by one seat after the other, until one must decide or the round is over (M8)."""
        after, rolls, seats, new = self, self.rolls, len(self.guests), self.options.edition is NEW
        while True:
            face = DIE[table.chance.below("roll", len(DIE))]
            table.announce(_die_rolled(seat, face))
            rolls = (*rolls, face)
            if face == HUGO:
                after = after._with_hugo(seat, rolls, table)
                if after._is_over():
                    return after._with_end(table)
            elif new or after.guests[seat][0] <= LAST_OF_CORRIDOR:
                return after._rolled(seat, face, rolls, after.hugo, after.laps)
            seat = (seat + 1) % seats

    def _rolled(self, seat: Seat, face: Face, rolls: tuple[Face, ...], hugo: Square, laps: int) -> Midnight:
        """A seat has rolled a number by which it is to move, or 0 if it is not; Hugo is where he is after that."""
        options, _, _, _, _, _, scores, guests, rooms, placing, placed, _, moves, caught, rounds = self
        return Midnight(
            options, MOVE, seat, face, hugo, laps, scores, guests, rooms, placing, placed, rolls, moves, caught, rounds
        )

    def _with_hugo(self, seat: Seat, rolls: tuple[Face, ...], table: Table[Event]) -> Midnight:
        """Hugo goes on, and captures whom he meets (M14)."""
        hugo, laps, met = self.hugo, self.laps, []
        standing = set(chain.from_iterable(self.guests))
        for _ in range(self.speed):
            laps += hugo == LAST_OF_CORRIDOR and self.options.edition is NEW  # M29
            hugo = NEXT[hugo]
            if hugo in standing and hugo <= LAST_OF_CORRIDOR:
                met.append(hugo)
        table.announce(_hugo_moved(hugo, laps))
        after = self._rolled(seat, 0, rolls, hugo, laps)
        for square in met:
            after = after._with_captures(square, table)
        return after

    def _with_captures(self, square: Square, table: Table[Event], stairs: Square = 0) -> Midnight:
        """The guests of a square are captured, onto the deepest free stairs if no other ones are named (M15)."""
        guests = self.guests
        owners = tuple([seat for seat, own in enumerate(guests) for one in own if one == square])
        if not stairs:
            occupied = set(chain.from_iterable(guests))
            full = TEN_ROOM if self.options.stairs_overflow is StairsOverflow.TEN_ROOM else TOP_STAIR  # M16
            stairs = next((stair for stair in STAIRS if stair not in occupied), full)
        table.announce(GuestsCaptured(square, stairs, owners))
        rolls, earlier, squares, to = self.captures
        count = len(owners)
        return self._replace(
            scores=tuple([score - COST[stairs] * owners.count(seat) for seat, score in enumerate(self.scores)]),
            guests=tuple(
                [
                    tuple(sorted([stairs if one == square else one for one in own])) if square in own else own
                    for own in guests
                ]
            ),
            captures=Captures(
                rolls + (len(self.rolls) - 1,) * count,
                earlier + owners,
                squares + (square,) * count,
                to + (stairs,) * count,
            ),
        )

    def _with_move(self, origin: Square, target: Square, table: Table[Event]) -> Midnight:
        """A guest has moved (M9, M10), and may have put another one out (M28) or met Hugo (M13)."""
        seat, points = self.turn, POINTS_OF.get(target, 0)
        options, phase, _, _, hugo, laps, scores, guests, rooms, placing, placed, rolls, moves, captures, rounds = self
        table.announce(_guest_moved(seat, origin, target, points))
        guests = _moved(guests, seat, origin, target)
        if points:
            scores = replaced(scores, seat, scores[seat] + points)
        if origin in DOOR_OF:
            rooms = replaced(rooms, origin - FIRST_ROOM, None)
        kicks, kicked, outside = moves.kicks, moves.kicked, target
        if target in DOOR_OF:
            owner = rooms[target - FIRST_ROOM]
            rooms = replaced(rooms, target - FIRST_ROOM, seat)
            if owner is not None:
                outside = DOOR_OF[target]
                table.announce(GuestKicked(owner, outside))
                guests = _moved(guests, owner, target, outside)
                kicks, kicked = (*kicks, len(moves.rolls)), (*kicked, owner)
        moves = Moves((*moves.rolls, len(rolls) - 1), (*moves.origins, origin), (*moves.targets, target), kicks, kicked)
        after = Midnight(
            options, phase, seat, 0, hugo, laps, scores, guests, rooms, placing, placed, rolls, moves, captures, rounds
        )
        return after._with_captures(hugo, table) if outside == hugo else after

    def _with_end(self, table: Table[Event]) -> Midnight:
        """The game is over, or a round of the old edition (M19)."""
        if self.options.edition is NEW:
            return self._replace(phase=OVER)
        after = self
        if None not in self.rooms:  # M20
            left = {square for own in self.guests for square in own if square <= LAST_OF_CORRIDOR}
            for square in sorted(left):
                after = after._with_captures(square, table, TOP_STAIR)
        rounds, number = self.rounds, len(self.rounds.firsts)
        table.announce(RoundEnded(number, after.scores))
        finished = (*rounds.rolls, rounds.in_this(len(self.rolls)))
        rounds = Rounds(rounds.firsts, finished, rounds.scores + after.scores)
        if number == self.options.rounds:
            return after._replace(phase=OVER, rolled=0, rounds=rounds)
        return after._with_next_round(rounds, table)

    def _with_next_round(self, rounds: Rounds, table: Table[Event]) -> Midnight:
        """Guests leave the rooms (M21), and captured ones are about to come back (M22)."""
        seats, before = len(self.guests), rounds.firsts[-1]

        def needs(seat: Seat) -> tuple[int, int]:
            return self.scores[seat], (seat - before) % seats

        first = min(range(seats), key=needs)  # M23
        guests = tuple([tuple(sorted([DOOR_OF.get(square, square) for square in own])) for own in self.guests])
        captured = [(seat, square) for seat, own in enumerate(guests) for square in own if square >= FIRST_STAIR]
        placing = tuple(sorted(captured, key=lambda one: (-COST[one[1]], needs(one[0]), one[1])))
        number = len(rounds.firsts) + 1
        table.announce(RoundBegan(number, first, tuple([seat for seat, _ in placing])))
        after = self._replace(
            phase=REPLACE,
            turn=placing[0][0] if placing else first,
            rolled=0,
            hugo=hugo_start(self.options),
            guests=guests,
            rooms=(None,) * len(ROOMS),
            placing=placing,
            rounds=Rounds((*rounds.firsts, first), rounds.rolls, rounds.scores),
        )
        return after if placing else after._with_rolls(first, table)


def _moved(
    guests: tuple[tuple[Square, ...], ...], seat: Seat, origin: Square, target: Square
) -> tuple[tuple[Square, ...], ...]:
    """The guests after a move of one of them."""
    return replaced(guests, seat, tuple(sorted((*without(guests[seat], origin), target))))


def _name(square: Square) -> str:
    """A square for people, also one that there is not."""
    return SQUARES.text(square) if 1 <= square <= len(SQUARES.texts) else f"square {square}"


from croupier_server.games.midnight_worlds import world  # noqa: E402  # which needs all of the above

GAME = Game(
    id="midnight",
    title="Midnight Party and Escape from the Hidden Castle",
    seats=(2, 3, 4, 5, 6, 7, 8),
    options=Options,
    variants={
        "standard": Options(),
        "new": Options(edition=NEW),
        "old-otherwise": Options(
            start_seat=0,
            rounds=2,
            hugo_start=HugoStart.DOOR,
            hugo_step_old=2,
            stairs_overflow=StairsOverflow.MINUS2,
            replace_needs_empty=True,
        ),
        "new-otherwise": Options(
            edition=NEW,
            start_seat=0,
            hugo_start=HugoStart.STEP10,
            stairs_overflow=StairsOverflow.MINUS2,
            kick_onto_hugo=KickOntoHugo.FORBIDDEN,
        ),
    },
    check=check,
    deal=Midnight.deal,
    world=world,
    actions=(PlaceGuest, MoveGuest, Stay),
    observation=Observation,
    events=(
        GameBegan,
        GuestPlaced,
        DieRolled,
        HugoMoved,
        GuestMoved,
        Stayed,
        GuestKicked,
        GuestsCaptured,
        RoundEnded,
        RoundBegan,
    ),
    action_text=action_text,
    parse_action=parse_action,
    item_text=SQUARES.text,
    simultaneous=False,
)
