"""What is true of every position of a game, by game id. A game that is missing here fails its playouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from croupier_server.games import brujas, jekyll, luther, midnight, witch21, witch21_words
from croupier_server.games.luther_cover import BLACK
from croupier_server.games.midnight_board import CORRIDOR, COST, NEXT, POINTS_OF, ROOMS, hugo_start


def _brujas(state: brujas.Brujas) -> None:
    """The invariants of docs/rules/brujas.md: S1, S2, S5, S10, S14 to S17."""
    view = state.view(None)
    seats = len(state.hands)
    assert sorted(view.track) == sorted(view.first_track) == [1, 2, 3, 4], "the track is a permutation of the colours"
    in_tricks = sum(len(hand) for hand in state.hands) + len(view.played_cards)
    assert in_tricks == seats * brujas.HAND_SIZES[seats], "all cards but the one left over are in the game"
    cards = Counter([*view.taken_cards, *view.table, *(card for hand in state.hands for card in hand)])
    assert cards.total() == in_tricks, "played cards are on the table or taken"
    assert not cards - Counter(brujas.DECK), "there are two of each card"
    tricks, played = divmod(len(view.played_cards), seats)
    if not view.table:
        assert played == 0
        assert len(set(view.hand_sizes)) == 1, "hands have equal size at the start of every trick"
    assert len(view.trick_winners) == tricks
    assert len(view.moves) == tricks - (view.phase is brujas.Phase.MOVE_WITCH)
    if view.phase in (brujas.Phase.PLAY, brujas.Phase.OVER):
        taken = Counter(view.taken_by)
        assert [taken[seat] for seat in range(seats)] == [tricks] * seats, "every seat takes one card a trick"
    assert (view.phase is brujas.Phase.OVER) == (tricks == brujas.HAND_SIZES[seats] and not view.table)


def _jekyll(state: jekyll.Jekyll) -> None:
    """The invariants of docs/rules/jekyll.md: J1, J12, J15, J20, J21."""
    view = state.view(None)
    cards = view.played_cards
    finished = len(view.trick_winners) - 10 * len(view.round_markers)
    if state.phase is not jekyll.Phase.OVER:
        assert sum(view.tricks) == finished, "the counts add up to the tricks played"
        assert view.round == len(view.round_markers) + 1
    assert view.marker % 2 == 0
    assert len(view.rank_row) in (0, 1, 3)
    assert len(set(view.rank_row)) == len(view.rank_row)
    if state.phase in (jekyll.Phase.EXCHANGE, jekyll.Phase.LEAD, jekyll.Phase.GREED):
        assert view.hand_sizes[0] == view.hand_sizes[1]
    this_round = cards[20 * len(view.round_markers) :]
    seen = [*this_round, *state.hands[0], *state.hands[1]]
    assert len(seen) == len(set(seen)), "no card is in two places"
    assert set(seen) <= set(jekyll.DECK)
    if state.phase is not jekyll.Phase.OVER:
        assert len(seen) == 20, "five are aside"
    for led, answer in zip(cards[::2], cards[1::2], strict=False):
        if 0 in (jekyll.COLOUR[led], jekyll.COLOUR[answer]):
            assert jekyll.HALVES[led] != jekyll.HALVES[answer], "a comparison with a potion is never equal"
    for given, received in ((0, 1), (1, 0)):
        assert state.view(given).given_cards == state.view(received).received_cards


def _luther(state: luther.Luther) -> None:
    """The invariants of docs/rules/luther.md: L3, L4, L8, L10, L12 to L14, L21, L22."""
    view = state.view(None)
    seats, before = len(state.hands), 10 * (view.set_number - 1)
    playing = view.phase is luther.PLAY
    tricks = view.round - playing
    assert len(view.trick_winners) == before + tricks
    assert len(view.display) == (2 if view.phase is luther.INDULGE else 3), "three are open whenever a round begins"
    assert len(view.played_cards) == seats * (before + tricks) + len(view.table)
    hands = [card for hand in state.hands for card in hand]
    in_set = [*view.played_cards[seats * before :], *hands]
    assert len(in_set) == len(set(in_set)) == 10 * seats
    assert set(in_set) <= set(luther.DECKS[seats])

    covered: list[list[int]] = [[] for _ in range(seats)]
    left = iter(view.covered_cards)
    rounds = list(zip(view.used_by, view.used_in_rounds, strict=True))
    assert len(rounds) == len(set(rounds)), "a seat uses one indulgence a round at most"
    for (seat, number), count in zip(rounds, view.covered_counts, strict=True):
        cards = [next(left) for _ in range(count)]
        covered[seat] += cards if number > before else []
    sins = iter(view.sins)
    for seat in range(seats):
        won = [i for i, winner in enumerate(view.trick_winners) if winner == seat and i >= before]
        captured = {card for i in won for card in view.played_cards[seats * i : seats * (i + 1)]}
        uncovered = [next(sins) for _ in range(view.sin_counts[seat])]
        assert captured & BLACK == {*uncovered, *covered[seat]}, "sins are captured by their seat"
        assert len(captured & BLACK) == len(uncovered) + len(covered[seat]), "each is covered once, or not"
        assert len(captured) == view.money[seat] + len(captured & BLACK)
    known = [*view.display, *view.unused, *state.pile]
    chosen = view.chosen_indulgences[before:]
    used = view.used_indulgences[len(view.used_indulgences) - sum(view.used_counts) :]
    discarded = [one for one, out in zip(chosen, view.discarded[before:], strict=True) if out]
    assert sorted([*known, *used, *discarded]) == list(range(1, 14)), "each indulgence is in one place"


def _midnight(state: midnight.Midnight) -> None:
    """The invariants of docs/rules/midnight.md: M1, M6, M11 to M15, M18, M25, M29, M30."""
    view = state.view(None)
    options, seats = state.options, len(state.guests)
    old = options.edition is midnight.OLD
    waiting = view.placing if view.phase is midnight.PLACE else ()
    for seat, own in enumerate(state.guests):
        assert len(own) + waiting.count(seat) == midnight.GUESTS[seats], "the number of guests is constant"
        assert list(own) == sorted(own)
    everywhere = [square for own in state.guests for square in own]
    inside = [square for square in everywhere if square in ROOMS]
    assert len(inside) == len(set(inside)), "there is one guest in a room at most"
    assert {room: seat for room, seat in zip(ROOMS, state.rooms, strict=True) if seat is not None} == {
        square: seat for seat, own in enumerate(state.guests) for square in own if square in ROOMS
    }
    out = view.hugo in CORRIDOR
    assert not (out and view.hugo in everywhere), "nobody shares a square with Hugo"
    assert out or not inside, "rooms are empty while Hugo is on the stairs"
    assert (view.rolled is None) == (view.phase is not midnight.MOVE)

    points = [0 if old else -10] * seats
    for roll, origin, target in zip(view.move_rolls, view.move_origins, view.move_targets, strict=True):
        assert origin != target
        points[view.rolled_by[roll]] += POINTS_OF.get(target, 0)
    for owner, stairs in zip(view.capture_owners, view.capture_stairs, strict=True):
        points[owner] -= COST[stairs]
    assert points == list(view.scores), "scores are the rooms entered less the steps suffered"

    in_round = view.rolls[sum(view.round_rolls[: view.round - 1]) :]
    hugo, laps = hugo_start(options), 0
    for face in in_round if view.phase is not midnight.REPLACE else ():
        for _ in range((3 + laps if not old else view.hugo_speed) if face == midnight.HUGO else 0):
            laps += hugo == CORRIDOR[-1] and not old
            hugo = NEXT[hugo]
    assert (hugo, laps) == (view.hugo, view.laps), "Hugo is where his rolls have brought him"
    assert old or view.hugo_speed == 3 + laps
    ended = laps >= 5 or min(view.scores) <= -46 if not old else len(view.round_rolls) == options.rounds
    assert ended == (view.phase is midnight.OVER)


def _witch21(state: witch21.Witch21) -> None:
    """The invariants of docs/rules/witch21.md: W2, W6 to W8, W10 to W14, W16 to W18."""
    view = state.view(None)
    options, seats, over = state.options, len(state.hands), view.phase is witch21_words.Phase.OVER
    default = len(options.deck) == 36 and options.start_count == 0
    factions = Counter(state.factions)
    assert max(factions[witch] for witch in (1, 2, 3)) <= witch21.COPIES[seats]
    hands = [card for hand in state.hands for card in hand]
    assert not Counter([*view.played_cards, *hands, *state.pile]) - Counter(options.deck), "all cards are of the deck"
    if view.phase is not witch21_words.Phase.CHOOSE:
        surplus = 0 if options.draw3 else len(options.deck) % seats
        assert len(view.played_cards) + len(hands) + view.pile_size + surplus == len(options.deck)
        assert max(view.hand_sizes) - min(view.hand_sizes) <= 1, "hands differ by one card at most"
        assert 0 not in state.factions
    if not over:
        assert max(view.counts) < witch21.LIMIT, "no witch is at 21 while the game runs"
        assert bool(view.last_hands) is False
        if options.blind:
            assert view.factions == (), "factions are shown at the end"
    if over and default:
        assert max(view.counts) >= witch21.LIMIT, "with a default deck there is a hunt"
    if view.phase is witch21_words.Phase.PLAY and options.draw3 and view.pile_size:
        first = options.draw_timing is witch21_words.DrawTiming.BEFORE_OWN_PLAY
        assert [size - (first and seat == view.turn) for seat, size in enumerate(view.hand_sizes)] == [3] * seats
    assert sum(len(state.view(seat).given_cards) for seat in range(seats)) == 2 * len(view.swap_places)


INVARIANTS: dict[str, Callable[[Any], None]] = {
    "brujas": _brujas,
    "jekyll": _jekyll,
    "luther": _luther,
    "midnight": _midnight,
    "witch21": _witch21,
}
