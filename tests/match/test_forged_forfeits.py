"""Records forged in their forfeits, their hashes made right again: verification names the place."""

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

from croupier_server.match.record import DecisionSource, Incident, IncidentKind
from croupier_server.match.spec import Clock, Forfeit, ForfeitReason, Policy

FULL = jekyll_to_the_end


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
