"""The Church vs Martin Luther beyond its worked examples: the deal, options, rounds, sets, and what is told."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.parish import Parish, cards, indulgences, indulging, owned, scored
from tests.support.worlds import at_random, luck, play

from croupier_server.games.luther import DECKS, GAME
from croupier_server.games.luther_words import (
    CARDS,
    INDULGENCES,
    Abstained,
    CardPlayed,
    HandDealt,
    IndulgenceChosen,
    IndulgenceOpened,
    IndulgenceTaker,
    IndulgenceUsed,
    Observation,
    Options,
    Phase,
    SetBegan,
    SetLeader,
    SetScored,
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
    options_values,
    read_options,
)

SEATS = pytest.mark.parametrize("seats", GAME.seats)


# --- The deal and its options ---


@SEATS
def test_hands_are_blocks_of_the_deck_and_the_first_three_indulgences_are_open(seats: int) -> None:
    deck = [CARDS.text(card) for card in DECKS[seats][::-1]]
    names = list(INDULGENCES.texts[::-1])
    table: Table[Any] = Table(ScriptedChance([("below", 2), ("shuffle", deck), ("shuffle", names)], GAME.item_text))
    state = GAME.deal(Options(), seats, table)
    blocks = [deck[10 * seat : 10 * (seat + 1)] for seat in range(seats)]
    for seat, block in enumerate(blocks):
        assert state.view(seat).hand == tuple(sorted(map(CARDS.parse, block)))
    assert table.news[0] == Entry(SetBegan(set_number=1, leader=2, display=indulgences("sum14 pairs sum10")))
    assert [entry.reader for entry in table.news[1:]] == list(range(seats))
    assert (state.to_act(), state.view(None).pile_size) == ((2,), 10)


@pytest.mark.parametrize(("seats", "size", "last"), [(3, 32, "C8"), (4, 40, "C10"), (5, 52, "CK")])
def test_decks_are_in_canonical_order(seats: int, size: int, last: str) -> None:
    texts = [CARDS.text(card) for card in DECKS[seats]]
    assert (len(texts), texts[0], texts[-1]) == (size, "SA", last)
    assert [text[0] for text in texts] == [suit for suit in "SHDC" for _ in range(size // 4)]
    assert texts[: size // 4] == [f"S{rank}" for rank in ("A", *range(2, 11), "J", "Q", "K")][: size // 4]


def test_luck_decides_once_who_starts_unless_an_option_does() -> None:
    sets = [f"{what} {number}" for number in (1, 2, 3) for what in ("deal", "indulgences")]
    for start_seat, labels in ((None, ["start", *sets]), (1, sets)):
        chance = Recorder(luck("start"))
        first, *_ = play(GAME, Options(sets=3, start_seat=start_seat), 3, chance, at_random("start"))
        assert [draw.label for draw in chance.draws] == labels
        draw = chance.draws[0]
        if isinstance(draw, NumberDraw):
            assert (draw.bound, (draw.value,)) == (3, first.state.to_act())
        else:
            assert first.state.to_act() == (1,)


def test_every_option_is_read() -> None:
    values = {
        "sets": 5,
        "indulgence_taker": "strongest_red",
        "ace_value": 14,
        "run_min": 5,
        "run_wrap": True,
        "used_indulgence_costs": False,
        "set_leader": "last_winner",
        "start_seat": 4,
    }
    options = read_options(GAME, values, 5)
    assert options == Options(5, IndulgenceTaker.STRONGEST_RED, 14, 5, True, False, SetLeader.LAST_WINNER, 4)
    assert options_values(options) == values


@pytest.mark.parametrize(
    ("values", "key", "message"),
    [
        ({"sets": 2}, "sets", "luther: sets = 2 is not possible; expected 1 or 4"),
        ({"sets": 5}, "sets", "luther: sets = 5 is not possible; expected 1 or 4"),
        ({"sets": 0}, "sets", "luther: sets = 0 is not possible; expected 1 or 4"),
        ({"ace_value": 11}, "ace_value", "luther: ace_value = 11 is not possible; expected 1 or 14"),
        ({"run_min": 0}, "run_min", "luther: run_min = 0 is not possible; expected 1 to 5"),
        ({"run_min": 6}, "run_min", "luther: run_min = 6 is not possible; expected 1 to 5"),
        ({"start_seat": 4}, "start_seat", "luther: start_seat = 4 is not possible; expected 0 to 3"),
        ({"start_seat": -1}, "start_seat", "luther: start_seat = -1 is not possible; expected 0 to 3"),
        ({"run_wrap": 1}, "run_wrap", "luther: run_wrap = 1 is not possible; expected true or false"),
        ({"sets": True}, "sets", "luther: sets = True is not possible; expected a whole number"),
        ({"set": 4}, "set", "luther has no option 'set'; did you mean 'sets'?"),
        (
            {"indulgence_taker": "winner"},
            "indulgence_taker",
            "luther: indulgence_taker = 'winner' is not possible; there are: strongest_red, table",
        ),
        (
            {"set_leader": "rotated"},
            "set_leader",
            "luther: set_leader = 'rotated' is not possible; did you mean 'rotate'?",
        ),
    ],
)
def test_unknown_and_unfit_options_are_errors(values: dict[str, Any], key: str, message: str) -> None:
    with pytest.raises(OptionsError) as error:
        read_options(GAME, values, 4)
    assert (error.value.key, str(error.value)) == (key, message)


@pytest.mark.parametrize("seats", [2, 6])
def test_a_number_of_seats_that_the_game_is_not_for_is_an_error(seats: int) -> None:
    with pytest.raises(OptionsError, match=f"luther is for 3 or 4 or 5 players, not for {seats}"):
        read_options(GAME, {}, seats)


def test_options_made_without_reading_are_checked_too() -> None:
    with pytest.raises(OptionsError, match="sets = 3 is not possible"):
        check(Options(sets=3), 5)


# --- Rounds and sets ---


def test_a_trick_is_captured_and_the_taker_is_asked_for_an_open_indulgence() -> None:
    parish = Parish("D10 HA", "DK HQ", "S2 HJ", "H3 H2")
    parish.trick("D10 DK S2 H3")
    assert parish.state.to_act() == (1,)
    assert parish.legal == [
        "discard nonprime",
        "discard prime",
        "discard spade",
        "take nonprime",
        "take prime",
        "take spade",
    ]
    view = parish.state.view(None)
    assert (view.money, view.sins, view.sin_counts) == ((0, 0, 3, 0), cards("S2"), (0, 0, 1, 0))


def test_what_was_just_taken_can_be_used_at_once() -> None:
    parish = Parish("S2 HA", "S7 HQ", "S5 HJ")
    parish.trick("S2 S7 S5")
    parish.play("take prime")
    assert (parish.state.phase, parish.state.to_act()) == (Phase.INDULGE, (1,))
    assert parish.legal[:3] == ["pass", "use prime S2", "use prime S2 S5"]
    parish.play("use prime S2 S5 S7")
    view = parish.state.view(None)
    assert (view.sins, view.used_counts, view.unused, view.phase) == ((), (0, 1, 0), (), Phase.PLAY)
    assert (view.used_by, view.used_indulgences, view.used_in_rounds) == ((1,), indulgences("prime"), (9,))
    assert (view.covered_counts, view.covered_cards) == ((3,), cards("S2 S5 S7"))


def test_a_seat_uses_one_indulgence_a_round_and_what_is_covered_no_second_time() -> None:
    has = owned((0, "S2 S3 C2", "prime spade", 0), (0, "", "", 0), (0, "", "", 0))
    parish = Parish("H2 H3", "H4 H5", "H6 H7", phase=Phase.INDULGE, has=has, display="nonprime prime")
    assert "use spade S2 S3" in parish.legal
    parish.play("use prime S2 S3")
    assert parish.state.phase is Phase.PLAY
    assert parish.state.view(None).unused == indulgences("spade")
    parish.trick("H2 H4 H6")
    parish.play("discard prime")
    assert parish.state.phase is Phase.PLAY  # of seat 0's sins only a club is uncovered, which no spade is


def test_the_pile_is_opened_at_the_end_of_every_round_and_the_winner_leads() -> None:
    parish = Parish("H2 H3", "H4 H5", "H6 H7")
    parish.trick("H2 H4 H6")
    assert len(parish.state.display) == 3
    parish.play("discard spade")
    assert parish.told(IndulgenceOpened) == [IndulgenceOpened(*indulgences("fib"))]
    assert parish.state.display == indulgences("nonprime prime fib")
    assert parish.state.to_act() == (2,)


def test_the_tenth_round_has_its_indulgences_and_its_refill() -> None:
    parish = Parish("S2", "S7", "S5")
    parish.trick("S2 S7 S5")
    parish.play("take prime", "use prime S2")
    assert [type(entry.event).__name__ for entry in parish.table.news[-3:]] == [
        "IndulgenceUsed",
        "IndulgenceOpened",
        "SetScored",
    ]
    assert parish.told(SetScored) == [SetScored(1, (0, 2), (0, -1, 0))]
    assert parish.state.outcome() == Outcome((0, -1, 0), (1, 3, 1))
    assert parish.state.view(None).turn == 1


@pytest.mark.parametrize(
    ("one", "luthers"),
    [
        ((0, "", "", 0), (0,)),
        ((1, "", "", 0), ()),
        ((0, "S2", "", 0), ()),
        ((0, "", "run", 0), ()),
        ((0, "", "", 1), ()),
    ],
)
def test_whoever_owns_anything_is_no_luther(one: tuple[int, str, str, int], luthers: tuple[int, ...]) -> None:
    told, _ = scored(one, (2, "C2", "", 0), (3, "C3", "", 0))
    assert told.luthers == luthers


def test_with_luthers_everywhere_but_one_all_who_have_nothing_share_the_first_place() -> None:
    told, outcome = scored((3, "C2", "", 0), (0, "", "", 0), (0, "", "", 0))
    assert (told.luthers, told.scores) == ((1, 2), (-3, 0, 0))
    assert outcome.places == (3, 1, 1)


@SEATS
@pytest.mark.parametrize("set_leader", SetLeader)
def test_sets_are_led_in_turn_or_by_the_last_winner_and_their_scores_add_up(seats: int, set_leader: SetLeader) -> None:
    steps = list(play(GAME, Options(sets=seats, set_leader=set_leader), seats, luck("sets"), at_random("sets")))
    told = [event for step in steps for event in step.told[None]]
    began = [event for event in told if isinstance(event, SetBegan)]
    scores = [event.scores for event in told if isinstance(event, SetScored)]
    view: Observation = steps[-1].state.view(None)
    first = began[0].leader
    last_winners = [first, *view.trick_winners[9:-1:10]]
    rotated = [(first + number) % seats for number in range(seats)]
    assert [event.set_number for event in began] == [*range(1, seats + 1)]
    assert [event.leader for event in began] == (rotated if set_leader is SetLeader.ROTATE else last_winners)
    outcome = steps[-1].state.outcome()
    assert outcome == Outcome.by_score([sum(column) for column in zip(*scores, strict=True)])
    assert view.set_scores == tuple(score for of_set in scores for score in of_set)
    assert len(view.opened_indulgences) == 13 * seats


# --- What is told ---


@SEATS
def test_hands_are_told_to_their_owners_alone(seats: int) -> None:
    for step in play(GAME, Options(sets=seats), seats, luck("hands"), at_random("hands")):
        dealt = {viewer: [e.cards for e in told if isinstance(e, HandDealt)] for viewer, told in step.told.items()}
        assert dealt[None] == []
        assert step.state.view(None).hand == ()
        if any(dealt.values()):
            assert [dealt[seat] for seat in range(seats)] == [[step.state.view(seat).hand] for seat in range(seats)]


def test_a_seat_that_passes_is_told_to_all() -> None:
    parish = indulging("S2", "prime")
    parish.play("pass")
    assert parish.table.news[0] == Entry(Abstained(0))


@SEATS
def test_the_observation_holds_all_public_news_of_the_match(seats: int) -> None:
    told: list[Any] = []
    for step in play(GAME, Options(sets=seats), seats, luck("all"), at_random("all")):
        told += step.told[None]
        view: Observation = step.state.view(None)
        played = [event for event in told if isinstance(event, CardPlayed)]
        chosen = [event for event in told if isinstance(event, IndulgenceChosen)]
        used = [event for event in told if isinstance(event, IndulgenceUsed)]
        opened = [
            one
            for event in told
            for one in (
                event.display
                if isinstance(event, SetBegan)
                else [event.indulgence]
                if isinstance(event, IndulgenceOpened)
                else []
            )
        ]
        assert list(zip(view.played_by, view.played_cards, strict=True)) == [(e.seat, e.card) for e in played]
        choices = zip(view.takers, view.chosen_indulgences, view.discarded, strict=False)
        assert list(choices) == [(e.seat, e.indulgence, e.discarded) for e in chosen]
        assert list(zip(view.used_by, view.used_indulgences, view.covered_counts, strict=True)) == [
            (e.seat, e.indulgence, len(e.cards)) for e in used
        ]
        assert view.covered_cards == tuple(card for e in used for card in e.cards)
        assert list(view.opened_indulgences) == opened
