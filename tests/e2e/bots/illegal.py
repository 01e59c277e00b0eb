"""Answers every turn with an action that is not there."""

from tests.e2e.bots.stub import Stream, play

from croupier.v1 import play_service_pb2 as pb


def on_turn(stream: Stream, turn: pb.Turn) -> None:
    stream.answer(turn, index=len(turn.legal_actions))


def on_error(stream: Stream, error: pb.Error) -> None:
    if error.code == pb.ERROR_CODE_ILLEGAL_ACTION and error.strikes < 3:
        stream.say(act=pb.Act(match_id=error.match_id, turn_id=error.turn_id, index=10**9))


play(on_turn, on_error)
