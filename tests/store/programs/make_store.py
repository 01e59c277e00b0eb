"""Says "ready"; then, for every line with a URL, opens the store there, making it if it is missing, and says "made"."""

from __future__ import annotations

import sys

from croupier_server.store import Access, open_store

print("ready", flush=True)
for line in sys.stdin:
    open_store(line.rstrip("\n"), Access.CREATE).close()
    print("made", flush=True)
