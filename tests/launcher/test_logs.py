"""The output files: capped under a flood, and read at the end for a message without trusting what a bot put there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from croupier_server.launcher.client import Launch, Launcher
from croupier_server.launcher.logs import tail

CLOSING = "\n[croupier: the limit of 1000 bytes is reached, the rest is dropped]\n"
FLOOD = "import os, sys; [os.write(int(sys.argv[1]), b'0123456789' * 1000) for _ in range(2000)]"


@pytest.mark.asyncio
@pytest.mark.parametrize("descriptor", [1, 2])
async def test_a_flood_is_capped_and_the_bot_runs_on(launcher: Launcher, tmp_path: Path, descriptor: int) -> None:
    command = (sys.executable, "-SIc", FLOOD, str(descriptor))  # 20 MB
    bot = await launcher.launch(Launch(name="ann", command=command, folder=tmp_path / "ann", output_limit=1000))
    assert await bot.exited() == "exit status 0"
    flooded, other = (bot.folder.stdout, bot.folder.stderr)[:: 1 if descriptor == 1 else -1]
    assert flooded.read_text() == "0123456789" * 100 + CLOSING
    assert other.read_text() == ""


@pytest.mark.asyncio
async def test_output_as_long_as_the_limit_is_whole(launcher: Launcher, tmp_path: Path) -> None:
    command = ("printf", "%01000d", "7")
    bot = await launcher.launch(Launch(name="ann", command=command, folder=tmp_path / "ann", output_limit=1000))
    await bot.exited()
    assert bot.folder.stdout.read_text() == "7".rjust(1000, "0")


@pytest.mark.asyncio
async def test_a_bot_that_floods_is_stopped_at_once(launcher: Launcher, tmp_path: Path) -> None:
    bot = await launcher.launch(Launch(name="ann", command=("yes",), folder=tmp_path / "ann", output_limit=1000))
    assert await bot.stop(grace_seconds=10) == "killed by SIGTERM"


def test_the_tail_is_the_last_lines(tmp_path: Path) -> None:
    log = tmp_path / "stderr.log"
    log.write_text("".join(f"line {number}\n" for number in range(100)))
    assert tail(log, lines=2) == "line 98\nline 99"


def test_the_tail_has_the_last_line_that_was_not_finished(tmp_path: Path) -> None:
    log = tmp_path / "stderr.log"
    log.write_text("first\nsecond")
    assert tail(log, lines=1) == "second"


def test_the_tail_is_no_longer_than_asked(tmp_path: Path) -> None:
    log = tmp_path / "stderr.log"
    log.write_text("x" * 10_000 + "y")
    assert tail(log, max_bytes=5) == "xxxxy"


def test_the_tail_of_a_missing_or_empty_file_is_empty(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert tail(tmp_path / "missing") == tail(tmp_path / "empty") == ""


def test_the_tail_shows_nothing_that_steers_a_terminal(tmp_path: Path) -> None:
    log = tmp_path / "stderr.log"
    log.write_bytes(b"\x1b[2Jhello\x07\n\xff")
    assert tail(log) == "\ufffd[2Jhello\ufffd\n\ufffd"


def test_the_tail_follows_no_link_and_waits_for_no_pipe(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("swordfish")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "pipe")
    assert tail(tmp_path / "link") == tail(tmp_path / "pipe") == tail(tmp_path) == ""
