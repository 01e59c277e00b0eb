"""A bot that leaves processes behind in every way there is. Each makes a file in the folder argv[1]: role.pid."""

import os
import signal
import sys
from pathlib import Path

FAMILY = Path(sys.argv[1])


def stay(role: str) -> None:
    (FAMILY / f"{role}.{os.getpid()}").touch()
    while True:
        signal.pause()


def plain() -> None:
    if os.fork() == 0:
        stay("grandchild")
    stay("child")


def session() -> None:
    os.setsid()
    stay("session")


def deaf() -> None:
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)
    stay("deaf")


def daemon() -> None:
    """As daemons do: twice forked, a session of its own, another folder, nothing open, an empty environment."""
    os.setsid()
    if os.fork():
        os._exit(0)
    os.chdir("/")
    os.closerange(0, 256)
    again = "import sys, os, signal; open(f'{sys.argv[1]}/daemon.{os.getpid()}', 'w').close(); signal.pause()"
    os.execve(sys.executable, [sys.executable, "-S", "-c", again, str(FAMILY)], {})


for becomes in (plain, session, deaf, daemon):
    if os.fork() == 0:
        becomes()
stay("bot")
