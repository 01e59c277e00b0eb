"""`croupier play`: one match in the terminal, between real processes, and with a person who types at a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from tests.e2e.support import bot, example

from croupier_server.match.spec import ForfeitReason
from croupier_server.match.verify import verify
from croupier_tournament.person import PROMPT
from croupier_tournament.play import play

SECONDS = 60.0
CTRL_D = "\x04"


def croupier_play(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "croupier", "play", *arguments]
    return subprocess.run(program, capture_output=True, text=True, timeout=SECONDS, check=False)


class Terminal:
    """A terminal of 80 columns on which a person plays. Every wait has a deadline."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        program = [sys.executable, "-m", "croupier", "play", *arguments]
        self.process = subprocess.Popen(program, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        self._end = time.monotonic() + SECONDS
        self._unread = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def until(self, *texts: str) -> str:
        """What is shown up to the first of the texts, and with it."""
        while not (found := [self._unread.index(text) + len(text) for text in texts if text in self._unread]):
            assert self._read(), f"the program has ended before {texts}; it showed last: {self._unread}"
        shown, self._unread = self._unread[: min(found)], self._unread[min(found) :]
        return shown

    def rest(self) -> str:
        """What is shown up to the end of the program."""
        while self._read():
            pass
        return self._unread

    def type(self, text: str) -> None:
        """Types, as a person does."""
        os.write(self._ours, text.encode())

    def ended(self) -> int:
        """The exit code."""
        return self.process.wait(max(0.0, self._end - time.monotonic()))

    def _read(self) -> bool:
        """Whether there was something to be read before the program ended."""
        readable, _, _ = select.select([self._ours], [], [], max(0.0, self._end - time.monotonic()))
        assert readable, f"nothing more within {SECONDS:g} seconds; it showed last: {self._unread}"
        try:
            self._unread += os.read(self._ours, 1 << 16).decode().replace("\r\n", "\n")
        except OSError:  # how a terminal tells that everybody has left it
            return False
        return True


def untimed(playthrough: str) -> list[str]:
    """The lines of a playthrough that do not depend on when it was played."""
    lines = [re.sub(r"  \[.* ms, host .* ms\]$", "", line) for line in playthrough.splitlines()]
    return [line for line in lines if not re.match(r"match |\d+\.\d+ s: |record: ", line)]


def test_two_matches_with_one_seed_read_alike_and_leave_records_that_verify(tmp_path: Path) -> None:
    shown = []
    for number in range(2):
        record = tmp_path / f"{number}.record"
        done = croupier_play(
            "jekyll", "--bot", shlex.join(example("jekyll_rules")), "--seed", "Abc", "--save", str(record)
        )
        assert (done.returncode, done.stderr) == (0, "")
        verified = verify(record.read_bytes())
        assert [seat.entrant for seat in verified.play.spec.seats] == ["jekyll_rules", "random"]
        shown.append(untimed(done.stdout))
    assert shown[0] == shown[1]
    assert "seat 0: jekyll_rules" in shown[0]
    assert f"seed: {'abc':0>64}" in shown[0]
    assert any(re.fullmatch(r" +3\. seat \d: play .*", line) for line in shown[0])


def test_a_bot_that_crashes_gives_3_with_strict_and_what_it_wrote_is_shown() -> None:
    done = croupier_play(
        "luther", "--bot", "random", "--bot", shlex.join(bot("exits")), "--variant", "ace-high", "--strict"
    )
    assert done.returncode == 3
    assert "ace_value 14" in done.stdout
    assert re.search(r"^seat 1, exits: place 3.*, forfeited \(crash\)$", done.stdout, re.MULTILINE)
    assert re.search(r"^seat 2, random-2: place [12], score", done.stdout, re.MULTILINE)
    assert done.stderr == "seat 1, exits, wrote to its standard error:\nno brain today\n"


def test_a_person_plays_by_number_and_by_text_is_told_what_is_wrong_and_resigns(tmp_path: Path) -> None:
    record = tmp_path / "record"
    with Terminal(
        "brujas", "--bot", "random", "--human", "--options", "start_seat=1", "--save", str(record)
    ) as terminal:
        shown = terminal.until(PROMPT)
        assert "Brujas del Sabado: you are seat 1, of seats 0 to 2\n" in shown
        assert re.search(r"^  hand +\[\w\w( \w\w)+\]$", shown, re.MULTILINE)
        legal = dict(re.findall(r"(\d+)\. (play \w+)", shown))
        terminal.type("99\n")
        assert "'99' is no action: expected" in terminal.until(PROMPT)
        terminal.type("move up\n")
        assert "'move up' is not legal now: expected a number from 1 to " in terminal.until(PROMPT)
        terminal.type(f" {legal['2']} \n")
        shown = terminal.until(PROMPT)
        assert f"* card played: seat 1, card {legal['2'].removeprefix('play ')}" in shown
        terminal.type("1\n")
        terminal.until(PROMPT)
        terminal.type(CTRL_D)
        assert "seat 1, human: place 3, score" in terminal.rest()
        assert terminal.ended() == 0
    play = verify(record.read_bytes()).play
    assert [forfeit.reason for forfeit in play.result.forfeits] == [ForfeitReason.RESIGNED]
    assert play.illegal_answers == ()
    assert play.spec.game.action_text(next(d.action for d in play.decisions if d.seat == 1)) == legal["2"]


def test_a_person_plays_a_match_to_its_end() -> None:
    with Terminal("jekyll", "--human") as terminal:
        while PROMPT in terminal.until(PROMPT, "end: normal\n"):
            terminal.type("1\n")
        assert re.search(r"^seat 0, human: place \d, score \d$", terminal.rest(), re.MULTILINE)
        assert terminal.ended() == 0


def test_ctrl_c_ends_a_match_with_130() -> None:
    with Terminal("jekyll", "--human") as terminal:
        terminal.until(PROMPT)
        terminal.process.send_signal(signal.SIGINT)
        assert "Traceback" not in terminal.rest()
        assert terminal.ended() == 130


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["luter"], "there is no game 'luter'; did you mean 'luther'?"),
        (["luther", "--variant", "ace-hi"], "luther has no variant 'ace-hi'; did you mean 'ace-high'?"),
        (["luther", "--options", "ace_valu=1"], "luther has no option 'ace_valu'; did you mean 'ace_value'?"),
        (["luther", "--options", "ace_value=2"], "luther: ace_value = 2 is not possible; expected 1 or 14"),
        (["luther", "--options", "run_wrap=yes"], "luther: run_wrap = 'yes' is not possible; expected true or false"),
        (["luther", "--options", "sets"], "--options: found 'sets'; expected KEY=VALUE, with every key once"),
        (["luther", "--players", "2"], "luther is for 3 or 4 or 5 players, not for 2"),
        (["jekyll", *["--bot", "random"] * 3], "found 3 seats taken; expected at most 2"),
        (["jekyll", "--bot", ""], "--bot: found no command; expected one, or random"),
        (["jekyll", "--bot", "'"], '--bot "\'": No closing quotation'),
        (
            ["jekyll", "--bot", "./none"],
            "--bot './none': found './none'; expected a program that can be run, seen from",
        ),
        (["jekyll", "--human"], "--human is for a terminal; expected one as the standard input"),
        (["jekyll", "--human", "--human"], "found --human 2 times; expected one person at the keyboard"),
        (["jekyll", "--clock", "bnk=1"], "--clock: there is no 'bnk'; did you mean 'bank'?"),
        (["jekyll", "--clock", "bank=1e9"], "--clock: bank: found '1e9'; expected seconds, from 0 to 86400"),
        (["jekyll", "--clock", "bank=0", "increment=0"], "--clock: found no time to think"),
        (["jekyll", "--seed", "xyz"], "--seed: found 'xyz'; expected 1 to 64 hexadecimal digits"),
        (["jekyll", "--save", "none/record"], "--save: cannot write none/record; expected a file in a folder that"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_refused_with_2_and_clear_words(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"croupier play: {words}")
