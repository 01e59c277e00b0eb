"""Records forged in their times and forfeits, their hashes made right again: verification names the place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.match.forging import (
    changed,
    fault,
    fault_in_bytes,
    with_clock,
    with_forfeit,
    with_incident,
    with_play,
    with_result,
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
    parts_of,
)
from tests.match.virtual_table import VirtualTable, match_spec

from croupier_server.match.record import DecisionSource, Incident, IncidentKind, TurnStamp
from croupier_server.match.spec import Clock, Forfeit, ForfeitReason, Policy

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


# -- forfeits


def test_a_dropped_forfeit_is_named() -> None:
    forged = with_result(jekyll_given_up(), forfeits=())
    assert fault_in_bytes(forged)
    four = with_result(auction_of_five(), forfeits=auction_of_five()[0].result.forfeits[1:])
    assert fault(four)


def test_a_forfeit_dropped_with_its_incident_is_named() -> None:
    parts = with_result(auction_that_two_give_up(), forfeits=auction_that_two_give_up()[0].result.forfeits[1:])
    gone = next(i for i, incident in enumerate(parts[1].incidents) if incident.kind is IncidentKind.FORFEITED)
    forged = with_forfeit(with_clock(parts, incidents=without(parts[1].incidents, gone)), 0, instant=1)
    assert fault(forged) == "step 1, seat 2: the fallback for a forfeited seat, though it had not forfeited"


def test_an_invented_forfeit_is_named() -> None:
    forfeit = Forfeit(0, ForfeitReason.RESIGNED, 2, 1, was_ready=True)
    text = fault_in_bytes(with_result(FULL(), forfeits=(forfeit,)))
    assert text == "forfeits: of seats [0], the incidents say []"


def test_a_forfeit_invented_with_its_incident_is_named() -> None:
    forfeit = Forfeit(0, ForfeitReason.RESIGNED, len(FULL()[0].decisions) - 2, 1, was_ready=True)
    incidents = (*FULL()[1].incidents, Incident(0, IncidentKind.FORFEITED, FULL()[1].over_us, ""))
    forged = with_clock(with_result(FULL(), forfeits=(forfeit,)), incidents=incidents)
    assert "was open from" in fault_in_bytes(forged)


def test_a_forfeit_given_twice_is_named() -> None:
    forfeits = jekyll_given_up()[0].result.forfeits
    assert fault_in_bytes(with_result(jekyll_given_up(), forfeits=forfeits * 2)) == (
        "forfeits: of seats [1, 1], the incidents say [1]"
    )


@pytest.mark.parametrize("seat", [0, 2, 2**32 - 1])
def test_a_forfeit_of_another_seat_is_named(seat: int) -> None:
    assert fault_in_bytes(with_forfeit(jekyll_given_up(), 0, seat=seat))


@pytest.mark.parametrize(
    "reason",
    [reason for reason in ForfeitReason if reason.name in ("TIMEOUT", "ILLEGAL_ACTION", "DISCONNECT", "NOT_READY")],
)
def test_a_resignation_cannot_be_passed_off_as_a_fault(reason: ForfeitReason) -> None:
    assert fault_in_bytes(with_forfeit(jekyll_given_up(), 0, reason=reason))


@pytest.mark.parametrize(
    ("index", "reason", "text"),
    [
        (0, ForfeitReason.DISCONNECT, "forfeit of seat 3: at 1000000 us, away since None"),
        (0, ForfeitReason.TIMEOUT, "forfeit of seat 3: for a time-out, but"),
        (1, ForfeitReason.ILLEGAL_ACTION, "forfeit of seat 1: for an illegal answer, but none ended its last turn"),
        (2, ForfeitReason.TIMEOUT, "forfeit of seat 0: for a time-out, but its last turn did not run out of time"),
        (1, ForfeitReason.NOT_READY, "forfeits: seats were not ready at different instants, [1, 2]"),
        (2, ForfeitReason.NOT_READY, "forfeits: seats were not ready at different instants, [1, 3]"),
        (2, ForfeitReason.RESIGNED, "seat 0: 2 strikes of 2"),
    ],
)
def test_another_reason_is_named(index: int, reason: ForfeitReason, text: str) -> None:
    assert text in fault(with_forfeit(auction_of_five(), index, reason=reason))


def test_a_forfeit_for_too_few_strikes_is_named() -> None:
    assert "seat 0: 2 strikes of 3" in fault(with_spec(auction_of_five(), policy=Policy(3)))


def test_more_strikes_than_the_policy_has_are_named() -> None:
    assert "strikes of 1" in fault(with_spec(auction_of_five(), policy=Policy(1)))


def test_an_added_strike_is_named() -> None:
    play = FULL()[0]
    answer = play.illegal_answers[0]
    forged = with_play(FULL(), illegal_answers=(*[answer] * 4, *play.illegal_answers))
    assert "strikes of 4, forfeit None" in fault_in_bytes(forged)


def test_a_hidden_strike_is_named() -> None:
    play = auction_of_five()[0]
    forged = with_play(auction_of_five(), illegal_answers=play.illegal_answers[:-1])
    assert "seat 0: 1 strikes of 2" in fault(forged)


def test_a_start_up_allowance_that_had_not_ended_is_named() -> None:
    forged = with_spec(jekyll_never_begun(), clock=Clock(start_up_ms=20_001))
    assert fault_in_bytes(forged) == "forfeit of seat 0: not ready at 20000000 us, the allowance ends at 20001000"


def test_a_seat_that_was_ready_cannot_forfeit_for_not_being_it() -> None:
    forged = with_forfeit(jekyll_never_begun(), 0, was_ready=True)
    assert fault_in_bytes(forged) == "forfeit of seat 0: was_ready is True, its incidents say False"


def test_a_grace_that_had_not_ended_is_named() -> None:
    clock = replace(auction_that_two_give_up()[0].spec.clock, disconnect_grace_ms=1000)
    assert "the grace is 1000000" in fault(with_spec(auction_that_two_give_up(), clock=clock))


def test_a_seat_that_had_come_back_cannot_forfeit_for_being_away() -> None:
    play, clock, notes = auction_that_two_give_up()
    left = next(i for i, incident in enumerate(clock.incidents) if incident.kind is IncidentKind.DISCONNECTED)
    back = Incident(1, IncidentKind.RESUMED, clock.incidents[left].at_us + 1, "")
    incidents = (*clock.incidents[: left + 1], back, *clock.incidents[left + 1 :])
    assert "away since None" in fault((play, replace(clock, incidents=incidents), notes))


@pytest.mark.parametrize("decisions", [1, 2, 3, 4, 99, 2**32 - 1])
def test_a_forfeit_at_another_place_in_the_play_is_named(decisions: int) -> None:
    assert fault(with_forfeit(auction_that_two_give_up(), 0, decisions_before=decisions))


@pytest.mark.parametrize("decisions", [0, 1, 3, 5, 6, 2**32 - 1])
def test_the_last_forfeit_at_another_place_in_the_play_is_named(decisions: int) -> None:
    assert fault(with_forfeit(auction_that_two_give_up(), 1, decisions_before=decisions))


@pytest.mark.parametrize("instants", [(1, 1), (2, 1), (0, 1), (1, 3), (2, 2), (2**32 - 1, 2**32 - 1)])
def test_wrong_instants_are_named(instants: tuple[int, int]) -> None:
    forged = with_forfeit(with_forfeit(auction_that_two_give_up(), 0, instant=instants[0]), 1, instant=instants[1])
    assert fault(forged).startswith("forfeits: ")


def test_seats_that_were_not_ready_cannot_be_told_apart() -> None:
    table = VirtualTable(match_spec(2))
    table.wait(1000)
    forged = with_result(
        with_forfeit(parts_of(table), 1, instant=2),
        forfeits=changed(parts_of(table)[0].result.forfeits, 1, instant=2),
        places=(2, 1),
    )
    assert fault(forged) == "forfeits: seats were not ready at different instants, [1, 2]"


def test_forfeits_in_another_order_are_named() -> None:
    forfeits = auction_that_two_give_up()[0].result.forfeits
    swapped = tuple([replace(forfeit, instant=i) for i, forfeit in enumerate(forfeits[::-1], 1)])
    text = fault(with_result(auction_that_two_give_up(), forfeits=swapped))
    assert text == "forfeits: of seats [1, 2], the incidents say [2, 1]"


def test_a_forfeit_at_another_time_than_the_turn_that_it_ended_is_named() -> None:
    incidents = jekyll_given_up()[1].incidents
    forged = with_incident(with_clock(jekyll_given_up(), over_us=10**9), len(incidents) - 1, at_us=10**9)
    assert fault_in_bytes(forged) == "over at 1000000000 us, the last step ended at 18000"


def test_a_seat_that_was_asked_after_its_forfeit_is_named() -> None:
    play, clock, notes = auction_of_five()
    index = [i for i, decision in enumerate(play.decisions) if decision.seat == 1][-1]
    step = next(decision for decision in play.decisions[index:] if decision.seat == 2)
    asked = next(stamp for stamp in clock.turns if (stamp.seat, stamp.turn_id) == (2, step.turn_id))
    stamp = replace(asked, seat=1, turn_id=3)
    at = next(i for i, stamp in enumerate(clock.turns) if stamp.seat == 2)
    forged = replace(play, decisions=changed(play.decisions, index, source=DecisionSource.BOT, turn_id=3))
    turns = (*clock.turns[:at], stamp, *clock.turns[at:])
    assert "seat 1" in fault((forged, replace(clock, turns=turns), notes))


def test_a_seat_cannot_be_left_out_of_a_step_without_a_forfeit() -> None:
    play, clock, notes = jekyll_given_up()
    forged = (play, replace(clock, turns=clock.turns[1:]), replace(notes, notes=()))
    assert fault_in_bytes(forged) == "step 1, seat 0: was not asked, though it had not forfeited"


def test_places_that_ignore_the_order_of_forfeits_are_named() -> None:
    places = auction_that_two_give_up()[0].result.places
    assert places == (1, 2, 3)
    assert fault(with_result(auction_that_two_give_up(), places=(1, 2, 2))).startswith("outcome: found")
