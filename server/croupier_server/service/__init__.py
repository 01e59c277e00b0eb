"""The gRPC shell around the referee: streams, sessions, access, running matches. It moves bytes and decides nothing.

The event-engine switch must be set before grpc is imported for the first time; grpc.aio is about 1.5 times as fast
without it (docs/decisions/0005-event-engine.md).
"""

import os

os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
