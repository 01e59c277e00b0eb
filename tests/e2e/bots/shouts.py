"""Plays properly, and writes megabytes to both of its outputs."""

import sys

from tests.e2e.bots.stub import Stream, play

from croupier.v1 import play_service_pb2 as pb


def on_turn(stream: Stream, turn: pb.Turn) -> None:
    for output in (sys.stdout, sys.stderr):
        output.write("!" * (1 << 20))
        output.flush()
    stream.answer(turn)


play(on_turn)
