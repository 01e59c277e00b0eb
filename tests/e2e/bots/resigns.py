"""Gives up at its second turn."""

from tests.e2e.bots.stub import Stream, play

from croupier.v1 import play_service_pb2 as pb


def on_turn(stream: Stream, turn: pb.Turn) -> None:
    if turn.turn_id == 2:
        stream.say(resign=pb.Resign(match_id=turn.match_id))
    else:
        stream.answer(turn)


play(on_turn)
