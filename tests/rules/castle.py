"""Positions of midnight set up by hand and played by notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from croupier_server.games.midnight import DIE, GAME, Midnight
from croupier_server.games.midnight_board import FIRST_ROOM, ROOMS
from croupier_server.games.midnight_history import Captures, Moves, Placed, Rounds
from croupier_server.games.midnight_words import (
    FACES,
    SQUARES,
    Edition,
    Event,
    GuestsCaptured,
    Options,
    Phase,
    action_text,
    parse_action,
)
from croupier_server.rules import Chance, Outcome, Seat, Table

T = TypeVar("T")
NEW = Options(edition=Edition.NEW)


class Dice(Chance):
    """Dice that show these faces, and then nothing but 1."""

    def __init__(self, faces: str) -> None:
        self._faces = [DIE.index(FACES.parse(face)) for face in faces.split()]

    def below(self, label: str, n: int) -> int:
        """The place of the next face on the die."""
        assert (label, n) == ("roll", 6)
        return self._faces.pop(0) if self._faces else 0

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """There is nothing to shuffle."""
        raise AssertionError(label)


def squares(texts: str) -> tuple[int, ...]:
    """The squares of "C5 r3", in the order given."""
    return tuple(SQUARES.parse(text) for text in texts.split())


def captured(square: str, stairs: str, *owners: Seat) -> GuestsCaptured:
    """The news that guests of these owners were captured."""
    return GuestsCaptured(SQUARES.parse(square), SQUARES.parse(stairs), owners)


class Castle:
    """A game from a roll on; the guests of each seat as texts, seat 0 first."""

    def __init__(
        self,
        *guests: str,
        hugo: str = "C20",
        rolled: int = 0,  # by the seat whose turn it is; 0: it has not rolled yet
        turn: Seat = 0,
        first: Seat = 0,
        scores: tuple[int, ...] = (),
        laps: int = 0,
        dice: str = "",
        options: Options | None = None,
    ) -> None:
        seats = [tuple(sorted(squares(own))) for own in guests]
        inside = {square: seat for seat, own in enumerate(seats) for square in own if square in ROOMS}
        self.state = Midnight(
            options=options or Options(),
            phase=Phase.MOVE,
            turn=turn,
            rolled=rolled,
            hugo=SQUARES.parse(hugo),
            laps=laps,
            scores=scores or (0,) * len(guests),
            guests=tuple(seats),
            rooms=tuple([inside.get(FIRST_ROOM + i) for i in range(len(ROOMS))]),
            placing=(),
            placed=Placed(),
            rolls=(rolled,) if rolled else (),
            moves=Moves(),
            captures=Captures(),
            rounds=Rounds((first,)),
        )
        self.table: Table[Event] = Table(Dice(dice))

    def roll(self) -> None:
        """The seat whose turn it is rolls, and others after it until one is asked."""
        self.state = self.state._with_rolls(self.state.turn, self.table)

    def play(self, *texts: str) -> None:
        """Decisions one after the other, of whoever is asked; each must be legal."""
        for text in texts:
            (seat,) = self.state.to_act()
            action = parse_action(text)
            assert action in self.state.legal(seat), self.state.broken_rule(seat, action)
            self.state = self.state.play({seat: action}, self.table)

    def refusal(self, text: str, seat: Seat | None = None) -> str:
        """Why an action of a seat, or of the one that is asked, is refused."""
        action = parse_action(text)
        who = self.state.turn if seat is None else seat
        assert action not in self.state.legal(who)
        return self.state.broken_rule(who, action)

    @property
    def legal(self) -> list[str]:
        """The texts of all actions of the seat that is asked."""
        return [action_text(action) for seat in self.state.to_act() for action in self.state.legal(seat)]

    @property
    def guests(self) -> list[str]:
        """Where the guests of each seat are."""
        return [" ".join(map(SQUARES.text, own)) for own in self.state.guests]

    @property
    def hugo(self) -> str:
        """Where Hugo is."""
        return SQUARES.text(self.state.hugo)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, if it did."""
        return self.state.outcome()

    def told(self, kind: type[Any]) -> Sequence[Any]:
        """All events of a kind so far."""
        return [entry.event for entry in self.table.news if isinstance(entry.event, kind)]


def moves(guests: str, rolled: int, *others: str, hugo: str = "C20", options: Options | None = None) -> list[str]:
    """The texts of all actions of seat 0 with a number; the other seats have one guest in the corridor if not told."""
    return Castle(
        guests, *(others or ("C20" if hugo != "C20" else "C19",)), hugo=hugo, rolled=rolled, options=options
    ).legal


def first_position(seats: int, options: Options, start: Seat = 0) -> Midnight:
    """A match before its first guest is placed."""
    state = GAME.deal(options, seats, Table(_Start(start)))
    assert isinstance(state, Midnight)
    return state


class _Start(Dice):
    def __init__(self, start: Seat) -> None:
        super().__init__("")
        self._start = start

    def below(self, label: str, n: int) -> int:
        return self._start if label == "start" else super().below(label, n)
