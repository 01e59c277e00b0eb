"""The Croupier SDK: write a bot as a class with one method, and play it.

    import croupier

    class MyBot(croupier.Bot):
        def act(self, turn):
            return self.luck.choice(turn.legal)

    croupier.play(MyBot)

The wire's messages are in `croupier.v1`. Importing this package loads neither grpc nor protobuf; `play` does.
"""

from croupier._bot import RESIGN, Answer, Bot, Choice, Resign
from croupier._errors import ConnectionLost, CroupierError, ProtocolError, RefusedError
from croupier._play import play, play_async
from croupier._turn import AnyEnd, AnyTurn, AnyUpdate, End, Match, Move, Turn, Update
from croupier._version import VERSION

__all__ = [
    "RESIGN",
    "VERSION",
    "Answer",
    "AnyEnd",
    "AnyTurn",
    "AnyUpdate",
    "Bot",
    "Choice",
    "ConnectionLost",
    "CroupierError",
    "End",
    "Match",
    "Move",
    "ProtocolError",
    "RefusedError",
    "Resign",
    "Turn",
    "Update",
    "play",
    "play_async",
]
