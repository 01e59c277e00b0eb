"""The two ways in: `play` for a program that is a bot, `play_async` for one that does other things as well.

What they need is loaded when they are called, so that `import croupier` stays light.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from croupier._bot import Bot
from croupier._errors import CroupierError


def play(
    make: Callable[[], Bot], *, address: str | None = None, token: str | None = None, max_matches: int = 1
) -> None:
    """Plays every match of one session, and returns when the server has ended it, or SIGTERM the program.

    Args:
        make: A bot class, or anything else that gives a new bot object each time it is called.
        address: The server, "host:port" or "unix:path"; CROUPIER_ADDRESS when it is not given.
        token: The bot's ticket or token; CROUPIER_TOKEN when it is not given.
        max_matches: How many matches may run at a time.

    Raises:
        CroupierError: No address or token is given, or the address cannot be read.
        RefusedError: The server refused the session or ended it for good.
        ProtocolError: The server speaks something else, or `act` returned what cannot be sent.
        ConnectionLost: The server could not be reached for longer than the running matches wait for a bot.
        Exception: Whatever the bot raised.
    """
    from croupier._runner import run_until_sigterm

    try:
        run_until_sigterm(play_async(make, address=address, token=token, max_matches=max_matches))
    except CroupierError as error:
        raise error.with_traceback(None) from None  # its text says it all; the frames of this library say nothing


async def play_async(
    make: Callable[[], Bot], *, address: str | None = None, token: str | None = None, max_matches: int = 1
) -> None:
    """What `play` does, inside a running event loop and deaf to SIGTERM; cancel it to leave."""
    from croupier._runner import Runner

    address = address or _setting("CROUPIER_ADDRESS", "the server as host:port or unix:path")
    token = token or _setting("CROUPIER_TOKEN", "the bot's ticket or token")
    await Runner(make, address, token, max_matches).run()


def _setting(name: str, meaning: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise CroupierError(f"{name} is not set: expected {meaning}")
    return value
