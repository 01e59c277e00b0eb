"""Opens a session as it should, and answers its first turn with bytes that are no message; then it stays."""

from __future__ import annotations

import os
import signal
from queue import SimpleQueue

import grpc
from tests.e2e.bots.stub import TOKEN

from croupier.v1 import play_service_pb2 as pb

requests: SimpleQueue[bytes] = SimpleQueue()
requests.put(pb.PlayRequest(hello=pb.Hello(token=TOKEN, protocol_version=1)).SerializeToString())
channel = grpc.insecure_channel(os.environ["CROUPIER_ADDRESS"], [("grpc.enable_http_proxy", 0)])
call: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/croupier.v1.PlayService/Play")
try:
    for data in call(iter(requests.get, None)):
        response = pb.PlayResponse.FromString(data)
        if response.HasField("match_start"):
            ready = pb.Ready(match_id=response.match_start.match_id)
            requests.put(pb.PlayRequest(ready=ready).SerializeToString())
        if response.HasField("turn"):
            requests.put(b"\xff" * 100)
except grpc.RpcError:
    signal.pause()
