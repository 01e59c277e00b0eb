"""`croupier cup status`, `standings` and `export` at any time, and what of an open block they keep to themselves."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e.support import Cup, Done, Running, bot, until

NO_HURRY = {"start_up": 600, "bank": 600, "turn_cap": 300}


@dataclass
class HeldCup:
    """A cup of two blocks, of whose four matches the last waits for the test: two are over in an open block."""

    cup: Cup
    gates: Path
    running: Running

    def let_go(self) -> Done:
        (self.gates / "4").touch()
        return self.running.ended()


@pytest.fixture
def held(tmp_path: Path) -> Iterator[HeldCup]:
    gates = tmp_path / "gates"
    gates.mkdir()
    for number in (1, 2, 3):
        (gates / str(number)).touch()
    entrants = {"ann": bot("honest"), "waits": bot("waits", str(gates))}
    cup = Cup(tmp_path, entrants, {"blocks": 2, "parallel": 1}, NO_HURRY)
    held = HeldCup(cup, gates, cup.begin("run", "--plain"))
    until(lambda: (gates / "4-is-there").exists())
    yield held
    held.running.process.terminate()
    held.running.ended()


def test_status_standings_and_export_tell_of_a_cup_while_it_runs_and_after(held: HeldCup) -> None:
    cup = held.cup
    status = cup.do("status")
    assert (status.code, status.err) == (0, "")
    assert status.out.startswith("cup small: open, 3 of 4 matches over\n")
    assert "attempts running: 1\nattempts committed: 3\n" in status.out
    standings = cup.do("standings")
    assert standings.code == 0
    assert "1 complete block, duplicate deals" in standings.out
    assert held.let_go().code == 0
    assert cup.do("status").out.startswith("cup small: over, 4 of 4 matches over\n")
    assert "2 complete blocks, duplicate deals" in cup.do("standings").out


def test_nothing_of_the_play_of_an_open_block_is_told_before_it_is_over(held: HeldCup) -> None:
    cup = held.cup
    third = str({row.number: row.match_id for row in cup.matches()}[3])
    exported = cup.do("export", "--to", "out")
    assert exported.code == 0
    assert exported.out == "out/results.json\nout/results.csv\nout/records (2 records)\n"
    rows = list(csv.DictReader((cup.folder / "out" / "results.csv").read_text().splitlines()))
    assert [bool(row["play_hash"]) for row in rows] == [True, True, False]
    assert sorted(path.name[:6] for path in (cup.folder / "out" / "records").iterdir()) == ["000001", "000002"]
    for command in ("replay", "verify"):
        done = Running([command, "--store", cup.store, third], cup.folder, command).ended()
        assert (done.code, done.out) == (2, "")
        assert done.err == (
            f"croupier {command}: {third}: its block is not over; "
            "nothing of it but places, scores and time use is told before\n"
        )
    assert held.let_go().code == 0
    assert cup.do("export", "--to", "out").out.endswith("out/records (4 records)\n")
    verified = Running(["verify", "--store", cup.store, third], cup.folder, "verified").ended()
    assert (verified.code, verified.err) == (0, "")


def test_a_cup_is_found_by_its_name_its_file_and_its_folder(held: HeldCup) -> None:
    answers = {
        Running(["cup", "status", word], held.cup.folder, f"status-{at}").ended().out
        for at, word in enumerate(("small", "cup.toml", "cups/small"))
    }
    assert len(answers) == 1
