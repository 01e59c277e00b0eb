"""Brujas del Sabado beyond its worked examples: the deal, moves and drafts, and what is told."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.sabbath import Sabbath, scored
from tests.support.worlds import at_random, luck, play

from croupier_server.games.brujas import (
    CARDS,
    DECK,
    GAME,
    HAND_SIZES,
    CardTaken,
    Direction,
    GameBegan,
    GameScored,
    HandDealt,
    Observation,
    Options,
    Phase,
    Play,
    WitchMoved,
    check,
)
from croupier_server.rules import (
    Entry,
    NumberDraw,
    OptionsError,
    Outcome,
    Recorder,
    ScriptedChance,
    Table,
    read_options,
)

SEATS = pytest.mark.parametrize("seats", GAME.seats)


# --- The deal and its option ---


def test_the_deck_holds_each_card_twice_side_by_side_in_canonical_order() -> None:
    texts = [CARDS.text(card) for card in DECK]
    assert " ".join(texts[::2]) == "R1 R2 R3 R4 R5 B1 B2 B3 B4 B5 Y1 Y2 Y3 Y4 Y5 G1 G2 G3 G4 G5"
    assert texts[::2] == texts[1::2]


@SEATS
def test_hands_are_blocks_of_the_deck_and_the_track_is_dealt_from_the_top(seats: int) -> None:
    deck = [CARDS.text(card) for card in DECK[::-1]]
    script = [("shuffle", deck), ("shuffle", ["Y", "R", "G", "B"]), ("below", 2)]
    table: Table[Any] = Table(ScriptedChance(script, GAME.item_text))
    state = GAME.deal(Options(), seats, table)
    size = HAND_SIZES[seats]
    hands = [" ".join(CARDS.text(card) for card in state.view(seat).hand) for seat in range(seats)]
    blocks = [deck[size * seat : size * (seat + 1)] for seat in range(seats)]
    assert hands == [" ".join(sorted(block, key=CARDS.parse)) for block in blocks]
    assert table.news[0] == Entry(GameBegan(start_seat=2, track=(3, 1, 4, 2)))
    assert [entry.reader for entry in table.news[1:]] == list(range(seats))
    assert state.to_act() == (2,)


@SEATS
def test_luck_decides_who_starts_unless_an_option_does(seats: int) -> None:
    for options, labels in ((Options(), ["deal", "track", "start"]), (Options(start_seat=1), ["deal", "track"])):
        chance = Recorder(luck("start"))
        state = GAME.deal(options, seats, Table(chance))
        assert [draw.label for draw in chance.draws] == labels
        if options.start_seat is None:
            draw = chance.draws[-1]
            assert isinstance(draw, NumberDraw)
            assert (draw.bound, (draw.value,)) == (seats, state.to_act())
        else:
            assert state.to_act() == (1,)


def test_every_option_is_read() -> None:
    assert read_options(GAME, {"start_seat": 4}, 5) == Options(start_seat=4)


@pytest.mark.parametrize(
    ("values", "seats", "key", "message"),
    [
        ({"start_seat": 3}, 3, "start_seat", "brujas: start_seat = 3 is not possible; expected 0 to 2"),
        ({"start_seat": -1}, 5, "start_seat", "brujas: start_seat = -1 is not possible; expected 0 to 4"),
        ({"start_seat": True}, 4, "start_seat", "brujas: start_seat = True is not possible; expected a whole number"),
        ({"start_seat": None}, 4, "start_seat", "brujas: start_seat = None is not possible; expected a whole number"),
        ({"start": 1}, 4, "start", "brujas has no option 'start'; did you mean 'start_seat'?"),
        ({}, 2, "seats", "brujas is for 3 or 4 or 5 players, not for 2"),
        ({}, 6, "seats", "brujas is for 3 or 4 or 5 players, not for 6"),
    ],
)
def test_unknown_and_unfit_options_are_errors(values: dict[str, Any], seats: int, key: str, message: str) -> None:
    with pytest.raises(OptionsError) as error:
        read_options(GAME, values, seats)
    assert (error.value.key, str(error.value)) == (key, message)


def test_options_made_without_reading_are_checked_too() -> None:
    with pytest.raises(OptionsError, match="start_seat = 9 is not possible"):
        check(Options(start_seat=9), 5)


# --- Moves and drafts ---


@pytest.mark.parametrize(
    ("color", "legal"), [("R", ["down"]), ("B", ["down", "up"]), ("Y", ["down", "up"]), ("G", ["up"])]
)
def test_a_witch_moves_to_where_a_slot_is(color: str, legal: list[str]) -> None:
    sabbath = Sabbath(f"{color}5 R1", f"{color}4 R1", f"{color}3 R2", track="RBYG")
    sabbath.trick(f"{color}5 {color}4 {color}3")
    assert sabbath.legal == [f"move {direction}" for direction in legal]


def test_the_number_of_a_trick_is_won_on_the_track_as_it_is_before_the_move() -> None:
    sabbath = Sabbath("B4 B3", "R4 R3", "Y4 G3", track="RBYG")
    sabbath.trick("B4 R4 Y4")
    sabbath.play("move down", "take Y4", "take R4")
    assert sabbath.track == "BRYG"
    assert sabbath.state.to_act() == (1,)
    sabbath.trick("R3 G3 B3")
    assert sabbath.state.to_act() == (0,)  # blue is on top now


def test_a_seat_chooses_between_twins_and_the_last_card_goes_to_the_last_seat_unasked() -> None:
    sabbath = Sabbath("R3 Y1", "R5 Y1", "R5 Y2")
    sabbath.trick("R3 R5 R5")
    sabbath.play("move down", "take R3")
    assert sabbath.state.to_act() == (0,)
    assert sabbath.legal == ["take R5"]
    sabbath.play("take R5")
    assert sabbath.told(CardTaken)[-2:] == [CardTaken(0, CARDS.parse("R5")), CardTaken(1, CARDS.parse("R5"))]
    assert sabbath.state.phase is Phase.PLAY
    assert sabbath.state.to_act() == (2,)  # the winner leads


def test_the_last_trick_has_its_move_and_its_draft() -> None:
    sabbath = Sabbath("R3", "R5", "R4", track="GRYB")
    sabbath.trick("R3 R5 R4")
    sabbath.play("move up")
    assert sabbath.told(WitchMoved) == [WitchMoved(1, Direction.UP, (1, 4, 3, 2))]
    sabbath.play("take R3", "take R4")
    assert sabbath.state.to_act() == ()
    assert sabbath.told(GameScored) == [GameScored((5, 5, 5), (2, 2, 2))]
    assert sabbath.state.outcome() == Outcome((7, 7, 7), (1, 1, 1))


def test_seats_equal_in_sum_and_favourite_share_a_place_and_the_next_place_is_left_out() -> None:
    favourites, majorities, outcome = scored("RBYG", "R1 R2 R3", "B1 B2 B3", "R4 R5 R3", "B4 B5 Y3")
    assert favourites == (5, 3, 5, 3)
    assert majorities == (6, 6, 6, 6)
    assert outcome == Outcome((11, 9, 11, 9), (1, 3, 1, 3))


def test_points_told_at_the_end_make_the_scores() -> None:
    for i in range(10):
        *_, last = play(GAME, Options(), 3 + i % 3, luck(f"points {i}"), at_random(f"points {i}"))
        (points,) = [event for event in last.told[None] if isinstance(event, GameScored)]
        outcome = last.state.outcome()
        assert outcome is not None
        sums = zip(points.favourite_points, points.majority_points, strict=True)
        assert outcome.scores == tuple(favourite + majority for favourite, majority in sums)


# --- What is told ---


@SEATS
def test_hands_are_told_to_their_owners_alone(seats: int) -> None:
    for step in play(GAME, Options(), seats, luck("hands"), at_random("hands")):
        dealt = {viewer: [e.cards for e in told if isinstance(e, HandDealt)] for viewer, told in step.told.items()}
        assert dealt[None] == []
        assert step.state.view(None).hand == ()
        if any(dealt.values()):
            assert [dealt[seat] for seat in range(seats)] == [[step.state.view(seat).hand] for seat in range(seats)]


@SEATS
def test_a_view_names_who_played_and_took_each_card(seats: int) -> None:
    played: list[tuple[int, int]] = []
    taken: list[tuple[int, int]] = []
    for step in play(GAME, Options(), seats, luck("who"), at_random("who")):
        taken += [(event.card, event.seat) for event in step.told[None] if isinstance(event, CardTaken)]
        view: Observation = step.state.view(None)
        assert list(zip(view.played_cards, view.played_by, strict=True)) == played
        assert list(zip(view.taken_cards, view.taken_by, strict=True)) == taken
        played += [(action.card, seat) for seat, action in step.actions.items() if isinstance(action, Play)]


@SEATS
def test_the_track_follows_from_the_first_one_and_the_moves(seats: int) -> None:
    for step in play(GAME, Options(), seats, luck("moves"), at_random("moves")):
        view: Observation = step.state.view(None)
        track = list(view.first_track)
        for trick, direction in enumerate(view.moves):
            in_trick = slice(seats * trick, seats * (trick + 1))
            won = view.played_cards[in_trick][view.played_by[in_trick].index(view.trick_winners[trick])]
            at = track.index((won - 1) // 5 + 1)
            to = at - 1 if direction is Direction.UP else at + 1
            track[at], track[to] = track[to], track[at]
        assert tuple(track) == view.track
