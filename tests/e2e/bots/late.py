"""Lets its first turn run out, answers it then, and from there on plays properly."""

from tests.e2e.bots.stub import Stream, play

from croupier.v1 import play_service_pb2 as pb

late: list[pb.Turn] = []


def on_turn(stream: Stream, turn: pb.Turn) -> None:
    if turn.turn_id == 1:
        late.append(turn)
    else:
        stream.answer(turn)


def on_error(stream: Stream, error: pb.Error) -> None:
    if error.code == pb.ERROR_CODE_TIMED_OUT:
        stream.answer(late.pop())


play(on_turn, on_error)
