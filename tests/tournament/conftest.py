"""A tiny game for two to four players, so that what holds for any game is not tried on one game only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import pytest

from croupier_server.rules import AnyGame, Game, OptionsError, Outcome, Table


class Deck(Enum):
    SHORT = 1
    LONG = 2


@dataclass(frozen=True)
class PickOptions:
    rounds: int = 3
    open_hands: bool = False
    deck: Deck = Deck.SHORT


@dataclass(frozen=True)
class Pick:
    number: int


class PickState(NamedTuple):
    """Everyone picks a number at once; the higher the better."""

    seats: int
    picked: tuple[int, ...] = ()

    def to_act(self) -> tuple[int, ...]:
        return () if self.picked else tuple(range(self.seats))

    def legal(self, seat: int) -> tuple[Pick, ...]:
        return (Pick(1), Pick(2))

    def broken_rule(self, seat: int, action: Pick) -> str:
        return "1: pick 1 or 2"

    def play(self, actions: Mapping[int, Pick], table: Table[object]) -> PickState:
        return PickState(self.seats, tuple(actions[seat].number for seat in range(self.seats)))

    def view(self, viewer: int | None) -> PickState:
        return self

    def outcome(self) -> Outcome | None:
        return Outcome.by_score(self.picked) if self.picked else None


def check(options: PickOptions, seats: int) -> None:
    if options.rounds > 9:
        raise OptionsError("rounds", f"pick: found rounds = {options.rounds}; expected at most 9")


PICK: AnyGame = Game(
    id="pick",
    title="Pick a number",
    seats=(2, 4),
    options=PickOptions,
    variants={"standard": PickOptions()},
    check=check,
    deal=lambda options, seats, table: PickState(seats),
    world=lambda options, view, chance: view,
    actions=(Pick,),
    observation=PickState,
    events=(),
    action_text=lambda action: f"pick {action.number}",
    parse_action=lambda text: Pick(int(text.removeprefix("pick "))),
    item_text=str,
    simultaneous=True,
)


@pytest.fixture
def games() -> dict[str, AnyGame]:
    """A catalogue."""
    return {"pick": PICK}
