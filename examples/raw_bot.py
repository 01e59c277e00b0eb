"""A bot from the generated stubs alone: it plays uniformly at random, in any game, without the croupier library.

This is all that a bot in any language has to do. It does not resume a lost stream; the libraries do.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from queue import SimpleQueue

import grpc

from croupier.v1 import play_service_pb2 as pb
from croupier.v1.play_service_pb2_grpc import PlayServiceStub


def answers(responses: Iterator[pb.PlayResponse]) -> Iterator[pb.PlayRequest]:
    """What to say to each response; ends when nothing more can come, and the program when the server refuses it."""
    luck: dict[str, random.Random] = {}  # of each running match
    draining = False
    for response in responses:
        match response.WhichOneof("payload"):
            case "match_start":
                start = response.match_start
                luck[start.match_id] = random.Random(start.bot_seed)
                yield pb.PlayRequest(ready=pb.Ready(match_id=start.match_id))
            case "turn":
                turn = response.turn
                index = luck[turn.match_id].randrange(len(turn.legal_actions))
                yield pb.PlayRequest(act=pb.Act(match_id=turn.match_id, turn_id=turn.turn_id, index=index))
            case "match_end":
                del luck[response.match_end.match_id]
            case "draining":
                draining = True
            case "error" if response.error.fatal:
                sys.exit(f"raw_bot: {pb.ErrorCode.Name(response.error.code)}: {response.error.message}")
        if draining and not luck:
            return


def main() -> None:
    """Opens a session and plays it to its end."""
    requests: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()  # None: nothing more will be said
    requests.put(pb.PlayRequest(hello=pb.Hello(token=os.environ["CROUPIER_TOKEN"], protocol_version=1, sdk="raw")))
    with grpc.insecure_channel(os.environ["CROUPIER_ADDRESS"], [("grpc.enable_http_proxy", 0)]) as channel:
        responses = PlayServiceStub(channel).Play(iter(requests.get, None))
        for request in answers(responses):
            requests.put(request)
        requests.put(None)
        for _ in responses:  # until the server has said goodbye as well
            pass


if __name__ == "__main__":
    main()
