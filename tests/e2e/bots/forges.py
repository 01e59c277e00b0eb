"""Comes with a wrong token, says what came of it, and stays."""

import signal
import sys

import grpc
from tests.e2e.bots.stub import Stream

stream = Stream()
stream.hello(token="a guess")
try:
    for _ in stream:
        pass
except grpc.RpcError as error:
    print(error.code(), file=sys.stderr, flush=True)
signal.pause()
