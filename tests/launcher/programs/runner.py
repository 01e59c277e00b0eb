"""A runner: two unruly bots and a child of its own, adopted. argv: folder of the bots, folder where pids are put."""

import asyncio
import os
import sys
from pathlib import Path

from croupier_server.launcher.client import Launch, Launcher

FOLDER, FAMILY = Path(sys.argv[1]), Path(sys.argv[2])
UNRULY = Path(__file__).with_name("unruly.py")


async def main() -> None:
    async with Launcher.start() as launcher:
        server = await asyncio.create_subprocess_exec("sleep", "1000", start_new_session=True)
        launcher.adopt(server.pid)
        for name in ("ann", "bob"):
            command = (sys.executable, "-S", str(UNRULY), str(FAMILY))
            await launcher.launch(Launch(name=name, command=command, folder=FOLDER / name))
        (FAMILY / f"server.{server.pid}").touch()
        (FAMILY / f"runner.{os.getpid()}").touch()
        await asyncio.Event().wait()


asyncio.run(main())
