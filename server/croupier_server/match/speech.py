"""What the referee says, as the bytes of PlayResponse.

A turn is put together from encoded pieces: its actions and events are encoded once a game and kept, and protobuf lets
the pieces of a message be joined. The test beside it checks that the result is what the library itself would write.
"""

from __future__ import annotations

import functools
from typing import Any

from croupier.v1 import match_pb2, play_service_pb2
from croupier_server.match import codec
from croupier_server.match.signals import Ask, End, Message, News, Refused, Start
from croupier_server.match.spec import MatchSpec
from croupier_server.match.timing import US
from croupier_server.match.wire import wire_of
from croupier_server.rules import Seat

_PLAY = play_service_pb2.PlayResponse.DESCRIPTOR.fields_by_name
_TURN = play_service_pb2.Turn.DESCRIPTOR.fields_by_name
_LENGTH_DELIMITED = 2


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _piece(number: int, data: bytes) -> bytes:
    """A length-delimited field."""
    return _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(data)) + data


class MatchSpeech:
    """Turns the messages of one match into bytes for its bots."""

    def __init__(self, spec: MatchSpec, match_id: str, commitment: bytes) -> None:
        self._spec, self._match_id, self._commitment = spec, match_id, commitment
        self._wire = wire_of(spec.game)
        self._legal_piece, self._event_piece = _pieces(spec.game)
        self._turn_number = _PLAY["turn"].number

    def bytes_for(self, seat: Seat, message: Message) -> bytes:
        """A serialized PlayResponse."""
        if isinstance(message, Ask):
            return self._turn(message)
        response = play_service_pb2.PlayResponse
        match message:
            case Start():
                payload = response(match_start=self._start(seat))
            case News(events, last, view):
                payload = response(
                    update=play_service_pb2.Update(
                        match_id=self._match_id,
                        events=[self._wire.event(event) for event in events],
                        last_sequence=last,
                        observation=self._wire.observation(view),
                    )
                )
            case Refused(refusal, text, turn_id, strikes):
                payload = response(
                    error=play_service_pb2.Error(
                        code=play_service_pb2.ErrorCode.ValueType(refusal.value),
                        message=text,
                        match_id=self._match_id,
                        turn_id=turn_id,
                        strikes=strikes,
                    )
                )
            case End(result, events, last, view):
                payload = response(
                    match_end=play_service_pb2.MatchEnd(
                        match_id=self._match_id,
                        result=codec.result_message(result),
                        events=[self._wire.event(event) for event in events],
                        last_sequence=last,
                        observation=None if view is None else self._wire.observation(view),
                    )
                )
        return payload.SerializeToString()

    def _turn(self, ask: Ask) -> bytes:
        head = play_service_pb2.Turn(
            match_id=self._match_id,
            turn_id=ask.turn_id,
            observation=self._wire.observation(ask.view),
            last_sequence=ask.last_sequence,
            remaining_ms=ask.remaining_us // US,
            bank_ms=ask.bank_us // US,
            strikes=ask.strikes,
        ).SerializeToString()
        events = [self._event_piece(event) for event in ask.events]
        legal = [self._legal_piece(action) for action in ask.legal]
        return _piece(self._turn_number, b"".join([head, *events, *legal]))

    def _start(self, seat: Seat) -> play_service_pb2.MatchStart:
        spec = self._spec
        return play_service_pb2.MatchStart(
            match_id=self._match_id,
            options=self._wire.options(spec.options),
            behavior=spec.behavior,
            seats=len(spec.seats),
            seat=seat,
            clock=codec.clock_message(spec.clock),
            policy=match_pb2.Policy(strikes=spec.policy.strikes),
            commitment=self._commitment,
            bot_seed=spec.seats[seat].bot_seed,
        )


@functools.cache
def _pieces(game: Any) -> tuple[Any, Any]:
    """Encoders of one legal action and of one event as pieces of a Turn; each result is kept."""
    wire = wire_of(game)
    legal_number, event_number = _TURN["legal_actions"].number, _TURN["events"].number
    legal = functools.lru_cache(1 << 16)(lambda action: _piece(legal_number, wire.action(action).SerializeToString()))
    event = functools.lru_cache(1 << 16)(lambda event: _piece(event_number, wire.event(event).SerializeToString()))
    return legal, event
