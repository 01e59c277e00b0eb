"""The store: cups and their schedules, every attempt, every outcome with its record, and the standings, exactly once.

    with open_store(url, Access.CREATE) as store, store.run_lock("first"), store.writer() as writer:
        writer.submit(writes.create_cup, new_cup).result()
        page = store.read(reads.matches, "first", limit=100)

`reads` and `writes` hold what can be asked and done. No asyncio, no gRPC, no Protobuf, no games: the values of `rows`
come in and go out, records are bytes, and the caller tells the time. `Connection` is what their functions are handed;
others pass it on.
"""

from sqlalchemy import Connection

from croupier_server.store import reads, writes
from croupier_server.store.errors import (
    AlreadyCommittedError,
    CupBusyError,
    CupExistsError,
    StoreError,
    UnknownCupError,
)
from croupier_server.store.opening import Access, Store, open_store
from croupier_server.store.rows import (
    AttemptRow,
    AttemptState,
    BlockRow,
    CupRow,
    CupSetup,
    EntrantRow,
    FinishedMatch,
    ForfeitReason,
    Isolation,
    MatchRow,
    NewAttempt,
    NewCup,
    NewEntrant,
    RecordRow,
    SeatForfeit,
    SeatRow,
    StandingRow,
    Standings,
    Termination,
    Walkover,
)
from croupier_server.store.writer import Writer

__all__ = [
    "Access",
    "AlreadyCommittedError",
    "AttemptRow",
    "AttemptState",
    "BlockRow",
    "Connection",
    "CupBusyError",
    "CupExistsError",
    "CupRow",
    "CupSetup",
    "EntrantRow",
    "FinishedMatch",
    "ForfeitReason",
    "Isolation",
    "MatchRow",
    "NewAttempt",
    "NewCup",
    "NewEntrant",
    "RecordRow",
    "SeatForfeit",
    "SeatRow",
    "StandingRow",
    "Standings",
    "Store",
    "StoreError",
    "Termination",
    "UnknownCupError",
    "Walkover",
    "Writer",
    "open_store",
    "reads",
    "writes",
]
