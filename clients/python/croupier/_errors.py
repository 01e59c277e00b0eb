"""What can go wrong for a bot, as one family of exceptions. No protobuf here: `import croupier` stays light."""

from __future__ import annotations


class CroupierError(Exception):
    """Whatever this library raises on its own account, from missing settings to a lost connection."""


class ProtocolError(CroupierError):
    """One side broke the protocol: the bot's answer means nothing, or the server said something impossible."""


class RefusedError(CroupierError):
    """The server does not want this session, for good; connecting again would not help.

    `code` is the number of an ErrorCode in play_service.proto.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class ConnectionLost(CroupierError):  # noqa: N818  # the name that every language's SDK uses
    """The server could not be reached any more, for longer than a match waits for its bots."""


for _error in (CroupierError, ProtocolError, RefusedError, ConnectionLost):
    _error.__module__ = "croupier"  # tracebacks show the public name
del _error
