"""Isolation `session`: bots live on from match to match, so what they have seen is never dealt again."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.support import Cup, Descendants, bot, until

from croupier_server.store import AttemptState

NO_HURRY = {"start_up": 600, "bank": 600, "turn_cap": 300}
SESSION = {"isolation": "session", "parallel": 1, "blocks": 2}


def test_one_process_of_a_bot_plays_all_its_matches(tmp_path: Path) -> None:
    family = Descendants()
    cup = Cup(tmp_path, {"peeks": bot("peeks"), "ann": bot("honest")}, SESSION, NO_HURRY)
    done = cup.play()
    assert "isolation session: bots live on from match to match and can remember" in " ".join(done.out.split())
    assert [match["termination"] for match in cup.results["matches"]] == ["normal"] * 4
    assert len(list((cup.home / "bots" / "peeks").iterdir())) == 1
    assert family.left() == {}


def test_a_bot_that_dies_is_started_again_for_its_next_match(tmp_path: Path) -> None:
    cup = Cup(tmp_path, {"dies": bot("dies"), "ann": bot("honest")}, SESSION, NO_HURRY)
    cup.play()
    assert cup.forfeits("dies") == ["crash"] * 4
    assert all(forfeit["was_ready"] for match in cup.results["matches"] for forfeit in match["forfeits"])
    assert cup.forfeits("ann") == []


def test_an_interrupted_block_is_drawn_anew_and_what_was_committed_of_it_does_not_count(tmp_path: Path) -> None:
    family = Descendants()
    cup = Cup(tmp_path, {"waits": bot("waits", str(tmp_path)), "ann": bot("honest")}, SESSION, NO_HURRY)
    for number in (1, 2, 3):
        (tmp_path / str(number)).touch()
    running = cup.begin("run")
    until(lambda: (tmp_path / "4-is-there").exists())
    running.process.kill()
    running.process.wait()
    until(lambda: not family.left())
    before = cup.play_hashes()
    assert set(before) == {1, 2, 3}
    for number in (5, 6):
        (tmp_path / str(number)).touch()
    assert cup.do("resume").code == 0
    after = cup.play_hashes()
    assert [after[number] == before[number] for number in (1, 2, 3)] == [True, True, False]
    assert [(attempt.number, attempt.redraw, attempt.state) for attempt in cup.attempts()] == [
        (1, 0, AttemptState.COMMITTED),
        (2, 0, AttemptState.COMMITTED),
        (3, 0, AttemptState.COMMITTED),
        (3, 1, AttemptState.COMMITTED),
        (4, 0, AttemptState.INTERRUPTED),
        (4, 1, AttemptState.COMMITTED),
    ]
    assert cup.results["cup"]["blocks_counted"] == 2
    assert cup.forfeits("waits") == cup.forfeits("ann") == []
    assert family.left() == {}
