"""From the opening of a match to its first turns, and what comes after its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.match import auction
from tests.match.conftest import OpenTable
from tests.match.virtual_table import attempt

from croupier_server.match.record import Incident, IncidentKind
from croupier_server.match.recording import record_parts
from croupier_server.match.referee import Phase
from croupier_server.match.signals import Ask, End, Refusal, Refused, Start
from croupier_server.match.spec import Forfeit, ForfeitReason, MatchResult, Termination
from croupier_server.rules import NumberDraw, Seat, Table


def test_a_seat_that_joins_is_told_that_the_match_will_start_and_nothing_else(open_table: OpenTable) -> None:
    table = open_table()
    table.join(0)
    assert table.kinds(0) == [Start]
    assert table.kinds(1) == []


def test_the_first_turns_come_when_the_last_seat_is_ready(open_table: OpenTable) -> None:
    table = open_table()
    table.join()
    table.ready(1)
    assert table.kinds(0) == table.kinds(1) == [Start]
    table.ready(0)
    assert table.referee.phase is Phase.PLAYING
    assert table.kinds(0) == table.kinds(1) == [Ask]


def test_the_first_turn_is_complete(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    (value,) = [draw.value for draw in table.referee.draws if isinstance(draw, NumberDraw) and draw.label[-1] == "1"]
    assert table.only(1, Ask) == Ask(
        turn_id=1,
        view=auction.Observation(1, 1, value, (0, 0), ()),
        events=(auction.Appraised(value),),
        last_sequence=1,
        legal=auction.BIDS,
        remaining_us=500_000,
        bank_us=1_100_000,
        strikes=0,
    )


def test_ready_said_twice_counts_once(open_table: OpenTable) -> None:
    table = open_table()
    table.join()
    table.ready(0)
    table.ready(0)
    assert table.referee.incidents == [Incident(0, IncidentKind.READY, 0, "")]
    assert table.referee.phase is Phase.WAITING


def test_ready_said_again_in_the_game_changes_nothing(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    before = list(table.referee.incidents)
    table.read(0)
    table.ready(0)
    assert table.read(0) == []
    assert table.referee.incidents == before


def test_a_seat_that_is_not_ready_in_time_forfeits_and_the_other_wins(open_table: OpenTable) -> None:
    table = open_table()
    table.join()
    table.ready(1)
    table.wait(999)
    assert not table.over
    table.wait(1)
    forfeit = Forfeit(0, ForfeitReason.NOT_READY, decisions_before=0, instant=1, was_ready=False)
    assert table.result == MatchResult(Termination.FORFEIT, places=(2, 1), scores=(), forfeits=(forfeit,))
    assert table.end(1).result == table.result


def test_a_seat_that_never_joined_forfeits_like_one_that_is_not_ready(open_table: OpenTable) -> None:
    table = open_table()
    table.join(0)
    table.ready(0)
    table.wait(1000)
    assert [(forfeit.seat, forfeit.reason) for forfeit in table.result.forfeits] == [(1, ForfeitReason.NOT_READY)]


def test_seats_that_are_all_not_ready_are_tied(open_table: OpenTable) -> None:
    table = open_table(3)
    table.wait(1000)
    assert table.result.places == (1, 1, 1)
    assert [forfeit.instant for forfeit in table.result.forfeits] == [1, 1, 1]


def test_of_three_seats_the_two_that_are_ready_play_on(open_table: OpenTable) -> None:
    table = open_table(3)
    table.join()
    table.ready(0, 2)
    table.wait(1000)
    assert table.referee.phase is Phase.PLAYING
    assert table.kinds(0) == table.kinds(2) == [Start, Ask]
    assert [type(message) for message in table.read(1)] == [Start, Refused]


def test_a_seat_that_was_not_ready_in_time_is_told_so_when_it_comes(open_table: OpenTable) -> None:
    table = open_table(3)
    table.join(0, 2)
    table.ready(0, 2)
    table.wait(1000)
    table.read(1)
    table.join(1)
    start, refused = table.read(1)
    assert isinstance(start, Start)
    assert isinstance(refused, Refused)
    assert refused.refusal is Refusal.FORFEITED
    table.ready(1)
    assert table.read(1) == []


def test_a_seat_may_lose_its_connection_and_come_back_before_it_is_ready(open_table: OpenTable) -> None:
    table = open_table()
    table.join()
    table.ready(0)
    table.leave(1)
    table.wait(900)  # three times the grace, which is for seats that were ready
    table.join(1)
    table.ready(1)
    assert table.referee.phase is Phase.PLAYING


def test_a_delay_of_the_host_prolongs_the_start_up_allowance(open_table: OpenTable) -> None:
    table = open_table()
    table.join()
    table.ready(0)
    table.delay(200)
    table.wait(1199)
    assert not table.over
    table.wait(1)
    assert table.over


def test_an_answer_before_the_first_turn_is_ignored(open_table: OpenTable) -> None:
    table = open_table()
    table.join()
    table.answer(0, 0, turn_id=1)
    assert table.only(0, Refused).refusal is Refusal.STALE_TURN
    table.ready()
    assert table.turn(0).turn_id == 1


def test_an_abort_ends_a_match_that_never_began(open_table: OpenTable) -> None:
    table = open_table()
    table.join()
    table.abort()
    assert table.result == MatchResult(Termination.ABORTED)
    assert table.end(0) == End(table.result, (), 0, None)


def test_an_abort_ends_a_match_in_the_middle_without_places(open_table: OpenTable) -> None:
    table = open_table(3)
    table.begin()
    table.resign(2)
    table.answer(0, auction.Bid(1))
    table.abort()
    assert table.result.termination is Termination.ABORTED
    assert (table.result.places, table.result.scores) == ((), ())
    assert [forfeit.seat for forfeit in table.result.forfeits] == [2]
    assert table.referee.abort_reason == "a fault"
    assert table.end(1).view is None


def test_after_the_end_everything_is_ignored(open_table: OpenTable) -> None:
    table = open_table(options=auction.Options(rounds=1))
    table.begin()
    table.answer(0, auction.Bid(0))
    table.answer(1, auction.Bid(1))
    table.answer(1, auction.KEEP)
    before = record_parts(table.referee, attempt())
    assert table.kinds(0)[-1] is table.kinds(1)[-1] is End
    table.answer(0, 0)
    table.answer(0, 0, turn_id=99)
    table.ready(0)
    table.crash(0)
    table.resign(1)
    table.withdraw(1)
    table.leave(1)
    table.delay(5)
    table.abort()
    table.wait(10_000)
    assert table.referee.next_deadline is None
    assert table.read(0) == table.read(1) == []
    assert record_parts(table.referee, attempt()) == before


def test_whoever_joins_after_the_end_is_told_how_it_ended(open_table: OpenTable) -> None:
    table = open_table(options=auction.Options(rounds=1))
    table.begin()
    table.answer(0, auction.Bid(0))
    table.leave(0)
    table.answer(1, auction.Bid(1))
    table.answer(1, auction.KEEP)
    before = record_parts(table.referee, attempt())
    table.read(0)
    table.join(0, last_sequence=1)
    end = table.end(0)
    assert end.events == (auction.BidsShown((0, 1)), auction.LotGone(1, kept=True))
    assert (end.result, end.last_sequence) == (table.result, 3)
    assert record_parts(table.referee, attempt()) == before


def test_the_record_of_a_match_that_goes_on_is_refused(open_table: OpenTable) -> None:
    table = open_table()
    table.begin()
    with pytest.raises(ValueError, match="match m1 is not over"):
        record_parts(table.referee, attempt())


def test_a_match_without_luck_may_end_before_its_first_decision(open_table: OpenTable) -> None:
    table = open_table(options=auction.Options(appraised=False), strikes=1)
    table.begin()
    table.answer(0, auction.KEEP)
    assert table.result.places == (2, 1)
    assert not table.referee.draws
    assert len(table.audit().steps) == 1


class Failing(auction.Auction):
    """An auction whose rules fail in the middle of a step."""

    def play(self, actions: Mapping[Seat, auction.Action], table: Table[auction.Event]) -> Failing:
        table.chance.below("lost", 2)
        super().play(actions, table)
        raise RuntimeError("a fault in the rules")


def test_a_step_in_which_the_rules_fail_leaves_no_trace_when_the_match_is_aborted(open_table: OpenTable) -> None:
    table = open_table(game=replace(auction.GAME, deal=Failing.deal))
    table.begin()
    table.answer(0, auction.Bid(0))
    with pytest.raises(RuntimeError, match="a fault in the rules"):
        table.answer(1, auction.Bid(0))
    table.abort()
    assert not table.referee.decisions
    assert len(table.referee.draws) == 2
    assert table.end(0).events == ()


class Blind(auction.Auction):
    """An auction that cannot be looked at."""

    def view(self, viewer: Seat | None) -> auction.Observation:
        raise RuntimeError("a fault in the rules")


def test_a_match_that_is_aborted_between_the_deal_and_the_first_turn_has_its_luck_on_record(
    open_table: OpenTable,
) -> None:
    table = open_table(game=replace(auction.GAME, deal=Blind.deal))
    table.join()
    table.ready(0)
    with pytest.raises(RuntimeError, match="a fault in the rules"):
        table.ready(1)
    table.abort()
    assert len(table.referee.draws) == 2
    assert table.kinds(0)[-1] is End
