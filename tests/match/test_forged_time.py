"""Records forged in their times, their hashes made right again: verification names the place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.match.forging import (
    fault_in_bytes,
    with_clock,
    with_incident,
    with_spec,
    with_stamp,
    without,
)
from tests.match.matches import (
    auction_of_five,
    auction_that_two_give_up,
    jekyll_given_up,
    jekyll_never_begun,
    jekyll_to_the_end,
)

from croupier_server.match.record import DecisionSource, Incident, IncidentKind, TurnStamp
from croupier_server.match.spec import Clock

FULL = jekyll_to_the_end


# -- stamps


def test_the_examples_hold_what_the_tests_need() -> None:
    four = auction_of_five()[0].result
    assert [(f.seat, f.reason.name, f.decisions_before) for f in four.forfeits] == [
        (3, "NOT_READY", 0),
        (1, "TIMEOUT", 6),
        (0, "ILLEGAL_ACTION", 12),
    ]
    two = auction_that_two_give_up()[0].result
    assert [(f.seat, f.reason.name, f.decisions_before) for f in two.forfeits] == [
        (2, "RESIGNED", 0),
        (1, "DISCONNECT", 4),
    ]


def test_an_answer_after_its_time_is_named() -> None:
    stamp = FULL()[1].turns[0]
    forged = with_stamp(with_clock(FULL(), over_us=10**12), 0, ended_us=stamp.asked_us + 6_000_000)
    assert "seat 0, turn 1: answered after 6000000 us of its own, allowed 5000000" in fault_in_bytes(forged)


def test_a_time_out_before_its_time_is_named() -> None:
    play, clock, _ = FULL()
    decision = next(d for d in play.decisions if d.source is DecisionSource.TIMEOUT)
    index = next(
        i for i, stamp in enumerate(clock.turns) if (stamp.seat, stamp.turn_id) == (decision.seat, decision.turn_id)
    )
    forged = with_stamp(FULL(), index, ended_us=clock.turns[index].asked_us + 4_999_999)
    assert "timed out after 4999999 us of its own, allowed 5000000" in fault_in_bytes(forged)


def test_a_host_part_that_excuses_a_late_answer_is_longer_than_the_turn() -> None:
    stamp = FULL()[1].turns[0]
    forged = with_stamp(FULL(), 0, host_us=stamp.ended_us - stamp.asked_us + 1)
    assert "the host's part" in fault_in_bytes(forged)


def test_a_wrong_allowance_is_named() -> None:
    allowed = FULL()[1].turns[3].allowed_us
    text = fault_in_bytes(with_stamp(FULL(), 3, allowed_us=allowed + 1))
    assert text == f"seat 0, turn 4: allowed {allowed + 1} us, the clock gives {allowed}"


def test_a_more_generous_clock_is_named() -> None:
    assert "the clock gives" in fault_in_bytes(with_spec(FULL(), clock=Clock(turn_cap_ms=6_000)))


def test_a_missing_stamp_is_named() -> None:
    text = fault_in_bytes(with_clock(FULL(), turns=without(FULL()[1].turns, 4)))
    assert text == "turns: seat 0 has a stamp of turn 6, expected turn 5"


def test_a_missing_last_stamp_is_named() -> None:
    text = fault_in_bytes(with_clock(FULL(), turns=FULL()[1].turns[:-1]))
    assert "its next stamp is none" in text


def test_a_stamp_given_twice_is_named() -> None:
    turns = FULL()[1].turns
    text = fault_in_bytes(with_clock(FULL(), turns=(turns[0], *turns)))
    assert text == "turns: seat 0 has a stamp of turn 1, expected turn 2"


def test_stamps_out_of_order_are_named() -> None:
    turns = jekyll_given_up()[1].turns
    assert fault_in_bytes(with_clock(jekyll_given_up(), turns=turns[::-1])) == "turns: out of order"


def test_a_stamp_of_a_turn_that_was_never_asked_is_named() -> None:
    last = FULL()[1].turns[-1]
    more = replace(last, turn_id=last.turn_id + 1)
    text = fault_in_bytes(with_clock(FULL(), turns=(*FULL()[1].turns, more)))
    assert text == "turns: seat 1 has 1 stamps of turns that it was not asked"


@pytest.mark.parametrize("seat", [2, 2**32 - 1])
def test_a_stamp_of_a_seat_that_does_not_exist_is_named(seat: int) -> None:
    turns = (*jekyll_given_up()[1].turns, TurnStamp(seat, 1, 0, 0, 0, 0, 0))
    assert fault_in_bytes(with_clock(jekyll_given_up(), turns=turns)) == f"turns: item 3 is of seat {seat}, there are 2"


def test_a_turn_that_was_asked_later_than_its_step_began_is_named() -> None:
    stamp = FULL()[1].turns[1]
    text = fault_in_bytes(with_stamp(FULL(), 1, asked_us=stamp.asked_us + 1))
    assert text.startswith(f"seat 0, turn 2: asked at {stamp.asked_us + 1} us, step ")


def test_a_turn_that_ended_before_it_was_asked_is_named() -> None:
    forged = with_stamp(jekyll_given_up(), 0, asked_us=0, ended_us=2**63)
    assert fault_in_bytes(forged) == "seat 0, turn 1: asked at 0, ended at 9223372036854775808, match over at 18000"
    asked = FULL()[1].turns[0].asked_us
    assert f"asked at {asked}, ended at {asked - 1}" in fault_in_bytes(with_stamp(FULL(), 0, ended_us=asked - 1))


def test_a_match_that_was_over_before_its_last_turn_is_named() -> None:
    forged = with_clock(FULL(), over_us=FULL()[1].over_us - 1)
    assert f"match over at {FULL()[1].over_us - 1}" in fault_in_bytes(forged)


def test_a_match_that_was_over_later_than_its_last_turn_is_named() -> None:
    over = FULL()[1].over_us
    text = fault_in_bytes(with_clock(FULL(), over_us=over + 1))
    assert text == f"over at {over + 1} us, the last step ended at {over}"


def test_a_match_that_was_over_later_than_its_last_forfeit_is_named() -> None:
    over = jekyll_given_up()[1].over_us
    text = fault_in_bytes(with_clock(jekyll_given_up(), over_us=over + 1))
    assert text == f"over at {over + 1} us, the last step ended at {over}"
    never = with_clock(jekyll_never_begun(), over_us=20_000_001)
    assert fault_in_bytes(never) == "over at 20000001 us, the last forfeit was at 20000000"


# -- incidents


def test_incidents_out_of_order_are_named() -> None:
    incidents = FULL()[1].incidents
    assert fault_in_bytes(with_clock(FULL(), incidents=incidents[::-1])) == "incidents: out of order"


def test_an_incident_of_a_seat_that_does_not_exist_is_named() -> None:
    text = fault_in_bytes(with_incident(FULL(), 0, seat=5))
    assert text == "incidents: item 1 is of seat 5, there are 2"


def test_a_seat_that_was_never_ready_cannot_have_played() -> None:
    forged = with_clock(FULL(), incidents=FULL()[1].incidents[1:])
    assert fault_in_bytes(forged) == "seat 1: neither ready nor gone, yet the match began"


def test_a_seat_that_was_ready_later_cannot_have_been_asked_before() -> None:
    forged = with_incident(FULL(), 1, at_us=FULL()[1].incidents[1].at_us + 1)
    assert "step 1 began at" in fault_in_bytes(forged)


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        ([IncidentKind.READY], "incidents: seat 0 was ready twice, or after its forfeit"),
        ([IncidentKind.RESUMED], "incidents: seat 0 was resumed twice"),
        ([IncidentKind.DISCONNECTED] * 2, "incidents: seat 0 was disconnected twice"),
        ([IncidentKind.FORFEITED], "forfeits: of seats [1], the incidents say [1, 0]"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_incidents_that_cannot_follow_each_other_are_named(kinds: list[IncidentKind], text: str) -> None:
    clock = jekyll_given_up()[1]
    more = [Incident(0, kind, clock.over_us, "") for kind in kinds]
    assert fault_in_bytes(with_clock(jekyll_given_up(), incidents=(*clock.incidents, *more))) == text
