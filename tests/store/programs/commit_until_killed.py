"""Plays the cup "first" of the store at the URL given, and says the match_id of each match when its commit is told."""

from __future__ import annotations

import os
import sys
from concurrent.futures import Future
from functools import partial

from tests.store.samples import attempt, finished

from croupier_server.store import Access, open_store, reads, writes


def say(match_id: str, future: Future[None]) -> None:
    future.result()
    os.write(1, f"{match_id}\n".encode())  # at once, in one piece


with open_store(sys.argv[1], Access.WRITE) as store, store.run_lock("first"), store.writer() as writer:
    writer.submit(writes.mark_interrupted, "first", "killed").result()
    scheduled = store.read(reads.cup, "first").matches_scheduled
    over = {row.number for row in store.read(reads.matches, "first")}
    for number in range(1, scheduled + 1):
        if number not in over:
            match_id = f"{os.getpid()}-{number}"
            writer.submit(writes.begin_attempt, attempt(match_id, number))
            writer.submit(writes.commit_match, finished(match_id)).add_done_callback(partial(say, match_id))
