"""What the rules let each viewer know of the luck, by game id: said from draws and actions alone.

Nothing here asks the game under test what it tells, so a game that tells too much cannot excuse itself. A game that is
missing here fails its test of secrecy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.support.worlds import Viewer, luck

from croupier_server.games import brujas, jekyll, luther, luther_words, witch21, witch21_words
from croupier_server.rules import AnyState, Seat, Table

Readers: TypeAlias = frozenset[Viewer]

NOBODY: Readers = frozenset()
EVERYBODY: Readers = frozenset({None, *range(8)})  # as many as any table seats


@dataclass(frozen=True)
class Rightful:
    """Who may know which item of a shuffle, and when."""

    # options, seats, label, size -> who may know the item at each place
    drawn: Callable[[Any, int, str, int], tuple[Readers, ...]]
    # position, actions -> the items that they show, and to whom
    shown: Callable[[Any, Mapping[Seat, Any]], Iterator[tuple[Any, Readers]]]


# --- brujas ---


def _brujas_drawn(_options: brujas.Options, seats: int, label: str, size: int) -> tuple[Readers, ...]:
    if label == "track":  # S3
        return (EVERYBODY,) * size
    owners: list[Readers] = [frozenset({seat}) for seat in range(seats) for _ in range(brujas.HAND_SIZES[seats])]  # S2
    return (*owners, *[NOBODY] * (size - len(owners)))


def _brujas_shown(_state: AnyState, actions: Mapping[Seat, brujas.Action]) -> Iterator[tuple[int, Readers]]:
    for action in actions.values():
        if not isinstance(action, brujas.MoveWitch):
            yield action.card, EVERYBODY


# --- jekyll ---

_JEKYLL, _HYDE, _BOTH = frozenset({0}), frozenset({1}), frozenset({0, 1})


def _jekyll_drawn(options: jekyll.Options, _seats: int, label: str, size: int) -> tuple[Readers, ...]:
    if label.startswith("deal "):  # J3
        return (_JEKYLL,) * 10 + (_HYDE,) * 10 + (NOBODY,) * 5
    swapped = min(options.greed_count, size)  # J17: the first cards of a hand go over
    owner: Readers = frozenset({int(label[-1])})
    return (_BOTH,) * swapped + (owner,) * (size - swapped)


def _jekyll_shown(_state: AnyState, actions: Mapping[Seat, jekyll.Action]) -> Iterator[tuple[int, Readers]]:
    for action in actions.values():
        match action:
            case jekyll.Play(card):
                yield card, EVERYBODY
            case jekyll.Give(cards):
                yield from ((card, _BOTH) for card in cards)


# --- luther ---


def _luther_drawn(_options: luther_words.Options, seats: int, label: str, size: int) -> tuple[Readers, ...]:
    if label.startswith("indulgences "):  # L4
        return (EVERYBODY,) * 3 + (NOBODY,) * (size - 3)
    owners: list[Readers] = [frozenset({seat}) for seat in range(seats) for _ in range(10)]  # L3
    return (*owners, *[NOBODY] * (size - len(owners)))


def _luther_shown(
    state: luther.Luther, actions: Mapping[Seat, luther_words.Action]
) -> Iterator[tuple[int | str, Readers]]:
    for action in actions.values():
        if isinstance(action, luther_words.Play):
            yield action.card, EVERYBODY
        elif state.play(actions, Table(luck("the next set"))).phase in (luther.PLAY, luther.OVER):  # L22
            yield luther_words.INDULGENCES.text(state.pile[0]), EVERYBODY


# --- witch21 ---


def _witch21_drawn(options: witch21_words.Options, seats: int, label: str, size: int) -> tuple[Readers, ...]:
    hand = 1 if label == "factions" else 3 if options.draw3 else size // seats  # W5 to W7
    owners: list[Readers] = [frozenset({seat}) for seat in range(seats) for _ in range(hand)]
    if label == "deal" and options.draw_timing is witch21_words.DrawTiming.BEFORE_OWN_PLAY:
        owners.append(EVERYBODY)  # W17: known at once to the seat that begins; nobody's luck is changed there
    return (*owners, *[NOBODY] * (size - len(owners)))


def _witch21_shown(
    state: witch21.Witch21, actions: Mapping[Seat, witch21_words.Action]
) -> Iterator[tuple[int | str, Readers]]:
    turn, pile = state.turn, state.pile
    hunt = False
    for action in actions.values():
        match action:
            case witch21_words.Choose():
                return
            case witch21_words.Give(card):
                yield card, frozenset(state.to_act())  # W14
            case witch21_words.Play(card, _, partner):
                yield card, EVERYBODY
                hunt = any(
                    witch21.WITCH[card] == i + 1 and n + witch21.VALUE[card] >= 21 for i, n in enumerate(state.counts)
                )
                if partner is not None:
                    return
    if hunt or sum(len(hand) for hand in state.hands) + len(pile) == 1:  # W11, W18: all is revealed
        yield from ((card, EVERYBODY) for hand in state.hands for card in hand)
        yield from ((witch21_words.WITCHES.text(witch), EVERYBODY) for witch in state.factions)
    elif pile:  # W16, W17
        first = state.options.draw_timing is witch21_words.DrawTiming.BEFORE_OWN_PLAY
        yield pile[0], frozenset({(turn + first) % len(state.hands)})


RIGHTFUL: dict[str, Rightful] = {
    "brujas": Rightful(_brujas_drawn, _brujas_shown),
    "jekyll": Rightful(_jekyll_drawn, _jekyll_shown),
    "luther": Rightful(_luther_drawn, _luther_shown),
    "witch21": Rightful(_witch21_drawn, _witch21_shown),
}
