"""Is killed in the middle of a match, as by a kernel that is out of memory."""

import os
import signal

from tests.e2e.bots.stub import Stream, play

from croupier.v1 import play_service_pb2 as pb


def on_turn(stream: Stream, turn: pb.Turn) -> None:
    if turn.turn_id == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    stream.answer(turn)


play(on_turn)
