"""Positions of luther set up by hand and played by notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.worlds import luck

from croupier_server.games.luther import Luther, Owned, Plays, Rounds, Uses
from croupier_server.games.luther_cover import mask_of
from croupier_server.games.luther_words import (
    CARDS,
    INDULGENCES,
    Event,
    Options,
    Phase,
    SetScored,
    TrickWon,
    action_text,
    parse_action,
)
from croupier_server.rules import Outcome, Seat, Table

PILE = "fib run sum10 pairs sum14 odd even big small club"


def cards(texts: str) -> tuple[int, ...]:
    """The cards of "S10 DK", in the order given."""
    return tuple(CARDS.parse(text) for text in texts.split())


def indulgences(texts: str) -> tuple[int, ...]:
    """The indulgences of "prime run", in the order given."""
    return tuple(INDULGENCES.parse(text) for text in texts.split())


def owned(*seats: tuple[int, str, str, int]) -> Owned:
    """What seats have: red cards, the uncovered black ones, the unused indulgences, how many are used."""
    return Owned(
        tuple(money for money, *_ in seats),
        tuple(mask_of(cards(sins)) for _, sins, *_ in seats),
        tuple(indulgences(" ".join(sorted(unused.split()))) for _, _, unused, _ in seats),
        tuple(used for *_, used in seats),
    )


class Parish:
    """A set from some round on; hands as texts, seat 0 first. Without hands, the tenth round's trick is won."""

    def __init__(
        self,
        *hands: str,
        phase: Phase = Phase.PLAY,
        turn: Seat = 0,
        leader: Seat = 0,
        winner: Seat = 0,  # of the trick before, which is that of this round once it is won
        has: Owned | None = None,
        display: str = "spade nonprime prime",
        options: Options | None = None,
    ) -> None:
        seats = len(hands)
        tricks = 10 - max(len(hand.split()) for hand in hands)
        own = tuple(cards(" ".join(sorted(hand.split()))) for hand in hands)
        rounds = Rounds((winner,) * tricks, (winner,) * tricks)
        self.state = Luther(
            options or Options(),
            phase,
            turn,
            leader,
            (),
            own,
            indulgences(display),
            indulgences(PILE),
            has or Owned.nothing(seats),
            Plays(),
            rounds,
            (),
            Uses(),
            (),
        )
        self.table: Table[Event] = Table(luck("parish"))

    def play(self, *texts: str) -> None:
        """Decisions one after the other, of whoever is asked; each must be legal."""
        for text in texts:
            (seat,) = self.state.to_act()
            action = parse_action(text)
            assert action in self.state.legal(seat), self.state.broken_rule(seat, action)
            self.state = self.state.play({seat: action}, self.table)

    def trick(self, texts: str) -> None:
        """The cards of a trick in order of play: "S7 D3 SA HK"."""
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

    def told(self, kind: type[Any]) -> Sequence[Any]:
        """All events of a kind so far."""
        return [entry.event for entry in self.table.news if isinstance(entry.event, kind)]


def won(trick: str, options: Options | None = None) -> tuple[Seat, Seat]:
    """The winner and the taker of a trick that seat 0 leads, each hand being the card that is played."""
    parish = Parish(*trick.split(), options=options)
    parish.trick(trick)
    (told,) = parish.told(TrickWon)
    return told.winner, told.taker


def indulging(sins: str, unused: str, options: Options | None = None) -> Parish:
    """Seat 0 of three may use indulgences; the others have nothing."""
    nothing = (0, "", "", 0)
    return Parish(
        "HA", "HK", "HQ", phase=Phase.INDULGE, has=owned((0, sins, unused, 0), nothing, nothing), options=options
    )


def scored(*seats: tuple[int, str, str, int], options: Options | None = None) -> tuple[SetScored, Outcome]:
    """The count of a set that ends with these belongings (see `owned`), and the outcome of the match."""
    parish = Parish(*[""] * len(seats), phase=Phase.INDULGE, turn=len(seats) - 1, has=owned(*seats), options=options)
    parish.play("pass")  # of the last seat
    (told,) = parish.told(SetScored)
    outcome = parish.state.outcome()
    assert outcome is not None
    return told, outcome
