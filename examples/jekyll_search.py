"""A searching bot for Jekyll vs. Hyde: it guesses the hidden cards many times and plays the round on from each guess.

For every decision it makes the same number of playouts, never until some time is up, so the same seed gives the same
match on every machine. They are dealt out in stages: in each, all actions that are left are tried on the same guesses,
and the better half goes on to the next.

1. `deduce` says what the other seat can hold: the cards given to it, and what is left once the own, the played and
   the given cards are away, without the colours that it could not follow, and without a second potion when it gave none
   in the exchange (with two it must have).
2. `position` makes a whole position of the view and one guess, for the rules engine of the server.
3. A playout goes on to the end of the round with quick moves: answers tend to move the difference of tricks where the
   seat wants it, all else is random. What the marker is worth then stands in a table that was measured beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeAlias, TypeVar

import croupier
from croupier.v1.jekyll_pb2 import JekyllAction, JekyllEvent, JekyllObservation, JekyllOptions
from croupier_server.games import jekyll
from croupier_server.games.jekyll import COLOUR, DECK, FIRST_POTION, HALVES, HAND_SIZE, HYDE, JEKYLL, PURPLE, Phase
from croupier_server.rules import Chance, Table

JekyllTurn: TypeAlias = croupier.Turn[JekyllObservation, JekyllEvent, JekyllAction]
T = TypeVar("T")

PLAYOUTS = 120  # a decision
CARDS_A_ROUND = 2 * HAND_SIZE
WHIM = 1.5  # how far a quick answer may be from the best one, in tricks

# Jekyll's chance of winning once rounds 1 and 2 are over and the marker is at 0, 2, 4, 6 or 8; of 1,500 playouts each.
CHANCES = {1: (0.78, 0.59, 0.38, 0.16, 0.02), 2: (0.98, 0.92, 0.78, 0.54, 0.17)}


class Hidden(NamedTuple):
    """What the other seat can hold, as far as one seat can tell."""

    known: frozenset[int]  # in its hand for certain
    others: tuple[int, ...]  # where the rest of its hand comes from
    size: int  # of that rest
    potions: int  # that rest holds no more of them

    def guess(self, luck: Random) -> tuple[int, ...]:
        """One of the hands that it can hold, each equally likely; in canonical order."""
        while True:
            rest = luck.sample(self.others, self.size)
            if sum(card >= FIRST_POTION for card in rest) <= self.potions:
                return tuple(sorted([*self.known, *rest]))


def deduce(view: JekyllObservation) -> Hidden:
    """What the view of a seat tells about the other's hand."""
    them, start = 1 - view.seat, CARDS_A_ROUND * (view.round - 1)
    hand, played, by = set(view.hand), view.played_cards[start:], view.played_by[start:]
    earlier = sum(size for size, time in zip(view.swap_sizes, view.swap_times, strict=True) if time < start)
    known = {*view.given_cards[earlier:]} - hand - {*played}
    seen = hand | known | {*played}

    names = iter(view.named_colours[sum(card >= FIRST_POTION for card in view.played_cards[:start:2]) :])
    missing = set()
    for lead, answer, seat in zip(played[::2], played[1::2], by[1::2], strict=False):  # a lead may be unanswered
        wanted = COLOUR[lead] or next(names)
        free = answer >= FIRST_POTION > lead  # a potion may always answer a colour
        if seat == them and COLOUR[answer] != wanted and not free:
            missing.add(wanted)

    potions = 4
    exchanged = view.received_cards[earlier:][: view.round]
    if exchanged and max(exchanged) < FIRST_POTION:
        own = view.dealt_cards[HAND_SIZE * (view.round - 1) :]
        potions = 1 - len([card for card in seen if card >= FIRST_POTION and card not in own])

    others = [card for card in DECK if card not in seen and COLOUR[card] not in missing]
    others = [card for card in others if card < FIRST_POTION or potions]
    return Hidden(frozenset(known), tuple(others), view.hand_sizes[them] - len(known), potions)


def position(view: JekyllObservation, options: jekyll.Options, theirs: tuple[int, ...]) -> jekyll.Jekyll:
    """A position that looks like this to the seat; of the past it has what still counts, so it serves to play on."""
    own = tuple(view.hand)
    return jekyll.Jekyll(
        options=options,
        phase=Phase(view.phase),
        round=view.round,
        leader=view.leader,
        tricks=tuple(view.tricks),
        row=tuple(view.rank_row),
        hands=(own, theirs) if view.seat == JEKYLL else (theirs, own),
        plays=jekyll.Plays(tuple(view.played_cards[-2:]), tuple(view.played_by[-2:]), tuple(view.named_colours[-1:])),
        winners=(),
        past=jekyll.Past(markers=tuple(view.round_markers)),
    )


def quick_move(state: jekyll.Jekyll, seat: int, random: Callable[[], float]) -> jekyll.Action:
    """A move for a playout: an answer that tends to help the seat, anything else at random."""
    legal = state.legal(seat)
    if state.phase is not Phase.FOLLOW or len(legal) == 1:
        return legal[int(random() * len(legal))]
    lead, tricks = state.plays.cards[-1], state.tricks
    ahead = tricks[seat] - tricks[1 - seat]
    best, most = legal[0], float("-inf")
    for action in legal:
        assert isinstance(action, jekyll.Play)
        won = answer_wins(action.card, lead, state.row)
        one_potion = (lead >= FIRST_POTION) != (action.card >= FIRST_POTION)
        purple = one_potion and PURPLE in (COLOUR[lead], COLOUR[action.card])
        change = 2 if purple and tricks[1 - seat if won else seat] else 1
        distance = abs(ahead + change if won else ahead - change)
        worth = (distance if seat == HYDE else -distance) + WHIM * random()
        if worth > most:
            best, most = action, worth
    return best


def answer_wins(answer: int, lead: int, row: Sequence[int]) -> bool:
    """Whether an answer wins its trick. The lead is ranked already; a colour that is not gets a higher rank."""
    theirs, own = COLOUR[lead], COLOUR[answer]
    if theirs and own and theirs != own:
        return own not in row or row.index(own) > row.index(theirs)
    return HALVES[answer] > HALVES[lead]


class Luck(Chance):
    """The luck of playouts; nobody records it, so labels mean nothing."""

    def __init__(self, luck: Random) -> None:
        self._luck = luck

    def below(self, label: str, n: int) -> int:  # noqa: ARG002
        """See `Chance.below`."""
        return self._luck.randrange(n)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002
        """See `Chance.shuffle`."""
        return tuple(self._luck.sample(items, len(items)))


class Deaf(Table[jekyll.Event]):
    """A table at which nobody listens to news."""

    def announce(self, event: jekyll.Event) -> None:
        """Tells nobody."""

    def whisper(self, seat: int, event: jekyll.Event) -> None:
        """Tells nobody."""


class SearchBot(croupier.Bot):
    """See the module."""

    games = ("jekyll",)

    def start(self, match: croupier.Match) -> None:
        """Reads the rules in force."""
        rules: JekyllOptions = match.options
        self._options = jekyll.Options(
            greed_count=rules.greed_count,
            greed_choice=jekyll.GreedChoice(rules.greed_choice),
            greed_short=jekyll.GreedShort(rules.greed_short),
            wrath_reseeds=rules.wrath_reseeds,
        )
        self._table = Deaf(Luck(self.luck))

    def act(self, turn: JekyllTurn) -> croupier.Answer:
        """The action that won the most playouts."""
        view, left = turn.view, list(range(len(turn.legal)))
        if len(left) == 1:
            return croupier.Answer(0)
        hidden = deduce(view)
        won, tried = [0.0] * len(left), [0] * len(left)  # by index into turn.legal
        stages = (len(left) - 1).bit_length()  # how often they can be halved until one is left
        for _ in range(stages):
            for _ in range(max(1, PLAYOUTS // stages // len(left))):
                guess = position(view, self._options, hidden.guess(self.luck))
                legal = guess.legal(view.seat)  # in the same order as the turn's, since both are those of the rules
                for index in left:
                    won[index] += self._playout(guess, view.seat, legal[index])
                    tried[index] += 1
            left.sort(key=lambda index: -won[index])
            del left[(len(left) + 1) // 2 :]
        best = left[0]
        return croupier.Answer(best, note=f"wins {won[best] / tried[best]:.0%} of {tried[best]} playouts")

    def _playout(self, state: jekyll.Jekyll, me: int, action: jekyll.Action) -> float:
        """The chance to win, estimated by playing the round on once."""
        number, random, table = state.round, self.luck.random, self._table
        state = state.play({s: action if s == me else quick_move(state, s, random) for s in state.to_act()}, table)
        while state.round == number and (seats := state.to_act()):
            state = state.play({seat: quick_move(state, seat, random) for seat in seats}, table)
        outcome = state.outcome()
        if outcome is not None:
            return outcome.scores[me]
        chance = CHANCES[number][state.marker // 2]
        return chance if me == JEKYLL else 1 - chance


if __name__ == "__main__":
    croupier.play(SearchBot)
