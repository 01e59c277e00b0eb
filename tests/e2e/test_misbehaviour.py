"""A bot's fault while playing is a verdict on that bot: the cup goes on to exit 0, and its opponent has no forfeit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.e2e.support import Cup, Descendants, bot

from croupier_server.match.record import DecisionSource, IncidentKind
from croupier_server.match.verify import Verified

# Long enough for an honest bot on a busy machine, short enough to wait for what never comes.
CLOCK = {"start_up": 10, "bank": 5, "increment": 0.5, "turn_cap": 2, "disconnect_grace": 0.5}


class Duel:
    """Two matches of a bot against an honest one, one for each seating of a deal, from the cup file to the end."""

    def __init__(self, folder: Path, name: str, *arguments: str, run: Sequence[str] = (), code: int = 0) -> None:
        self.name = name
        self.cup = Cup(folder, {name: bot(name, *arguments), "honest": bot("honest")}, {"parallel": 2}, CLOCK)
        self.done = self.cup.do("run", *run)
        assert self.done.code == code
        self.forfeits = self.cup.forfeits(name)
        self.records = self.cup.records()
        assert self.cup.forfeits("honest") == []
        table = {row["bot"]: row["forfeits"] for row in self.cup.results["standings"]}
        assert table == {name: len(self.forfeits), "honest": 0}

    def by_match(self, count: Callable[[Verified, int], int]) -> list[int]:
        """A number for each match, from its record and the seat of the bot."""
        seats = [[spec.entrant for spec in record.play.spec.seats].index(self.name) for record in self.records]
        return [count(record, seat) for record, seat in zip(self.records, seats, strict=True)]


def timeouts(record: Verified, seat: int) -> int:
    """Decisions that the clock made for a seat."""
    return sum(item.source is DecisionSource.TIMEOUT for item in record.play.decisions if item.seat == seat)


def ignored(record: Verified, seat: int) -> int:
    """Answers of a seat that changed nothing."""
    return sum(stamp.ignored_answers for stamp in record.clock.turns if stamp.seat == seat)


def illegal(record: Verified, seat: int) -> int:
    """Answers of a seat that broke a rule."""
    return sum(item.seat == seat for item in record.play.illegal_answers)


def repeated(record: Verified, seat: int) -> bool:
    """Whether as many answers of a seat were ignored as it has turns; that of the last one may come after the end."""
    return turns(record, seat) - ignored(record, seat) in (0, 1)


def resumed(record: Verified, seat: int) -> int:
    """How often a seat came back."""
    return sum(item.kind is IncidentKind.RESUMED for item in record.clock.incidents if item.seat == seat)


def turns(record: Verified, seat: int) -> int:
    """How often a seat was asked."""
    return sum(stamp.seat == seat for stamp in record.clock.turns)


@pytest.mark.parametrize(
    ("name", "arguments", "verdict", "was_ready"),
    [
        pytest.param("sleeps", (), "not_ready", False, id="never connects"),
        pytest.param("forges", (), "not_ready", False, id="comes with a wrong token"),
        pytest.param("exits", (), "crash", False, id="ends at once"),
        pytest.param("breaks", (), "crash", False, id="fails on an import"),
        pytest.param("skewed", (), "crash", False, id="speaks another version of the protocol"),
        pytest.param("dies", (), "crash", True, id="is killed in the middle"),
        pytest.param("garbage", (), "disconnect", True, id="sends garbage"),
        pytest.param("reconnects", ("no",), "disconnect", True, id="loses its connection for good"),
        pytest.param("silent", (), "timeout", True, id="never answers"),
        pytest.param("floods", ("5000",), "timeout", True, id="floods until its own answers are late"),
        pytest.param("illegal", (), "illegal_action", True, id="answers against the rules"),
        pytest.param("resigns", (), "resigned", True, id="gives up"),
    ],
)
def test_a_bot_forfeits_that(
    tmp_path: Path, name: str, arguments: tuple[str, ...], verdict: str, was_ready: bool
) -> None:
    duel = Duel(tmp_path, name, *arguments)
    assert duel.forfeits == [verdict] * 2
    for match in duel.cup.results["matches"]:
        (forfeit,) = match["forfeits"]
        assert (match["termination"], forfeit["was_ready"], forfeit["instant"]) == ("forfeit", was_ready, 1)
        assert match["places"][forfeit["seat"]] == 2
        assert f"match {match['number']}: {name} forfeited: {verdict.replace('_', ' ')}" in duel.done.out
    for record in duel.records:
        assert [forfeit.reason.name.lower() for forfeit in record.play.result.forfeits] == [verdict]
    if name == "silent":  # two fallbacks; the third strike ends the match
        assert (duel.by_match(timeouts), duel.by_match(turns)) == ([2, 2], [3, 3])
    if name == "illegal":
        assert (duel.by_match(illegal), duel.by_match(turns)) == ([3, 3], [1, 1])


@pytest.mark.parametrize(
    ("name", "arguments", "recorded", "times"),
    [
        pytest.param("foreign", (), ignored, 0, id="answers for a match of others"),
        pytest.param("double", (), repeated, True, id="answers twice"),
        pytest.param("late", (), timeouts, 1, id="is late once"),
        pytest.param("floods", ("150",), ignored, 150, id="floods a little"),
        pytest.param("reconnects", ("yes",), resumed, 1, id="loses its connection and comes back"),
    ],
)
def test_a_bot_goes_on_that(
    tmp_path: Path, name: str, arguments: tuple[str, ...], recorded: Callable[[Verified, int], int], times: int
) -> None:
    duel = Duel(tmp_path, name, *arguments, run=["--strict"], code=0)
    assert duel.forfeits == []
    assert [match["termination"] for match in duel.cup.results["matches"]] == ["normal"] * 2
    assert duel.by_match(recorded) == [times] * 2


def test_what_a_bot_leaves_behind_is_gone_when_the_cup_is_over(tmp_path: Path) -> None:
    family = Descendants()
    assert Duel(tmp_path, "forks").forfeits == []
    assert family.left() == {}


def test_what_a_bot_writes_is_kept_up_to_a_limit(tmp_path: Path) -> None:
    duel = Duel(tmp_path, "shouts")
    assert duel.forfeits == []
    sizes = [path.stat().st_size for path in (duel.cup.home / "bots" / "shouts").glob("*/*.log")]
    assert len(sizes) == 4
    assert all(1 << 20 <= size < (1 << 20) + 100 for size in sizes)
    assert "what the bots wrote: cups/small/bots" in duel.done.out


def test_a_crash_names_the_file_with_the_bots_last_words_and_is_exit_3_with_strict(tmp_path: Path) -> None:
    duel = Duel(tmp_path, "exits", run=["--strict"], code=3)
    (line,) = [line for line in duel.done.out.splitlines() if line.startswith("match 1: exits forfeited: crash")]
    detail, _, path = line.removesuffix(")").partition("; see ")
    assert detail == "match 1: exits forfeited: crash (exit status 1"
    assert (duel.cup.home / path).read_text() == "no brain today\n"


def test_a_bot_sees_nothing_of_host_and_schedule(tmp_path: Path) -> None:
    cup = Cup(tmp_path, {"peeks": bot("peeks"), "honest": bot("honest")}, clock=CLOCK)
    cup.play()
    match_ids = {row.match_id for row in cup.matches()}
    seen = [path.read_text() for path in (cup.home / "bots" / "peeks").glob("*/stderr.log")]
    assert len(seen) == 2
    variables = ["CROUPIER_ADDRESS", "CROUPIER_TOKEN", "HOME", "LANG", "LC_ALL", "PATH", "PYTHONPATH", "TMPDIR"]
    for text, match_id in zip(sorted(seen), sorted(map(str, match_ids)), strict=True):
        _, folder, names = text.splitlines()
        assert folder == str(cup.home / "bots" / "peeks" / match_id / "home")
        assert names.split() == variables
