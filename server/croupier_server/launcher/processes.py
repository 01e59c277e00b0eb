"""What Linux tells about processes and does to them: children, parents' deaths, ends. It knows nothing of bots.

Everything that kills here works on direct children that only this process reaps, so a pid that was given to another
process in the meantime is never hit. With a child subreaper that is enough to end a whole tree: whoever loses its
parent becomes a direct child, and the tree is gone when there is no child left.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

# Places in /proc/PID/stat, counted from behind the command's closing parenthesis: fields 4 and 22 of its manual.
_PARENT = 1
_START_TIME = 19


class Reaped(NamedTuple):
    """What `reap` found."""

    ended: dict[int, int]  # pid to wait status
    childless: bool  # no child is left, so nothing below this process is


def become_subreaper() -> None:
    """From now on orphans below this process become its children instead of init's; OSError if the kernel refuses."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int, signum: signal.Signals) -> None:
    """Have the kernel send `signum` to this process when the process `parent`, which must be its parent, ends.

    A parent that ended before the call counts too. The wish survives exec, but for set-user-ID programs.
    """
    _prctl(_PR_SET_PDEATHSIG, signum)
    if os.getppid() != parent:
        os.kill(os.getpid(), signum)


def children() -> tuple[int, ...]:
    """The direct children of this process, which has one thread; those that ended and were not reaped included."""
    try:
        return tuple(map(int, Path("/proc/thread-self/children").read_bytes().split()))
    except FileNotFoundError:  # a kernel without CONFIG_PROC_CHILDREN
        return children_by_scan()


def children_by_scan() -> tuple[int, ...]:
    """The same as `children`, from a walk over all processes: slower, but every kernel can."""
    me = os.getpid()
    pids = (int(entry.name) for entry in os.scandir("/proc") if entry.name.isdecimal())
    return tuple(pid for pid in pids if _stat(pid, _PARENT) == me)


def start_time(pid: int) -> int | None:
    """When the process started, in clock ticks since boot; with the pid it names a process. None if there is none."""
    return _stat(pid, _START_TIME)


def kill_children(spare: Collection[int] = ()) -> None:
    """SIGKILL the process groups of all direct children but `spare`; call it again until `reap` says childless.

    The groups, since the kernel kills a group in one step that no fork slips through.
    """
    groups = {os.getpgid(pid) for pid in children() if pid not in spare}
    for group in groups - {os.getpgrp()}:
        signal_group(group, signal.SIGKILL)


def signal_group(group: int, signum: signal.Signals) -> None:
    """Send to the process group of a child; nothing happens when it has moved on or runs as another user."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signum)


def reap() -> Reaped:
    """Collect all children that have ended, without waiting."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return Reaped(ended, childless=True)
        if pid == 0:
            return Reaped(ended, childless=False)
        ended[pid] = status


def group_is_empty(group: int) -> bool:
    """Whether no process of the group is left; one that ended and was not reaped counts as left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def describe_end(code: int) -> str:
    """An exit code as `subprocess` gives it (negative: a signal) in words: "exit status 3", "killed by SIGSEGV"."""
    if code >= 0:
        return f"exit status {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:  # a real-time signal
        return f"killed by signal {-code}"


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int) -> None:
    if _libc().prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl({option}, {value}): {os.strerror(code)}")


def _stat(pid: int, field: int) -> int | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(text.rpartition(b")")[2].split()[field])
