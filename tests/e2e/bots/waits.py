"""Plays properly, but is ready for the N-th match that it is started for only once there is a file argv[1]/N."""

import itertools
import sys
import time
from pathlib import Path

from tests.e2e.bots.stub import Stream, play

FOLDER = Path(sys.argv[1])


def number_of_this_match() -> int:
    """Takes the first number that no other process has taken."""
    for number in itertools.count(1):
        try:
            (FOLDER / f"{number}-is-there").touch(exist_ok=False)
        except FileExistsError:
            continue
        return number
    raise AssertionError("numbers end")


gate = FOLDER / str(number_of_this_match())
while not gate.exists():
    time.sleep(0.01)
play(Stream.answer)
