"""What a cup looks like on a terminal of 80 columns: a live table while it runs, and nothing cut or wrapped."""

from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import sys
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

from tests.e2e.support import Cup, bot

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
HEADER = ["#", "bot", "Elo", "±", "seq.", "matches", "wins", "draws", "losses", "forf.", "ms/turn"]


def on_a_terminal(cup: Cup, *, columns: int) -> list[str]:
    """All lines that `croupier cup run` ever shows, without colours."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    command = [sys.executable, "-m", "croupier", "cup", "run", cup.file.name]
    env = os.environ | {"TERM": "xterm-256color"}
    with subprocess.Popen(command, cwd=cup.folder, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 1 << 16):
                shown += chunk
        except OSError:  # how a terminal tells that everybody has left it
            pass
        finally:
            os.close(ours)
            process.kill()
    assert process.returncode == 0
    return [line.strip() for line in re.split(r"[\r\n]+", ESCAPES.sub("", shown.decode()))]


def test_table_and_progress_fit_a_terminal_of_80_columns(tmp_path: Path) -> None:
    cup = Cup(tmp_path, {"fourteen-chars": bot("exits"), "ann": bot("honest")}, {"blocks": 2, "parallel": 4})
    lines = on_a_terminal(cup, columns=80)
    assert len([line for line in lines if line.split() == HEADER]) >= 2  # live, and at the end
    assert max(len(line) for line in lines if not line.startswith("match ")) <= 80
    rows = [line.split() for line in lines if line.startswith(("1  ann", "2  fourteen-chars"))]
    assert all(len(row) == len(HEADER) for row in rows)
    assert [row[1] for row in rows[-2:]] == ["ann", "fourteen-chars"]
    assert any(re.search(r"cup small .* 4/4 ", line) for line in lines)
    assert "results: cups/small/results.json, cups/small/results.csv" in lines
