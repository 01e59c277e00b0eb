"""Plays properly, but is ready for its N-th match only once there is a file argv[1]/N, which the test makes."""

import itertools
import sys
import time
from pathlib import Path

from tests.e2e.bots.stub import Stream, play

FOLDER = Path(sys.argv[1])


def number_of_this_match() -> int:
    """Takes the first number that no match before has taken, whichever process played it."""
    for number in itertools.count(1):
        try:
            (FOLDER / f"{number}-is-there").touch(exist_ok=False)
        except FileExistsError:
            continue
        return number
    raise AssertionError("numbers end")


def wait_at_the_gate() -> None:
    gate = FOLDER / str(number_of_this_match())
    while not gate.exists():
        time.sleep(0.01)


play(Stream.answer, before_ready=wait_at_the_gate)
