"""Says "ready", waits for a line, opens the store at the URL given, making it if it is missing, and says "made"."""

from __future__ import annotations

import sys

from croupier_server.store import Access, open_store

print("ready", flush=True)
sys.stdin.readline()
open_store(sys.argv[1], Access.CREATE).close()
print("made", flush=True)
