"""Virtual environments of their own, and commands that run away from the repository."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

SECONDS = 240.0  # for the longest command: an installation over a slow line
_OURS = ("PYTHONPATH", "VIRTUAL_ENV")


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    @property
    def croupier(self) -> Path:
        """Its command."""
        return self.folder / "bin" / "croupier"

    def pip(self, *arguments: str | Path) -> str:
        """Runs this interpreter's pip on it, and returns what that prints; fails the test when it fails."""
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", self.python)
        return succeeds(*pip, *arguments).stdout

    @property
    def packages(self) -> set[str]:
        """The names of the distributions in it."""
        return {line.partition("==")[0].partition(" @ ")[0] for line in self.pip("freeze").split("\n") if line}


def make_environment(folder: Path, *requirements: str) -> None:
    """A fresh environment with what is required, from the index that pip is told to use."""
    venv.create(folder)
    Environment(folder).pip("install", "--quiet", "--no-compile", *requirements)


def run(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, in another folder than the repository's and without what points there."""
    env = {key: value for key, value in os.environ.items() if key not in _OURS}
    return subprocess.run(
        [*map(str, command)], cwd=cwd or "/", env=env, capture_output=True, text=True, timeout=SECONDS, check=False
    )


def succeeds(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The same; fails the test with all that the command said when it does not exit with 0."""
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, f"{command} exited with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done
