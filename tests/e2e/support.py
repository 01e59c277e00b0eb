"""Real cups as real processes: a cup file in a folder of its own, the command line on it, and what it left behind."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from croupier_server.launcher.processes import become_subreaper
from croupier_server.match.verify import Verified, verify
from croupier_server.store import AttemptRow, MatchRow, StoreError, open_store, reads

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[2]
BOTS = Path(__file__).with_name("bots")
EXAMPLES = ROOT / "examples"
BOTS_PATH = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
DEADLINE_SECONDS = 100.0
SECRET = "5ec2e7" + "0" * 58


def bot(name: str, *arguments: str) -> list[str]:
    """The command of one of the bots beside this module."""
    return ["{python}", str(BOTS / f"{name}.py"), *arguments]


def example(name: str) -> list[str]:
    """The command of one of the examples."""
    return ["{python}", str(EXAMPLES / f"{name}.py")]


def until(condition: Callable[[], T], *, seconds: float = DEADLINE_SECONDS) -> T:
    """Polls until the condition gives something true, and returns that; fails when it does not in time."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"nothing within {seconds:g} seconds"
        time.sleep(0.01)
    return found


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str


class Running:
    """A command that runs, in a process group of its own; what it says goes to files, so that it never waits for us."""

    def __init__(self, arguments: Sequence[str], folder: Path, name: str) -> None:
        self.out, self.err = folder / f"{name}.out", folder / f"{name}.err"
        with self.out.open("w") as out, self.err.open("w") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "croupier", *arguments],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )

    def ended(self, *, seconds: float = DEADLINE_SECONDS) -> Done:
        """Waits for its end."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGTERM)
            raise AssertionError(f"still running after {seconds:g} seconds:\n{self.out.read_text()}") from None
        return Done(self.process.returncode, self.out.read_text(), self.err.read_text())

    def says(self, text: str) -> str:
        """Waits until it has said that, and returns all that it has said on stdout."""

        def said() -> str:
            assert self.process.poll() is None or text in self.out.read_text(), self.err.read_text()
            shown = self.out.read_text()
            return shown if text in shown else ""

        return until(said)


@dataclass
class Cup:
    """A cup in a folder, with the command line of whoever runs it."""

    folder: Path
    entrants: Mapping[str, Sequence[str] | None]  # name -> command; None for a remote one
    keys: Mapping[str, Any] = field(default_factory=dict)  # of [cup], beside name and game
    clock: Mapping[str, float] = field(default_factory=dict)
    strikes: int = 3
    name: str = "small"
    _commands: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file.write_text(self.text)
        (self.folder / "secret").write_text(SECRET)

    @property
    def file(self) -> Path:
        return self.folder / "cup.toml"

    @property
    def home(self) -> Path:
        """Where it keeps everything."""
        return self.folder / "cups" / self.name

    @property
    def store(self) -> str:
        return f"sqlite:///{self.home / 'store.sqlite'}"

    @property
    def text(self) -> str:
        """The cup file."""
        lines = ["[cup]", f'name = "{self.name}"', 'game = "jekyll"']
        lines += [f"{key} = {json.dumps(value)}" for key, value in ({"blocks": 1} | dict(self.keys)).items()]
        lines += ["[clock]", *[f"{key}_seconds = {value}" for key, value in self.clock.items()]]
        lines += ["[policy]", f"strikes = {self.strikes}"]
        for name, command in self.entrants.items():
            how = ["remote = true"] if command is None else [f"command = {json.dumps(command)}"]
            env = [] if command is None else [f'env = {{ PYTHONPATH = "{BOTS_PATH}" }}']
            lines += ["[[entrant]]", f'name = "{name}"', *how, *env]
        return "\n".join(lines) + "\n"

    def begin(self, command: str, *arguments: str) -> Running:
        """Starts `croupier cup COMMAND` on this cup."""
        self._commands += 1
        return Running(["cup", command, self.file.name, *arguments], self.folder, f"{self._commands}-{command}")

    def do(self, command: str, *arguments: str) -> Done:
        """`croupier cup COMMAND` on this cup, from its beginning to its end."""
        return self.begin(command, *arguments).ended()

    def play(self, *arguments: str) -> Done:
        """Runs it to its end with the secret of all tests, and checks that it got there."""
        done = self.do("run", "--secret-file", "secret", *arguments)
        assert done.code == 0, done
        return done

    # -- what it left behind

    @property
    def results(self) -> dict[str, Any]:
        """What results.json says."""
        document: dict[str, Any] = json.loads((self.home / "results.json").read_text())
        return document

    @property
    def standings_bytes(self) -> str:
        """The standings of results.json, to the byte."""
        return (self.home / "results.json").read_text().split('"standings": ')[1].split('"matches": [')[0]

    @property
    def timeless_rows(self) -> list[dict[str, str]]:
        """The rows of results.csv without their time."""
        rows = list(csv.DictReader((self.home / "results.csv").read_text().splitlines()))
        return [{key: value for key, value in row.items() if key not in ("turns", "thinking_ms")} for row in rows]

    @property
    def exists(self) -> bool:
        """Whether it is in its store."""
        try:
            self.attempts()
        except StoreError:  # not even the store is there
            return False
        return True

    def matches(self) -> tuple[MatchRow, ...]:
        """The outcomes in force."""
        with open_store(self.store) as store:
            return tuple(row for row in store.read(reads.matches, self.name) if row.current)

    def attempts(self) -> tuple[AttemptRow, ...]:
        with open_store(self.store) as store:
            return store.read(reads.attempts, self.name)

    def play_hashes(self) -> dict[int, bytes | None]:
        """By number of the match."""
        return {row.number: row.play_hash for row in self.matches()}

    def records(self) -> list[Verified]:
        """The records of all matches that were played, each verified."""
        with open_store(self.store) as store:
            rows = [store.read(reads.record, row.match_id) for row in self.matches() if row.match_id is not None]
        return [verify(row.record) for row in rows if row is not None]

    def forfeits(self, name: str) -> list[str]:
        """Why the entrant forfeited, match by match."""
        return [
            forfeit["reason"]
            for match in self.results["matches"]
            for forfeit in match["forfeits"]
            if match["entrants"][forfeit["seat"]] == name
        ]


class Descendants:
    """All processes below this one, whoever lost whom: what does not end cannot hide from it."""

    def __init__(self) -> None:
        become_subreaper()
        self._before = _below(os.getpid())

    def left(self) -> dict[int, str]:
        """Those that came since and have not ended, with their command lines."""
        found = {pid: _command(pid) for pid in _below(os.getpid()) - self._before}
        return {pid: command for pid, command in found.items() if command}

    def child(self, runner: int, word: str) -> int:
        """The child of a runner that has this word in its command line."""
        (pid,) = (pid for pid, command in self.left().items() if word in command and _parent(pid) == runner)
        return pid


def _below(ancestor: int) -> set[int]:
    """The pids of all descendants."""
    parents = {int(entry.name): _parent(int(entry.name)) for entry in os.scandir("/proc") if entry.name.isdecimal()}
    below: set[int] = set()
    found = {ancestor}
    while found:
        found = {pid for pid, parent in parents.items() if parent in found}
        below |= found
    return below


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _command(pid: int) -> str:
    """The command line; empty for one that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
