"""The bare server: a grpc.aio ping-pong with the transport settings of the real one. No rules, no log, no clock.

It answers every request of a stream with a response. Prints its address and serves until it is killed.
"""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

import grpc.aio

from bare import next_turn, padding_for, ping
from croupier.v1 import play_service_pb2 as pb
from croupier_server.service.play import SERVICE
from croupier_server.service.server import Settings, transport_options

_LISTEN = "127.0.0.1:0"


def bare_handler(response_bytes: int) -> grpc.GenericRpcHandler:
    """Ping-pong under the name of PlayService, with responses of this size."""
    padding = bytes(padding_for(response_bytes, lambda length: ping(1, bytes(length)).ByteSize()))

    async def play(_requests: Any, context: grpc.aio.ServicerContext[pb.PlayRequest, pb.PlayResponse]) -> None:
        while isinstance(request := await context.read(), pb.PlayRequest):
            await context.write(ping(next_turn(request.act.turn_id), padding))

    method: grpc.RpcMethodHandler[pb.PlayRequest, pb.PlayResponse] = grpc.stream_stream_rpc_method_handler(
        play, pb.PlayRequest.FromString, pb.PlayResponse.SerializeToString
    )
    return grpc.method_handlers_generic_handler(SERVICE, {"Play": method})


async def _serve(response_bytes: int) -> None:
    server = grpc.aio.server(options=transport_options(Settings(_LISTEN, keepalive_timeout_ms=120_000)))
    server.add_generic_rpc_handlers((bare_handler(response_bytes),))
    port = server.add_insecure_port(_LISTEN)
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


def main() -> None:
    """Serves until it is killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--response-bytes", type=int, required=True)
    asyncio.run(_serve(parser.parse_args().response_bytes))


if __name__ == "__main__":
    main()
