"""Holds the right to run the cup "first" of the store at the URL given until a line comes; says "held" or why not."""

from __future__ import annotations

import sys

from croupier_server.store import Access, CupBusyError, open_store

try:
    with open_store(sys.argv[1], Access.WRITE) as store, store.run_lock("first"):
        print("held", flush=True)
        sys.stdin.readline()
except CupBusyError as error:
    print(error, flush=True)
