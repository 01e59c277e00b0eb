"""The benchmark runs, and its figures hang together. How fast anything is, is not judged here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "referee.py"
FLIGHTS = (1, 8, 64)


def test_the_referee_is_measured_beside_bare_grpc_at_1_8_and_64_turns_in_flight(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    short = ["--repeat", "1", "--warm-up", "0.05", "--seconds", "0.2", "--json", str(file)]
    command = [sys.executable, str(SCRIPT), "--turns", *map(str, FLIGHTS), *short]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr

    printed = [line.split("|") for line in done.stdout.splitlines() if line[:8].strip().isdigit()]
    assert [int(cells[0]) for cells in printed] == list(FLIGHTS)
    for cells in printed:
        (*_, rate_ratio), (*_, cpu_ratio) = cells[1].split(), cells[2].split()
        assert float(rate_ratio) > 0
        assert float(cpu_ratio) > 0

    results = json.loads(file.read_text())["results"]
    assert [row["turns_in_flight"] for row in results] == list(FLIGHTS)
    for row in results:
        (pair,) = row["pairs"]
        real, bare = pair["real"], pair["bare"]
        assert (bare["request_bytes"], bare["response_bytes"]) == (real["request_bytes"], real["response_bytes"])
        figures = [value for side in (real, bare) for name, value in side.items() if name != "other_cores"]
        assert min(figures) > 0
