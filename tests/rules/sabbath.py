"""Positions of brujas set up by hand and played by notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.worlds import luck

from croupier_server.games.brujas import CARDS, COLOURS, Brujas, Event, Phase, Rule, action_text, parse_action
from croupier_server.rules import Outcome, Seat, Table


def cards(texts: str) -> tuple[int, ...]:
    """The cards of "R3 B5", in the order given."""
    return tuple(CARDS.parse(text) for text in texts.split())


def witches(texts: str) -> tuple[int, ...]:
    """The colours of "RBYG", the top slot first."""
    return tuple(COLOURS.parse(text) for text in texts)


class Sabbath:
    """A game from the start of a trick on, seat 0 leading; hands as texts, seat 0 first."""

    def __init__(self, *hands: str, track: str = "RBYG") -> None:
        first = witches(track)
        own = tuple(cards(" ".join(sorted(hand.split()))) for hand in hands)
        self.state = Brujas(Phase.PLAY, 0, Rule.UNDECIDED, first, (), own, first, (0,), (), (), ())
        self.table: Table[Event] = Table(luck("sabbath"))

    def play(self, *texts: str) -> None:
        """Decisions one after the other, of whoever is asked; each must be legal."""
        for text in texts:
            (seat,) = self.state.to_act()
            action = parse_action(text)
            assert action in self.state.legal(seat), self.state.broken_rule(seat, action)
            self.state = self.state.play({seat: action}, self.table)

    def trick(self, texts: str) -> None:
        """The cards of a trick in order of play: "R3 R5 R5 G3"."""
        self.play(*(f"play {text}" for text in texts.split()))

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
    def track(self) -> str:
        """The witches from the top slot down: "RBYG"."""
        return "".join(map(COLOURS.text, self.state.track))

    def told(self, kind: type[Any]) -> Sequence[Any]:
        """All events of a kind so far."""
        return [entry.event for entry in self.table.news if isinstance(entry.event, kind)]


def scored(track: str, *tableaus: str) -> tuple[tuple[int, ...], tuple[int, ...], Outcome]:
    """Favourite points, majority points and outcome of a finished game whose seats have taken these cards."""
    seats = len(tableaus)
    own = [cards(tableau) for tableau in tableaus]
    rounds = list(zip(*own, strict=True))
    taken = tuple([card for taken_in_round in rounds for card in taken_in_round])
    final, leaders = witches(track), (0,) * (len(rounds) + 1)  # seat 0 wins every trick, so seats take in their order
    state = Brujas(Phase.OVER, 0, Rule.UNDECIDED, final, (), ((),) * seats, final, leaders, taken, (), taken)
    outcome = state.outcome()
    assert outcome is not None
    return *state.points(), outcome
