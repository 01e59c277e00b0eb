"""Positions of jekyll set up by hand and played by notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.worlds import luck

from croupier_server.games.jekyll import (
    CARDS,
    COLOURS,
    Event,
    Jekyll,
    Options,
    Past,
    Phase,
    Plays,
    action_text,
    parse_action,
)
from croupier_server.rules import Chance, Seat, Table


def cards(texts: str) -> tuple[int, ...]:
    """The cards of "P5 2+", in canonical order."""
    return tuple(sorted(CARDS.parse(text) for text in texts.split()))


class Duel:
    """A game from a given position on; Jekyll's hand, Hyde's hand and the row as texts."""

    def __init__(
        self,
        jekyll: str,
        hyde: str,
        *,
        phase: Phase = Phase.LEAD,
        number: int = 1,  # of the round
        leader: Seat = 0,
        tricks: tuple[int, int] = (0, 0),
        row: str = "",
        marker: int = 0,
        options: Options | None = None,
        chance: Chance | None = None,
    ) -> None:
        ranks = tuple(COLOURS.parse(text) for text in row.split(" < ") if text)
        hands = (cards(jekyll), cards(hyde))
        past = Past(markers=(marker,) * (number - 1))
        self.state = Jekyll(options or Options(), phase, number, leader, tricks, ranks, hands, Plays(), (), past)
        self.table: Table[Event] = Table(chance or luck("duel"))

    def play(self, *texts: str) -> None:
        """One step: an action of every seat that is asked, in order of seats; each must be legal."""
        actions = dict(zip(self.state.to_act(), map(parse_action, texts), strict=True))
        for seat, action in actions.items():
            assert action in self.state.legal(seat), self.state.broken_rule(seat, action)
        self.state = self.state.play(actions, self.table)

    def trick(self, lead: str, answer: str) -> None:
        """Both cards of a trick."""
        self.play(f"play {lead}")
        self.play(f"play {answer}")

    def refusal(self, seat: Seat, text: str) -> str:
        """Why an action is refused."""
        action = parse_action(text)
        assert action not in self.state.legal(seat)
        return self.state.broken_rule(seat, action)

    @property
    def legal(self) -> list[str]:
        """The texts of all actions of the seats that are asked, without the verb."""
        return [
            action_text(action).split(" ", 1)[1] for seat in self.state.to_act() for action in self.state.legal(seat)
        ]

    @property
    def row(self) -> str:
        """Colours with a rank, weakest first: "G < P < R"."""
        return " < ".join(COLOURS.text(colour) for colour in self.state.row)

    def hand(self, seat: Seat) -> str:
        """A seat's hand in canonical order."""
        return " ".join(CARDS.text(card) for card in self.state.hands[seat])

    def told(self, kind: type[Any]) -> Sequence[Any]:
        """All events of a kind so far."""
        return [entry.event for entry in self.table.news if isinstance(entry.event, kind)]
