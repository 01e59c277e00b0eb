"""How long a process waited for a processor: the host's share of a bot's time, as the kernel measures it."""

from __future__ import annotations

import os


def run_queue_delay_us(pid: int) -> int | None:
    """Microseconds that the threads of the process have waited on a run queue, ready but not running, all together.

    It grows from the start of each thread, so take differences; it falls when a thread ends. None when the process is
    gone or the kernel does not tell. No file is kept open and nothing is raised.
    Source: the second number of /proc/PID/task/TID/schedstat, nanoseconds.
    """
    total = 0
    counted = False
    try:
        with os.scandir(f"/proc/{pid}/task") as threads:
            for thread in threads:
                waited = _waited_ns(f"{thread.path}/schedstat")
                if waited is not None:
                    total += waited
                    counted = True
    except OSError:
        return None
    return total // 1000 if counted else None


def _waited_ns(path: str) -> int | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # the thread has ended
        return None
    try:
        return int(os.read(descriptor, 96).split()[1])
    except (OSError, IndexError, ValueError):
        return None
    finally:
        os.close(descriptor)
