"""README.md does what it says: its first bot plays its first cup, its commands run as they stand."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.pages import ROOT, blocks, pages, rows, section, text_of

README = text_of("README.md")
SECONDS = 100.0


def test_the_two_commands_stand_on_top() -> None:
    assert re.findall(r"^make (\w+)", blocks(README, "sh")[0], re.MULTILINE) == ["cup", "test"]
    assert README.index("make cup") < README.index("\n## ")


def test_the_first_bot_has_at_most_ten_lines() -> None:
    (bot,) = blocks(README, "python")
    assert len(bot.splitlines()) <= 10


def test_the_first_bot_plays_the_first_cup_by_the_commands_as_they_stand(tmp_path: Path) -> None:
    first = section(README, "Your first bot")
    (bot,), (cup,), (script,) = (blocks(first, language) for language in ("python", "toml", "sh"))
    (tmp_path / "my_bot.py").write_text(bot, encoding="utf-8")
    (tmp_path / "my-cup.toml").write_text(cup, encoding="utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").write_text(f'PATH="{Path(sys.executable).parent}:$PATH"\n')
    done = subprocess.run(
        ["/bin/sh", "-e", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "cups" / "my-cup" / "results.json").read_text(encoding="utf-8"))
    assert results["cup"]["matches_over"] == results["cup"]["matches_scheduled"] == 6
    assert {row["bot"]: row["forfeits"] for row in results["standings"]} == {"mine": 0, "rules": 0}
    assert "seat 0: mine" in done.stdout or "seat 1: mine" in done.stdout


def test_the_commands_in_the_readme_are_those_of_the_program() -> None:
    table = section(README, "Commands")
    told = {word for row in rows(table) for word in re.findall(r"`croupier ([a-z]+)", row[0])}
    of_cup = {word for row in rows(table) for word in re.findall(r"([a-z]+) (?:FILE|CUP)`", row[0])}
    assert told == set(re.findall(r"^  ([a-z]+) ", croupier("--help"), re.MULTILINE))
    assert of_cup == set(re.findall(r"^    ([a-z]+)\b", croupier("cup", "--help"), re.MULTILINE))


def croupier(*arguments: str) -> str:
    command = [sys.executable, "-m", "croupier", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True).stdout


def test_every_target_of_make_on_any_page_exists() -> None:
    make = shutil.which("make")
    if make is None:
        assert not os.environ.get("CI"), "make is missing"
        pytest.skip("make is missing")
    listed = subprocess.run(
        [make, "help"], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True
    ).stdout
    targets = set(re.findall(r"^  make ([a-z-]+)", listed, re.MULTILINE))
    told = {word for page in pages() for word in re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(), re.MULTILINE)}
    assert told - targets == set()
