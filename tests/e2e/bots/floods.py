"""Sends many answers to a turn that never was, argv[1] of them, after its answer to the first turn."""

import sys

from tests.e2e.bots.stub import Stream, play

from croupier.v1 import play_service_pb2 as pb

COUNT = int(sys.argv[1])


def on_turn(stream: Stream, turn: pb.Turn) -> None:
    stream.answer(turn)
    if turn.turn_id == 1:
        for _ in range(COUNT):
            stream.say(act=pb.Act(match_id=turn.match_id, turn_id=10**6, index=0))


play(on_turn)
