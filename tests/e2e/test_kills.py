"""Whatever is killed when: nothing that was committed is played again, the cup ends the same, and nobody is left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e.support import Cup, Descendants, Running, bot, example, until

from croupier_server.store import AttemptState

pytestmark = [pytest.mark.kills, pytest.mark.timeout(300)]

NO_HURRY = {"start_up": 600, "bank": 600, "increment": 10, "turn_cap": 300}
PARALLEL = 3


def new_cup(folder: Path) -> Cup:
    """Sixteen matches; one of the two bots leaves processes behind wherever it plays."""
    return Cup(
        folder, {"random": example("random_bot"), "forks": bot("forks")}, {"blocks": 8, "parallel": PARALLEL}, NO_HURRY
    )


@dataclass(frozen=True)
class Undisturbed:
    """How the cup ends when nobody disturbs it."""

    cup: Cup
    seconds: float

    def check(self, cup: Cup) -> None:
        """That another cup ended the same, with one outcome for each match."""
        assert cup.play_hashes() == self.cup.play_hashes()
        assert cup.standings_bytes == self.cup.standings_bytes
        assert cup.timeless_rows == self.cup.timeless_rows
        committed = Counter(attempt.number for attempt in cup.attempts() if attempt.state is AttemptState.COMMITTED)
        assert committed == dict.fromkeys(range(1, 17), 1)
        assert {attempt.state for attempt in cup.attempts()} <= {AttemptState.COMMITTED, AttemptState.INTERRUPTED}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    cup = new_cup(tmp_path_factory.mktemp("undisturbed"))
    began = time.monotonic()
    cup.play()
    return Undisturbed(cup, time.monotonic() - began)


@pytest.fixture
def family() -> Descendants:
    return Descendants()


def go_on(cup: Cup) -> Running:
    """What somebody types next: run, or resume once the cup has begun."""
    return cup.begin("resume") if cup.exists else cup.begin("run", "--secret-file", "secret")


def committed(cup: Cup) -> dict[int, str | None]:
    """The attempt that stands for each match that is over, by number."""
    return {row.number: row.match_id for row in cup.matches()} if cup.exists else {}


def test_a_cup_that_is_over_can_be_resumed_and_says_how_it_ended(undisturbed: Undisturbed) -> None:
    cup = undisturbed.cup
    standings = cup.standings_bytes
    (cup.home / "results.json").unlink()  # as if its runner had been killed at the very end
    done = cup.do("resume")
    assert (done.code, done.err) == (0, "")
    assert "8 complete blocks" in done.out
    assert cup.standings_bytes == standings


def killed(running: Running, after: float) -> bool:
    """Kills a runner after so many seconds, unless it has ended by then; tells whether it did."""
    try:
        running.process.wait(after)
    except subprocess.TimeoutExpired:
        running.process.kill()
        running.process.wait()
        return True
    assert running.ended().code == 0
    return False


@pytest.mark.parametrize("seed", range(7))
def test_a_runner_is_killed_at_three_random_moments(
    tmp_path: Path, undisturbed: Undisturbed, family: Descendants, seed: int
) -> None:
    luck = random.Random(seed)
    cup, kept, kills = new_cup(tmp_path / "0"), dict[int, str | None](), 0
    while kills < 3:
        if killed(go_on(cup), luck.uniform(0, undisturbed.seconds)):
            kills += 1
            now = committed(cup)
            assert now.items() >= kept.items()
            kept = now
        else:  # it was over before
            undisturbed.check(cup)
            cup, kept = new_cup(tmp_path / str(kills)), {}
        until(lambda: not family.left())
    assert go_on(cup).ended().code == 0
    assert committed(cup).items() >= kept.items()
    undisturbed.check(cup)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM], ids=lambda signum: signum.name)
def test_ctrl_c_and_sigterm_end_a_cup_in_order_and_it_can_be_resumed(
    tmp_path: Path, undisturbed: Undisturbed, family: Descendants, signum: signal.Signals
) -> None:
    cup = new_cup(tmp_path)
    running = go_on(cup)
    until(lambda: len(committed(cup)) >= 2)
    os.killpg(running.process.pid, signum)  # as a terminal does: to all of its group
    done = running.ended(seconds=30)
    assert (done.code, done.err) == (130, "interrupted; go on with: croupier cup resume cup.toml\n")
    assert family.left() == {}
    kept = committed(cup)
    assert cup.do("resume").code == 0
    assert committed(cup).items() >= kept.items()
    undisturbed.check(cup)


@pytest.mark.parametrize(
    ("victim", "words"),
    [
        (" serve ", "the server process has ended"),
        ("launcher.warden", "the launcher of the bots has ended: killed by SIGKILL"),
    ],
    ids=["server", "warden"],
)
def test_the_death_of_the_hosts_own_processes_ends_a_cup_with_clear_words_and_it_can_be_resumed(
    tmp_path: Path, undisturbed: Undisturbed, family: Descendants, victim: str, words: str
) -> None:
    cup = new_cup(tmp_path)
    running = go_on(cup)
    until(lambda: len(committed(cup)) >= 2)
    os.kill(family.child(running.process.pid, victim), signal.SIGKILL)
    done = running.ended(seconds=30)
    advice = "see cups/small/server.log; go on with: croupier cup resume cup.toml"
    assert (done.code, done.err) == (1, f"croupier cup: {words}; {advice}\n")
    until(lambda: not family.left())
    kept = committed(cup)
    assert cup.do("resume").code == 0
    assert committed(cup).items() >= kept.items()
    undisturbed.check(cup)
