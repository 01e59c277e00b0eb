"""Starts the programs of tests/store/programs and talks to them, line by line. Not a test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.store.samples import DEADLINE_S


class Program:
    """A process with pipes to and from it. What it does not say in time, the test's own timeout ends."""

    def __init__(self, name: str, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"tests.store.programs.{name}", *arguments],
            cwd=Path(__file__).resolve().parents[2],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def line(self) -> str:
        """The next line that it says; empty when it has said all."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip("\n")

    def runs(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> list[str]:
        """Ends it, if it has not ended by itself, and returns what it had said since."""
        self._process.kill()
        if self._process.stdout is None or self._process.stdout.closed:
            return []
        return self._process.communicate(timeout=DEADLINE_S)[0].splitlines()

    @property
    def was_killed(self) -> bool:
        return self._process.returncode == -9
