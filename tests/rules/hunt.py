"""Positions of witch21 set up by hand and played by notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.worlds import luck

from croupier_server.games.witch21 import GAME, Past, Witch21
from croupier_server.games.witch21_words import CARDS, WITCHES, Event, Options, Phase, action_text, parse_action
from croupier_server.rules import ScriptedChance, Seat, Table


def cards(texts: str) -> tuple[int, ...]:
    """The cards of "R3 alibi", in the order given."""
    return tuple(CARDS.parse(text) for text in texts.split())


def texts(deck: tuple[int, ...]) -> str:
    """Cards as notation."""
    return " ".join(map(CARDS.text, deck))


def dealt(options: Options, seats: int, *script: tuple[str, Any]) -> tuple[Witch21, Table[Any]]:
    """The first position of a game whose luck is the script, and what was told."""
    table: Table[Any] = Table(ScriptedChance(script, GAME.item_text))
    return Witch21.deal(options, seats, table), table


class Hunt:
    """A game in which seat `turn` plays next; factions as "RBG" and hands as texts by seat, counts of R, B and G."""

    def __init__(
        self,
        *hands: str,
        factions: str = "RBG",
        counts: tuple[int, int, int] = (0, 0, 0),
        turn: Seat = 0,
        pile: str = "",
        options: Options | None = None,
    ) -> None:
        own = tuple(cards(" ".join(sorted(hand.split()))) for hand in hands)
        none: tuple[tuple[int, ...], ...] = ((),) * len(hands)
        past = Past(0, (), (), (), none, none, none)
        believed = tuple(WITCHES.parse(text) for text in factions)
        self.state = Witch21(
            options or Options(), Phase.PLAY, turn, None, counts, believed, own, cards(pile), (), (), past
        )
        self.table: Table[Event] = Table(luck("hunt"))

    def play(self, *texts: str) -> None:
        """One step: an action of every seat that is asked, in order of seats; each must be legal."""
        actions = dict(zip(self.state.to_act(), map(parse_action, texts), strict=True))
        for seat, action in actions.items():
            assert action in self.state.legal(seat), self.state.broken_rule(seat, action)
        self.state = self.state.play(actions, self.table)

    def refusal(self, text: str, seat: Seat | None = None) -> str:
        """Why an action of a seat, or of the one whose turn it is, is refused."""
        action = parse_action(text)
        who = self.state.turn if seat is None else seat
        assert action not in self.state.legal(who)
        return self.state.broken_rule(who, action)

    def legal(self, seat: Seat | None = None) -> list[str]:
        """The texts of all actions of a seat, or of the one whose turn it is."""
        return [action_text(action) for action in self.state.legal(self.state.turn if seat is None else seat)]

    def hand(self, seat: Seat) -> str:
        """A seat's hand in canonical order."""
        return " ".join(CARDS.text(card) for card in self.state.view(seat).hand)

    @property
    def winners(self) -> list[Seat]:
        """The seats that have won; the game must be over."""
        outcome = self.state.outcome()
        assert outcome is not None
        first = 1 if any(outcome.scores) else None
        assert [place == first for place in outcome.places] == [score == 1 for score in outcome.scores]
        return [seat for seat, score in enumerate(outcome.scores) if score]

    def told(self, kind: type[Any]) -> Sequence[Any]:
        """All events of a kind so far."""
        return [entry.event for entry in self.table.news if isinstance(entry.event, kind)]
