"""Records forged in what was done, their hashes made right again: verification names the place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.match import auction
from tests.match.forging import changed, fault, fault_in_bytes, with_clock, with_play, without
from tests.match.matches import (
    JEKYLL,
    Parts,
    auction_of_five,
    auction_that_two_give_up,
    jekyll_given_up,
    jekyll_never_begun,
    jekyll_to_the_end,
)

from croupier_server.match.keys import commitment
from croupier_server.match.record import DecisionSource, IllegalAnswer, Note
from croupier_server.match.verify import audit
from croupier_server.rules import NumberDraw, ShuffleDraw

FULL = jekyll_to_the_end


@pytest.mark.parametrize(
    "match", [FULL, jekyll_given_up, jekyll_never_begun, auction_of_five, auction_that_two_give_up]
)
def test_the_honest_originals_pass(match: Callable[[], Parts]) -> None:
    audit(*match())


# -- luck


def test_a_changed_draw_is_not_what_the_key_gives() -> None:
    first = FULL()[0].draws[0]
    assert isinstance(first, ShuffleDraw)
    order = (first.order[1], first.order[0], *first.order[2:])
    forged = with_play(FULL(), draws=changed(FULL()[0].draws, 0, order=order))
    assert "shuffle('deal 1') is recorded in an order that the block key does not give" in fault_in_bytes(forged)


def test_a_changed_number_is_not_what_the_key_gives() -> None:
    draw = auction_of_five()[0].draws[0]
    assert isinstance(draw, NumberDraw)
    draws = changed(auction_of_five()[0].draws, 0, value=(draw.value + 1) % draw.bound)
    assert "below('appraisal 0', 5) is recorded as" in fault(with_play(auction_of_five(), draws=draws))


@pytest.mark.parametrize(
    ("draw", "text"),
    [
        (NumberDraw("deal 1", 2**32 - 1, 5), "the rules ask for shuffle('deal 1', 25)"),
        (ShuffleDraw("deal 1", (0, 0, *range(2, 25))), "the rules ask for shuffle('deal 1', 25)"),
        (ShuffleDraw("deal 1", tuple(range(26))), "the rules ask for shuffle('deal 1', 25)"),
        (ShuffleDraw("deal 9", tuple(range(25))), "the rules ask for shuffle('deal 1', 25)"),
    ],
    ids=["a number", "no permutation", "too long", "another label"],
)
def test_a_draw_of_another_kind_is_named(draw: NumberDraw | ShuffleDraw, text: str) -> None:
    forged = with_play(FULL(), draws=(draw, *FULL()[0].draws[1:]))
    assert text in fault_in_bytes(forged)


def test_a_draw_too_many_is_named() -> None:
    assert "draws: 1 more than the rules ask for" in fault_in_bytes(
        with_play(FULL(), draws=(*FULL()[0].draws, NumberDraw("more", 2, 0)))
    )


def test_a_missing_draw_is_named() -> None:
    assert "the record has no more draws" in fault_in_bytes(with_play(FULL(), draws=FULL()[0].draws[:-1]))


def test_draws_of_a_match_that_never_began_are_named() -> None:
    forged = with_play(jekyll_never_begun(), draws=FULL()[0].draws[:1])
    assert fault_in_bytes(forged) == "step 1, seat 1: was not asked, though it had not forfeited"


def test_another_key_does_not_open_the_commitment() -> None:
    assert "commitment is" in fault_in_bytes(with_play(FULL(), block_key=bytes(32)))


def test_another_key_with_a_commitment_to_it_does_not_give_the_draws() -> None:
    play, clock, notes = FULL()
    other = bytes(32)
    made = commitment(clock.match_id, clock.salt, other)
    forged = (replace(play, block_key=other), replace(clock, commitment=made), notes)
    assert "the block key" in fault_in_bytes(forged)


def test_bytes_of_the_key_cannot_be_passed_off_as_salt() -> None:
    play, clock, notes = FULL()
    shifted = (replace(play, block_key=play.block_key[1:]), replace(clock, salt=clock.salt + play.block_key[:1]), notes)
    assert fault_in_bytes(shifted) == "block key: 31 bytes, expected 32"
    again = with_clock(FULL(), match_id=clock.match_id[:-1], salt=clock.match_id[-1:].encode() + clock.salt)
    assert fault_in_bytes(again) == "salt: 33 bytes, expected 32"


def test_a_wrong_commitment_is_named() -> None:
    assert "commitment is" in fault_in_bytes(with_clock(FULL(), commitment=bytes(32)))


# -- decisions


def test_a_changed_action_does_not_fit_what_came_after() -> None:
    decisions = FULL()[0].decisions
    lead = next(i for i, decision in enumerate(decisions) if i > 1 and decisions[i + 2].seat == decision.seat)
    forged = with_play(FULL(), decisions=changed(decisions, lead, action=decisions[lead + 2].action))
    assert fault_in_bytes(forged).startswith("step ")


def test_an_illegal_action_is_named_with_its_step() -> None:
    decisions = changed(FULL()[0].decisions, 2, action=JEKYLL.parse_action("give P1"))
    assert fault_in_bytes(with_play(FULL(), decisions=decisions)).startswith("step 2, seat ")


def test_a_fallback_that_is_not_the_first_legal_action_is_named() -> None:
    decisions = changed(auction_of_five()[0].decisions, 1, action=auction.Bid(1))
    text = fault(with_play(auction_of_five(), decisions=decisions))
    assert text == "step 1, seat 1: fallback Bid(coins=1), expected Bid(coins=0)"


def test_a_choice_cannot_be_passed_off_as_a_fallback() -> None:
    decisions = changed(FULL()[0].decisions, 1, source=DecisionSource.TIMEOUT)
    assert "seat 1: fallback" in fault_in_bytes(with_play(FULL(), decisions=decisions))


def test_a_dropped_decision_is_named() -> None:
    assert "the rules ask" in fault_in_bytes(with_play(FULL(), decisions=without(FULL()[0].decisions, 5)))


def test_a_decision_after_the_end_is_named() -> None:
    last = FULL()[0].decisions[-1]
    forged = with_play(FULL(), decisions=(*FULL()[0].decisions, replace(last, step=last.step + 1)))
    assert "the rules ask ()" in fault_in_bytes(forged)


def test_steps_out_of_order_are_named() -> None:
    decisions = changed(FULL()[0].decisions, 4, step=40)
    assert "decisions of step 40" in fault_in_bytes(with_play(FULL(), decisions=decisions))


def test_seats_of_a_step_out_of_order_are_named() -> None:
    first, second, *more = FULL()[0].decisions
    forged = with_play(FULL(), decisions=(second, first, *more))
    assert "by seats (1, 0), the rules ask (0, 1)" in fault_in_bytes(forged)


@pytest.mark.parametrize("seat", [2, 7, 2**32 - 1])
def test_a_decision_of_a_seat_that_does_not_exist_is_named(seat: int) -> None:
    decisions = changed(FULL()[0].decisions, 4, seat=seat)
    assert f"by seats ({seat},)" in fault_in_bytes(with_play(FULL(), decisions=decisions))


def test_a_decision_with_the_turn_of_another_is_named() -> None:
    play = FULL()[0]
    own = [index for index, decision in enumerate(play.decisions) if decision.seat == 0]
    decisions = changed(play.decisions, own[3], turn_id=play.decisions[own[2]].turn_id)
    assert "turn 3, its next stamp is turn 4" in fault_in_bytes(with_play(FULL(), decisions=decisions))


def test_a_decision_of_a_bot_without_a_turn_is_named() -> None:
    decisions = auction_of_five()[0].decisions
    unasked = next(i for i, decision in enumerate(decisions) if decision.turn_id is None)
    forged = with_play(auction_of_five(), decisions=changed(decisions, unasked, source=DecisionSource.BOT))
    assert fault(forged) == "step 1, seat 3: bot without a turn"


# -- refusals and notes


def test_a_refused_action_that_is_legal_is_named() -> None:
    play = FULL()[0]
    answer = next(answer for answer in play.illegal_answers if answer.action is not None)
    decided = next(d for d in play.decisions if (d.seat, d.turn_id) == (answer.seat, answer.turn_id))
    index = play.illegal_answers.index(answer)
    forged = with_play(FULL(), illegal_answers=changed(play.illegal_answers, index, action=decided.action))
    assert "was refused and is legal" in fault_in_bytes(forged)


def test_a_refusal_for_another_rule_is_named() -> None:
    play = FULL()[0]
    index = next(i for i, answer in enumerate(play.illegal_answers) if answer.action is not None)
    forged = with_play(FULL(), illegal_answers=changed(play.illegal_answers, index, broken_rule="J1: because"))
    assert "refused for 'J1: because', expected" in fault_in_bytes(forged)


def test_a_refusal_of_no_action_for_anything_else_is_named() -> None:
    play = FULL()[0]
    index = next(i for i, answer in enumerate(play.illegal_answers) if answer.action is None)
    count = int(play.illegal_answers[index].broken_rule.split()[-3])
    wrong = f"index {count - 1} is outside the list of {count} legal actions"
    for text in ("", "J4: because", wrong, wrong.replace(str(count), "9" * 5000)):
        forged = with_play(FULL(), illegal_answers=changed(play.illegal_answers, index, broken_rule=text))
        assert f"refused for {text!r}, which says nothing of" in fault_in_bytes(forged)


@pytest.mark.parametrize("turn_id", [0, 4000, 2**63])
def test_a_refusal_in_a_turn_that_was_never_asked_is_named(turn_id: int) -> None:
    forged = with_play(jekyll_given_up(), illegal_answers=(IllegalAnswer(0, turn_id, "none", None),))
    assert fault_in_bytes(forged) == f"illegal answers: seat 0 was never asked turn {turn_id}"


def test_a_refusal_of_a_seat_that_does_not_exist_is_named() -> None:
    forged = with_play(jekyll_given_up(), illegal_answers=(IllegalAnswer(2, 1, "none", None),))
    assert fault_in_bytes(forged) == "illegal answers: item 1 is of seat 2, there are 2"


def test_refusals_out_of_order_are_named() -> None:
    answers = (IllegalAnswer(1, 1, "none", None), IllegalAnswer(0, 1, "none", None))
    assert fault_in_bytes(with_play(jekyll_given_up(), illegal_answers=answers)) == "illegal answers: out of order"


@pytest.mark.parametrize(
    ("notes", "text"),
    [
        ((Note(1, 2, "x"),), "notes: seat 1, turn 2: no answer that it could have come with"),
        ((Note(0, 2, "x"),), "notes: seat 0, turn 2: no answer that it could have come with"),
        ((Note(3, 1, "x"),), "notes: item 1 is of seat 3, there are 2"),
        ((Note(0, 1, "x"), Note(0, 1, "y")), "notes: two of one turn"),
        ((Note(1, 1, "x"), Note(0, 1, "y")), "notes: out of order"),
    ],
)
def test_notes_that_came_with_no_answer_are_named(notes: tuple[Note, ...], text: str) -> None:
    play, clock, old = jekyll_given_up()
    assert fault_in_bytes((play, clock, replace(old, notes=notes))) == text
