"""Answers every turn first for a match that is not its own, then properly."""

from tests.e2e.bots.stub import Stream, play

from croupier.v1 import play_service_pb2 as pb


def on_turn(stream: Stream, turn: pb.Turn) -> None:
    stream.answer(turn, match_id="0" * 32)
    stream.answer(turn)


play(on_turn)
