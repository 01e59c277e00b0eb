"""The books of a cup: what is open, what a withdrawal changes, and what a resumed runner knows."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from croupier_server.match.spec import Forfeit, ForfeitReason, MatchResult, Termination
from croupier_server.rules import AnyGame
from croupier_tournament.cupfile import CupFile, parse_cup_file
from croupier_tournament.ledger import Ledger
from croupier_tournament.pairing import ScheduledMatch
from croupier_tournament.played import Played

NAMES = ("ann", "bob", "cid", "dan", "eve")


def cup_of(games: dict[str, AnyGame], *, players: int = 2, blocks: int = 4) -> CupFile:
    lines = ["[cup]", 'name = "small"', 'game = "pick"', f"players = {players}", f"blocks = {blocks}"]
    for name in NAMES:
        lines += ["[[entrant]]", f'name = "{name}"', 'command = ["./bot"]']
    return parse_cup_file("\n".join(lines).encode(), "cup.toml", games, cores=2)


@pytest.fixture
def ledger(games: dict[str, AnyGame]) -> Ledger:
    return new_ledger(cup_of(games))


def new_ledger(cup: CupFile) -> Ledger:
    empty = Ledger(cup, {}, {}, {})
    return Ledger(cup, {match.block_number: 0 for match in empty.schedule}, {}, {})


def played(match: ScheduledMatch, broken: Iterable[str] = (), withdrawn: Iterable[str] = ()) -> Played:
    """The match as it goes when some bots do not start and others are withdrawn."""
    reasons = dict.fromkeys(broken, ForfeitReason.NOT_READY) | dict.fromkeys(withdrawn, ForfeitReason.WITHDRAWN)
    forfeits = tuple(
        Forfeit(seat, reasons[name], 0, 1, was_ready=False)
        for seat, name in enumerate(match.entrants)
        if name in reasons
    )
    places = tuple(2 if name in reasons else 1 for name in match.entrants)
    nothing = (0,) * len(places)
    return Played(MatchResult(Termination.FORFEIT, places, forfeits=forfeits), nothing, nothing, "ab" * 32)


def unlimited(_entrant: str) -> None:
    return None


def numbers_of(ledger: Ledger, name: str) -> list[int]:
    return [match.number for match in ledger.schedule if name in match.entrants]


def play_until(ledger: Ledger, number: int, broken: Iterable[str]) -> None:
    """All matches up to that number are played."""
    for match in ledger.schedule[:number]:
        ledger.results[match.number] = played(match, set(broken) & set(match.entrants))


def test_matches_begin_in_schedule_order_and_none_twice_at_a_time(ledger: Ledger) -> None:
    first = ledger.schedule[0]
    assert ledger.next_match([], unlimited) is first
    assert ledger.next_match([first], unlimited) is ledger.schedule[1]
    ledger.results[1] = played(first)
    assert ledger.next_match([], unlimited) is ledger.schedule[1]


def test_an_entrant_that_is_busy_lets_others_go_first(ledger: Ledger) -> None:
    first = ledger.schedule[0]
    other = ledger.next_match([first], lambda _: 1)
    assert other is not None
    assert set(other.entrants).isdisjoint(first.entrants)


def test_what_follows_from_a_withdrawal(ledger: Ledger) -> None:
    third = numbers_of(ledger, "bob")[2]
    play_until(ledger, third + 4, {"bob"})
    assert ledger.newly_withdrawn() == {"bob": third}
    later = [match for match in ledger.schedule if "bob" in match.entrants and match.number > third]
    overridden = ledger.override(later)
    assert overridden == tuple(number for number in numbers_of(ledger, "bob") if third < number <= third + 4)
    walkovers = ledger.walkovers(later)
    assert list(walkovers) == later
    assert all(not walkover.play_hash for walkover in walkovers.values())
    assert ledger.newly_withdrawn() == {}


def test_a_walkover_of_two_that_are_withdrawn_takes_the_place_of_that_of_one(ledger: Ledger) -> None:
    both = [match for match in ledger.schedule if set(match.entrants) == {"ann", "bob"}]
    for name in ("ann", "bob"):
        ledger.withdrawn[name] = 0
        overridden = ledger.override(both)
        ledger.results.update({match.number: walkover for match, walkover in ledger.walkovers(both).items()})
        assert len(overridden) == (0 if name == "ann" else len(both))
    assert {ledger.results[match.number].result.places for match in both} == {(1, 1)}


def test_with_more_than_two_at_a_table_overridden_matches_are_open_again(games: dict[str, AnyGame]) -> None:
    ledger = new_ledger(cup_of(games, players=4))
    third = numbers_of(ledger, "bob")[2]
    play_until(ledger, third + 4, {"bob"})
    assert ledger.next_match([], unlimited) is ledger.schedule[third + 4]
    ledger.newly_withdrawn()
    overridden = ledger.override(ledger.schedule)
    again = ledger.next_match([], unlimited)
    assert again is not None
    assert again.number == overridden[0]
    assert ledger.withdrawn_seats(again) == (again.entrants.index("bob"),)
    assert ledger.walkovers(ledger.schedule) == {}
    ledger.results[again.number] = played(again, withdrawn={"bob"})
    assert ledger.override(ledger.schedule) == ()


def test_who_was_withdrawn_stays_so_in_the_books_of_a_resumed_cup(games: dict[str, AnyGame], ledger: Ledger) -> None:
    third = numbers_of(ledger, "bob")[2]
    resumed = Ledger(cup_of(games), ledger.redraws, {}, {"bob": third})
    assert resumed.newly_withdrawn() == {}
    assert resumed.withdrawn == {"bob": third}
    play_until(resumed, third, {"bob"})
    assert resumed.newly_withdrawn() == {}
    assert resumed.withdrawn == {"bob": third}


def test_a_block_that_is_drawn_anew_is_open_again(ledger: Ledger) -> None:
    play_until(ledger, 6, set())
    block = ledger.schedule[2].block_number
    ledger.redraw({block: 1})
    assert ledger.redraws[block] == 1
    assert [match.number for match in ledger.schedule[:6] if ledger.stands(match) is None] == [
        match.number for match in ledger.schedule[:6] if match.block_number == block
    ]
