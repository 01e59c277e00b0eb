"""Random matches in which nearly everything goes wrong, against what ought to come of them.

A failing seed names itself; SIMULATION_SEED=<seed> runs it alone and prints its course.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.match import auction
from tests.match.matches import JEKYLL, JEKYLL_PLAYS, Parts, sealed
from tests.match.simulation.world import World
from tests.match.virtual_table import attempt, match_spec

from croupier_server.match import referee as referee_module
from croupier_server.match.course import Course
from croupier_server.match.referee import Referee
from croupier_server.match.seat import SeatDesk
from croupier_server.match.signals import Answered, Input, Send
from croupier_server.match.spec import Clock, Forfeit, Termination
from croupier_server.match.timing import SeatTime
from croupier_server.match.verdict import final_places
from croupier_server.match.verify import audit, verify
from croupier_server.rules import Entry, Seat

CHUNK = 50
AUCTIONS, JEKYLLS = range(1200), range(1200, 1500)
ONLY = os.environ.get("SIMULATION_SEED")
CLOCK = Clock(start_up_ms=600, bank_ms=1500, increment_ms=200, turn_cap_ms=500, disconnect_grace_ms=300)


def chunks(seeds: range) -> list[Any]:
    if ONLY is not None:
        return [pytest.param([int(ONLY)], id=ONLY)] if int(ONLY) in seeds else []
    return [pytest.param(seeds[i : i + CHUNK], id=str(seeds[i])) for i in range(0, len(seeds), CHUNK)]


def world_of(seed: int) -> World:
    random = Random(f"match {seed}")
    one = attempt(key=hashlib.sha256(f"key {seed}".encode()).digest())
    if seed in JEKYLLS:
        options = random.choice(list(JEKYLL.variants.values()))
        spec = match_spec(game=JEKYLL, options=options, clock=CLOCK, strikes=random.choice([1, 3, 5]))
        return World(spec, one, f"world {seed}", JEKYLL_PLAYS)
    auctions = auction.Options(rounds=random.randrange(1, 6), appraised=random.random() < 0.8)
    spec = match_spec(random.randrange(2, 6), options=auctions, clock=CLOCK, strikes=random.choice([1, 2, 3]))
    return World(spec, one, f"world {seed}", (auction.Bid(9), auction.KEEP, auction.Bid(0)))


def check(world: World, parts: Parts) -> None:
    """The match went as it ought to, and its record proves it."""
    book, result = world.book, parts[0].result
    assert result.termination is book.termination
    assert {f.seat: f.reason for f in result.forfeits} == dict(book.forfeits)
    assert result.places == book.places
    assert result.scores == (() if book.outcome is None else book.outcome.scores)
    assert [(d.seat, d.action) for d in parts[0].decisions] == book.decisions
    for bot, plan, account in zip(world.bots, world.plans, book.accounts, strict=True):
        assert not (plan.honest and account.gone), f"seat {bot.seat} is honest and forfeited"
        assert world.ends[bot.seat] == 0, f"seat {bot.seat} was not told the end once"
        if bot.end is not None:
            assert [bot.events[i] for i in sorted(bot.events)] == account.told
            assert bot.end.result == result
    if parts[0].spec.game is JEKYLL:
        verify(sealed(parts))
    else:
        audit(*parts)


def simulate(seeds: list[int]) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        world = world_of(seed)
        try:
            check(world, world.run())
        except Exception as error:
            if ONLY is not None:
                for at, what in world.trace:
                    print(f"{at / 1000:10.3f} ms  {what}")
            raise AssertionError(f"seed {seed} failed; run it alone with SIMULATION_SEED={seed}") from error
        seen.update(world.faults)
        seen.update(reason.name for _, reason in world.book.forfeits)
        seen[world.book.termination.name] += 1
    return seen


@pytest.mark.parametrize("seeds", chunks(AUCTIONS))
def test_matches_of_two_to_five_seats_end_as_they_ought_to(seeds: list[int]) -> None:
    simulate(seeds)


@pytest.mark.parametrize("seeds", chunks(JEKYLLS))
def test_matches_of_jekyll_end_as_they_ought_to(seeds: list[int]) -> None:
    simulate(seeds)


def test_the_simulation_holds_everything_that_may_happen() -> None:
    seen = simulate([*AUCTIONS[:150], *JEKYLLS[:30]])
    expected = {"NORMAL", "FORFEIT", "CRASH", "DISCONNECT", "ILLEGAL_ACTION", "NOT_READY", "RESIGNED", "TIMEOUT"}
    expected |= {"_babble", "_be_late", "_err", "_fall_silent", "_lose_and_answer", "_outlast_the_host"}
    expected |= {"crash", "leave", "resign", "vanish"}
    assert {name for name in expected if seen[name] < 5} == set()


# -- mistakes planted in the referee, to show that the simulation finds them


def host_delays_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SeatDesk, "host_delay", lambda *_args, **_kwargs: None)


def time_is_never_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SeatTime, "charge", lambda *_args: None)


def there_is_no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SeatDesk, "grace_ends_us", property(lambda _desk: None))


def who_resumes_is_not_told_what_it_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    join = SeatDesk.join
    monkeypatch.setattr(SeatDesk, "join", lambda desk, updates, last: join(desk, updates, last and 2**64))


def illegal_answers_are_taken_for_the_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Course.judge

    def lenient(course: Course, seat: Seat, legal: Sequence[Any], choice: Any) -> tuple[Any, str | None]:
        action, broken = judge(course, seat, legal, choice)
        return (action, None) if broken is None else (legal[0], None)

    monkeypatch.setattr(Course, "judge", lenient)


def stale_answers_count(monkeypatch: pytest.MonkeyPatch) -> None:
    receive = Referee.receive

    def hasty(referee: Referee, event: Input, now: int) -> list[Send]:
        if isinstance(event, Answered) and (turn := referee.desks[event.seat].open_turn) is not None:
            event = Answered(event.seat, turn.turn_id, event.choice, event.note)
        return receive(referee, event, now)

    monkeypatch.setattr(Referee, "receive", hasty)


def forfeits_are_all_tied(monkeypatch: pytest.MonkeyPatch) -> None:
    def tied(places: Sequence[int] | None, forfeits: Sequence[Forfeit], seats: int) -> tuple[int, ...]:
        return final_places(places, [replace(forfeit, instant=1) for forfeit in forfeits], seats)

    monkeypatch.setattr(referee_module, "final_places", tied)


def the_end_is_told_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    finish = Referee._finish

    def twice(referee: Referee, termination: Termination, now: int, out: list[Send], detail: str = "") -> None:
        finish(referee, termination, now, out, detail)
        out.append(out[-1])

    monkeypatch.setattr(Referee, "_finish", twice)


def secrets_are_told_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    hear = Referee._hear
    monkeypatch.setattr(Referee, "_hear", lambda referee, news: hear(referee, [Entry(entry.event) for entry in news]))


@pytest.mark.parametrize(
    "mistake",
    [
        host_delays_are_lost,
        time_is_never_charged,
        there_is_no_grace,
        who_resumes_is_not_told_what_it_missed,
        illegal_answers_are_taken_for_the_fallback,
        stale_answers_count,
        forfeits_are_all_tied,
        the_end_is_told_twice,
        secrets_are_told_to_all,
    ],
)
def test_a_planted_mistake_is_found(
    mistake: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake(monkeypatch)
    with pytest.raises(AssertionError, match=r"seed \d+ failed"):
        simulate(list(AUCTIONS[:100]))
