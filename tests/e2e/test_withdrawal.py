"""An entrant whose bot does not start in three of its matches in a row is out, whatever is played at a time."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.support import Cup, bot, until

from croupier_server.store import AttemptState

CLOCK = {"start_up": 60, "bank": 60, "turn_cap": 30}


def new_cup(folder: Path, *, parallel: int) -> Cup:
    """Twelve matches, in eight of which sits a bot that never starts."""
    entrants = {"ann": bot("honest"), "broken": bot("exits"), "bob": bot("honest")}
    return Cup(folder, entrants, {"blocks": 2, "parallel": parallel}, CLOCK)


def play(folder: Path, *, parallel: int) -> Cup:
    """One that is played to its end."""
    cup = new_cup(folder, parallel=parallel)
    done = cup.play()
    number = cup.results["cup"]["entrants"][1]["withdrawn_after"]
    assert f"broken was withdrawn after match {number}: 3 failed starts in a row\n" in done.out
    return cup


def test_a_bot_that_never_starts_is_withdrawn_after_three_matches_and_forfeits_the_others(tmp_path: Path) -> None:
    cup = play(tmp_path, parallel=1)
    its = [match for match in cup.results["matches"] if "broken" in match["entrants"]]
    assert cup.forfeits("broken") == ["crash"] * 3 + ["withdrawn"] * 5
    assert cup.results["cup"]["entrants"][1]["withdrawn_after"] == its[2]["number"]
    assert [match["termination"] for match in its] == ["forfeit"] * 8
    assert [bool(match["play_hash"]) for match in its] == [True] * 3 + [False] * 5
    assert cup.forfeits("ann") == cup.forfeits("bob") == []
    assert [row["matches"] for row in cup.results["standings"]] == [8, 8, 8]
    assert cup.results["standings"][2]["bot"] == "broken"
    assert len(cup.attempts()) == 3 + 4
    assert "attempts committed: 7\n" in cup.do("status").out


def test_the_outcome_is_the_same_with_one_and_with_eight_matches_at_a_time(tmp_path: Path) -> None:
    one, eight = (play(tmp_path / str(parallel), parallel=parallel) for parallel in (1, 8))
    assert one.standings_bytes == eight.standings_bytes
    assert one.timeless_rows == eight.timeless_rows
    assert all(attempt.state is not AttemptState.RUNNING for attempt in eight.attempts())


def test_a_withdrawal_outlives_the_runner_that_made_it(tmp_path: Path) -> None:
    undisturbed, cup = play(tmp_path / "undisturbed", parallel=4), new_cup(tmp_path / "killed", parallel=4)
    running = cup.begin("run", "--secret-file", "secret")
    until(lambda: cup.exists and any(row.match_id is None for row in cup.matches()))
    running.process.kill()
    running.process.wait()
    assert cup.do("resume").code == 0
    assert cup.standings_bytes == undisturbed.standings_bytes
    assert cup.timeless_rows == undisturbed.timeless_rows
