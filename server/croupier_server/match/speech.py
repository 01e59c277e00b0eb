"""What the referee says, as the bytes of PlayResponse.

A turn, which is what is said nearly always, is put together from its written fields, and its actions and events are
written once a game and kept. The tests check that the result is what the protobuf library itself would write.
"""

from __future__ import annotations

import functools
from operator import index

from croupier.v1 import match_pb2, play_service_pb2
from croupier_server.match import codec
from croupier_server.match.fields import FieldWriter, field_writer
from croupier_server.match.signals import Ask, End, Message, News, Refused, Start
from croupier_server.match.spec import MatchSpec
from croupier_server.match.timing import US
from croupier_server.match.wire import wire_of
from croupier_server.rules import AnyGame, Seat

_PLAY = play_service_pb2.PlayResponse.DESCRIPTOR.fields_by_name
_TURN = play_service_pb2.Turn.DESCRIPTOR.fields_by_name
_KEPT = 1 << 16  # events and actions kept a game

# The fields of a turn that look alike in every game.
_turn = field_writer(_PLAY["turn"], bytes.__bytes__)
_match_id = field_writer(_TURN["match_id"], str.encode)
_turn_id = field_writer(_TURN["turn_id"], index)
_last_sequence = field_writer(_TURN["last_sequence"], index)
_remaining_ms = field_writer(_TURN["remaining_ms"], index)
_bank_ms = field_writer(_TURN["bank_ms"], index)
_strikes = field_writer(_TURN["strikes"], index)


class MatchSpeech:
    """Turns the messages of one match into bytes for its bots."""

    def __init__(self, spec: MatchSpec, match_id: str, commitment: bytes) -> None:
        self._spec, self._match_id, self._commitment = spec, match_id, commitment
        self._wire = wire_of(spec.game)
        self._observation, self._event, self._legal_action = _turn_writers(spec.game)
        self._name = _match_id(match_id)

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
        return _turn(
            b"".join(
                [
                    self._name,
                    _turn_id(ask.turn_id),
                    self._observation(ask.view),
                    *map(self._event, ask.events),
                    _last_sequence(ask.last_sequence),
                    *map(self._legal_action, ask.legal),
                    _remaining_ms(ask.remaining_us // US),
                    _bank_ms(ask.bank_us // US),
                    _strikes(ask.strikes),
                ]
            )
        )

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
def _turn_writers(game: AnyGame) -> tuple[FieldWriter, FieldWriter, FieldWriter]:
    """Writers of the fields of a turn that are the game's: the view; one event and one legal action, which are kept."""
    wire = wire_of(game)
    events = field_writer(_TURN["events"], lambda event: wire.event(event).SerializeToString())
    actions = field_writer(_TURN["legal_actions"], lambda action: wire.action(action).SerializeToString())
    return (
        field_writer(_TURN["observation"], wire.observation_bytes),
        functools.lru_cache(_KEPT)(lambda event: events((event,))),
        functools.lru_cache(_KEPT)(lambda action: actions((action,))),
    )
