"""Children, the fast way and the way that every kernel can."""

from __future__ import annotations

import subprocess
from contextlib import ExitStack

from croupier_server.launcher.processes import children, children_by_scan


def test_both_ways_find_the_same_children() -> None:
    with ExitStack() as stack:
        mine = set()
        for _ in range(3):
            child = stack.enter_context(subprocess.Popen(["sleep", "100"]))
            stack.callback(child.kill)
            mine.add(child.pid)
        assert mine <= set(children())
        assert set(children_by_scan()) >= mine
