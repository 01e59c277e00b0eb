"""What is true of every position of a game, by game id. A game that is missing here fails its playouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier_server.games.jekyll import COLOUR, DECK, HALVES, Jekyll, Phase


def jekyll(state: Jekyll) -> None:
    """The invariants of docs/rules/jekyll.md: J1, J12, J15, J20, J21."""
    view = state.view(None)
    cards = view.played_cards
    finished = len(view.trick_winners) - 10 * len(view.round_markers)
    if state.phase is not Phase.OVER:
        assert sum(view.tricks) == finished, "the counts add up to the tricks played"
        assert view.round == len(view.round_markers) + 1
    assert view.marker % 2 == 0
    assert len(view.rank_row) in (0, 1, 3)
    assert len(set(view.rank_row)) == len(view.rank_row)
    if state.phase in (Phase.EXCHANGE, Phase.LEAD, Phase.GREED):
        assert view.hand_sizes[0] == view.hand_sizes[1]
    this_round = cards[20 * len(view.round_markers) :]
    seen = [*this_round, *state.hands[0], *state.hands[1]]
    assert len(seen) == len(set(seen)), "no card is in two places"
    assert set(seen) <= set(DECK)
    if state.phase is not Phase.OVER:
        assert len(seen) == 20, "five are aside"
    for led, answer in zip(cards[::2], cards[1::2], strict=False):
        if 0 in (COLOUR[led], COLOUR[answer]):
            assert HALVES[led] != HALVES[answer], "a comparison with a potion is never equal"
    for given, received in ((0, 1), (1, 0)):
        assert state.view(given).given_cards == state.view(received).received_cards


INVARIANTS: dict[str, Callable[[Any], None]] = {"jekyll": jekyll}
