"""The folder of one bot, and what lies where in it. Only the bot's user may look in.

FOLDER/stdout.log, stderr.log   its output, written by its keeper
FOLDER/home                     its working directory and HOME, empty at first
FOLDER/tmp                      its TMPDIR
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class BotFolder(NamedTuple):
    """The folder at `root`, an absolute path."""

    root: Path

    @property
    def home(self) -> Path:
        """Working directory and HOME."""
        return self.root / "home"

    @property
    def temporary(self) -> Path:
        """TMPDIR."""
        return self.root / "tmp"

    @property
    def stdout(self) -> Path:
        """What the bot wrote to its standard output, capped."""
        return self.root / "stdout.log"

    @property
    def stderr(self) -> Path:
        """What the bot wrote to its standard error, capped."""
        return self.root / "stderr.log"

    def create(self) -> None:
        """Make it, and what is missing above it; FileExistsError if it is there already, so no bot finds another's."""
        self.root.parent.mkdir(parents=True, exist_ok=True)
        for path in (self.root, self.home, self.temporary):
            path.mkdir(mode=0o700)
