"""PlayService: one call is one stream of one session. Reads requests and hands them to lobby and matches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from croupier.v1 import play_service_pb2 as pb
from croupier_server.match.signals import Answered, Ready, Resigned
from croupier_server.service.limits import Limits
from croupier_server.service.lobby import Lobby
from croupier_server.service.session import SeatLink, Session
from croupier_server.service.stream import FatalError, Stream

log = logging.getLogger(__name__)

SERVICE = pb.DESCRIPTOR.services_by_name["PlayService"].full_name


class PlayService:
    """The handler of Play. Messages are bytes here, so that what cannot be read is answered and not only dropped."""

    def __init__(self, lobby: Lobby, limits: Limits) -> None:
        self._lobby, self._limits = lobby, limits

    def handler(self) -> grpc.GenericRpcHandler:
        """What a grpc.aio server is given."""
        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self.play)
        return grpc.method_handlers_generic_handler(SERVICE, {"Play": method})

    async def play(self, _requests: Any, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        """One stream, from its first message to its status."""
        stream = Stream(context, self._limits)
        reader = asyncio.create_task(self._read(context, stream))
        writer = asyncio.create_task(stream.write_all())
        try:
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
            stream.close()
            await asyncio.wait({writer}, timeout=self._limits.flush_seconds)
        finally:
            for task in (reader, writer):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, grpc.aio.BaseError):
                    await task
            stream.ended.set()
        if stream.fatal is not None:
            await context.abort(stream.fatal.status, stream.fatal.message)

    async def _read(self, context: grpc.aio.ServicerContext[bytes, bytes], stream: Stream) -> None:
        session: Session | None = None
        try:
            session = await self._open(context, stream)
            while isinstance(data := await context.read(), bytes):
                self._handle(session, _parse(data))
                if session.refused and (pause := session.pause(asyncio.get_running_loop().time())):
                    await asyncio.sleep(pause)
        except FatalError as fatal:
            stream.close(fatal)
        except Exception:
            log.exception("a fault of the host in session %s", session.session_id if session else "(none)")
            stream.close(FatalError(pb.ERROR_CODE_INTERNAL, "a fault of the server"))
        finally:
            if session is not None:
                self._lobby.lost(session, stream, asyncio.get_running_loop().time())

    async def _open(self, context: grpc.aio.ServicerContext[bytes, bytes], stream: Stream) -> Session:
        try:
            data = await asyncio.wait_for(context.read(), self._limits.hello_seconds)
        except TimeoutError:
            text = f"no Hello within {self._limits.hello_seconds:g} seconds"
            raise FatalError(pb.ERROR_CODE_PROTOCOL_MISUSE, text) from None
        if not isinstance(data, bytes):
            raise FatalError(pb.ERROR_CODE_PROTOCOL_MISUSE, "the stream ended before Hello")
        request = _parse(data)
        match request.WhichOneof("payload"):
            case "hello":
                return self._lobby.hello(request.hello, stream)
            case "resume":
                return self._lobby.resume(request.resume, stream)
            case other:
                raise FatalError(
                    pb.ERROR_CODE_PROTOCOL_MISUSE, f"the first message must be hello or resume, not {other}"
                )

    def _handle(self, session: Session, request: pb.PlayRequest) -> None:
        match request.WhichOneof("payload"):
            case "act":
                if link := self._link(session, request.act.match_id):
                    link.match.feed(self._answer(link, request.act))
            case "ready":
                if link := self._link(session, request.ready.match_id):
                    link.match.feed(Ready(link.seat))
            case "resign":
                if link := self._link(session, request.resign.match_id):
                    link.match.feed(Resigned(link.seat))
            case other:
                raise FatalError(pb.ERROR_CODE_PROTOCOL_MISUSE, f"{other} makes no sense in an open session")

    def _link(self, session: Session, match_id: str) -> SeatLink | None:
        link = session.seats.get(match_id)
        if link is None:
            text = "the match is not one of this session's, or it is over"
            error = pb.Error(code=pb.ERROR_CODE_UNKNOWN_MATCH, message=text, match_id=match_id[:64])
            session.refuse(pb.PlayResponse(error=error).SerializeToString())
        return link

    def _answer(self, link: SeatLink, act: pb.Act) -> Answered:
        note = act.note.encode()[: self._limits.note_bytes].decode(errors="ignore")
        choice: Any = None
        match act.WhichOneof("choice"):
            case "index":
                choice = act.index
            case "action":
                with contextlib.suppress(ValueError):
                    choice = link.match.wire.read_action(act.action)
        return Answered(link.seat, act.turn_id, choice, note)


def _parse(data: bytes) -> pb.PlayRequest:
    try:
        return pb.PlayRequest.FromString(data)
    except DecodeError:
        raise FatalError(pb.ERROR_CODE_PROTOCOL_MISUSE, "the message is no PlayRequest") from None
