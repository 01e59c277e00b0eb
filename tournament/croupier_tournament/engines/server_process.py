"""A server as a child process of the runner."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from croupier_server.launcher.client import Launcher
from croupier_tournament.engines.server_line import ServerError, ServerLine

_START_SECONDS = 30.0
_END_SECONDS = 10.0


@contextlib.asynccontextmanager
async def server_process(
    *, listen: str, store: str, keepalive_timeout_ms: int, log: Path, launcher: Launcher
) -> AsyncIterator[ServerLine]:
    """A server for the block, drained at its end; raises ServerError when it cannot start.

    The launcher ends it when this process is killed, and so does the end of the control line.
    """
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", "-m", "croupier", "serve", "--listen", listen, "--store", store]
    command += ["--keepalive-timeout-ms", str(keepalive_timeout_ms), "--control-fd", str(theirs.fileno())]
    with theirs, log.open("ab") as log_file:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log_file,
            stderr=log_file,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,  # Ctrl-C is for the runner, which then ends the server
        )
    launcher.adopt(process.pid)
    line = ServerLine(*await asyncio.open_connection(sock=ours))
    try:
        try:
            async with asyncio.timeout(_START_SECONDS):
                await line.listen()
        except TimeoutError:
            raise ServerError(f"the server did not start within {_START_SECONDS:g} seconds; see {log}") from None
        try:
            yield line
        finally:
            await line.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_END_SECONDS):
                    await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
