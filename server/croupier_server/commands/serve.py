"""`croupier serve`: runs the server as a process of its own."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from croupier_server.service.control import ControlLine
from croupier_server.service.server import AddressError, Server, Settings
from croupier_server.store import Store, StoreError, open_store


def serve(argv: Sequence[str]) -> int:
    """Runs the server: bots play over PlayService, everybody reads over ArenaService."""
    parser = argparse.ArgumentParser(prog="croupier serve", description=serve.__doc__)
    parser.add_argument("--store", metavar="URL", help="what ArenaService reads, e.g. sqlite:///cup.sqlite")
    parser.add_argument("--listen", metavar="ADDRESS", default="127.0.0.1:50051", help="HOST:PORT or unix:PATH")
    parser.add_argument("--keepalive-timeout-ms", type=int, default=120_000, metavar="MS")
    parser.add_argument("--control-fd", type=int, help=argparse.SUPPRESS)  # for the cup runner
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    settings = Settings(args.listen, args.keepalive_timeout_ms)
    with ExitStack() as stack:
        try:
            store = stack.enter_context(open_store(args.store)) if args.store else None
            asyncio.run(_run(settings, store, args.control_fd))
        except (StoreError, AddressError) as error:
            print(f"croupier serve: {error}", file=sys.stderr)
            return 2
    return 0


async def _run(settings: Settings, store: Store | None, control_fd: int | None) -> None:
    line = None if control_fd is None else await ControlLine.open(control_fd)
    try:
        server = Server(settings, store, line)
    except AddressError as error:
        if line is not None:
            line.failed(str(error))
            await line.close()
        raise
    await server.start()
    if line is None:
        print(f"croupier serves on {server.address}", flush=True)
    await server.run()
