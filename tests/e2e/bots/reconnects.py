"""Loses its connection at its second turn, and takes up its session over another; argv[1] says whether: yes or no."""

import signal
import sys

from tests.e2e.bots.stub import Stream, play

from croupier.v1 import play_service_pb2 as pb


def until_second_turn(stream: Stream) -> tuple[str, pb.Turn]:
    """Plays so far; the resume token and the turn."""
    token = ""
    for response in stream:
        match response.WhichOneof("payload"):
            case "welcome":
                token = response.welcome.resume_token
            case "match_start":
                stream.say(ready=pb.Ready(match_id=response.match_start.match_id))
            case "turn" if response.turn.turn_id == 2:
                return token, response.turn
            case "turn":
                stream.answer(response.turn)
    raise AssertionError("the match ended before the second turn")


stream = Stream()
stream.hello()
resume_token, turn = until_second_turn(stream)
stream.cut()
if sys.argv[1] == "no":
    signal.pause()
stream = Stream()
known = pb.ResumedMatch(match_id=turn.match_id, last_sequence=turn.last_sequence)
stream.say(resume=pb.Resume(resume_token=resume_token, matches=[known]))
play(Stream.answer, stream=stream)
