"""Plays properly, and leaves a child, a session and a daemon behind that sleep for ever."""

import subprocess

from tests.e2e.bots.stub import Stream, play

SLEEP = ["sleep", "infinity"]
subprocess.Popen(SLEEP)
subprocess.Popen(SLEEP, start_new_session=True)
subprocess.run(["sh", "-c", "setsid env -i sleep infinity &"], check=True)
play(Stream.answer)
