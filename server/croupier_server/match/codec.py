"""Spec, result and record as messages and bytes, and back. What cannot be read raises ValueError and says where.

A record's parts are serialized once and hashed as those bytes; reading never re-serializes them.
"""

from __future__ import annotations

from typing import Any, TypeVar

from google.protobuf.message import DecodeError, Message

from croupier.v1 import match_pb2, record_pb2
from croupier_server.games import find_game
from croupier_server.match import record as rec
from croupier_server.match import spec as sp
from croupier_server.match.mirror import mirror, required
from croupier_server.match.wire import wire_of
from croupier_server.rules import AnyGame, Draw, NumberDraw, ShuffleDraw

MessageT = TypeVar("MessageT", bound=Message)

_CLOCK = mirror(sp.Clock, match_pb2.Clock.DESCRIPTOR)
_POLICY = mirror(sp.Policy, match_pb2.Policy.DESCRIPTOR)
_SEAT = mirror(sp.SeatSpec, match_pb2.SeatSpec.DESCRIPTOR)
_IDENTITY = mirror(sp.ScheduleIdentity, match_pb2.ScheduleIdentity.DESCRIPTOR)
_RESULT = mirror(sp.MatchResult, match_pb2.MatchResult.DESCRIPTOR)
_MATCH_CLOCK = mirror(rec.MatchClock, record_pb2.MatchClock.DESCRIPTOR)
_MATCH_NOTES = mirror(rec.MatchNotes, record_pb2.MatchNotes.DESCRIPTOR)


def clock_message(clock: sp.Clock) -> match_pb2.Clock:
    """The clock as a message."""
    message: match_pb2.Clock = _CLOCK.encode(clock)
    return message


def result_message(result: sp.MatchResult) -> match_pb2.MatchResult:
    """The result as a message."""
    message: match_pb2.MatchResult = _RESULT.encode(result)
    return message


def spec_message(spec: sp.MatchSpec) -> match_pb2.MatchSpec:
    """The spec as a message."""
    return match_pb2.MatchSpec(
        options=wire_of(spec.game).options(spec.options),
        behavior=spec.behavior,
        seats=[_SEAT.encode(seat) for seat in spec.seats],
        identity=_IDENTITY.encode(spec.identity),
        clock=_CLOCK.encode(spec.clock),
        policy=_POLICY.encode(spec.policy),
    )


def read_spec(message: match_pb2.MatchSpec) -> sp.MatchSpec:
    """Raises ValueError for an unknown game, or where something is unset."""
    game = find_game(message.options.WhichOneof("game") or "")
    return sp.MatchSpec(
        game=game,
        options=wire_of(game).read_options(message.options),
        behavior=message.behavior,
        seats=tuple([_SEAT.decode(seat) for seat in message.seats]),
        identity=_IDENTITY.decode(required(message, "identity")),
        clock=_CLOCK.decode(required(message, "clock")),
        policy=_POLICY.decode(required(message, "policy")),
    )


def seal(play: rec.MatchPlay, clock: rec.MatchClock, notes: rec.MatchNotes) -> record_pb2.MatchRecord:
    """The record of a match: its parts as bytes, and their hashes."""
    parts = [
        _play_message(play).SerializeToString(deterministic=True),
        _MATCH_CLOCK.encode(clock).SerializeToString(deterministic=True),
        _MATCH_NOTES.encode(notes).SerializeToString(deterministic=True),
    ]
    hashes = rec.hashes(*parts)
    return record_pb2.MatchRecord(
        format=rec.FORMAT,
        play=parts[0],
        clock=parts[1],
        notes=parts[2],
        play_hash=hashes.play,
        clock_hash=hashes.clock,
        notes_hash=hashes.notes,
        record_hash=hashes.record,
    )


def read_record(data: bytes) -> record_pb2.MatchRecord:
    """The record in a file or a store; raises ValueError when the bytes are not exactly one record as we write it."""
    message = _parse(record_pb2.MatchRecord, data, "the record")
    if message.format != rec.FORMAT:
        raise ValueError(f"the record has format {message.format}, expected {rec.FORMAT}")
    message.DiscardUnknownFields()
    if message.SerializeToString(deterministic=True) != data:
        raise ValueError("the record holds bytes that belong to no field of a record")
    return message


def read_play(data: bytes) -> rec.MatchPlay:
    """The play of a record; raises ValueError."""
    message = _parse(record_pb2.MatchPlay, data, "the play")
    spec = read_spec(message.spec)
    return rec.MatchPlay(
        spec=spec,
        block_key=message.block_key,
        draws=tuple([_read_draw(draw) for draw in message.draws]),
        decisions=tuple([_read_decision(spec.game, decision) for decision in message.decisions]),
        illegal_answers=tuple([_read_illegal(spec.game, answer) for answer in message.illegal_answers]),
        result=_RESULT.decode(required(message, "result")),
    )


def read_clock(data: bytes) -> rec.MatchClock:
    """The clock of a record; raises ValueError."""
    clock: rec.MatchClock = _MATCH_CLOCK.decode(_parse(record_pb2.MatchClock, data, "the clock"))
    return clock


def read_notes(data: bytes) -> rec.MatchNotes:
    """The notes of a record; raises ValueError."""
    notes: rec.MatchNotes = _MATCH_NOTES.decode(_parse(record_pb2.MatchNotes, data, "the notes"))
    return notes


def _parse(kind: type[MessageT], data: bytes, what: str) -> MessageT:
    message = kind()
    try:
        message.ParseFromString(data)
    except DecodeError:
        raise ValueError(f"{what} is no {kind.DESCRIPTOR.name} message") from None
    return message


def _play_message(play: rec.MatchPlay) -> record_pb2.MatchPlay:
    wire = wire_of(play.spec.game)
    return record_pb2.MatchPlay(
        spec=spec_message(play.spec),
        block_key=play.block_key,
        draws=[_draw_message(draw) for draw in play.draws],
        decisions=[
            record_pb2.Decision(
                step=decision.step,
                seat=decision.seat,
                turn_id=decision.turn_id,
                action=wire.action(decision.action),
                source=record_pb2.DecisionSource.ValueType(decision.source.value),
            )
            for decision in play.decisions
        ],
        illegal_answers=[
            record_pb2.IllegalAnswer(
                seat=answer.seat,
                turn_id=answer.turn_id,
                broken_rule=answer.broken_rule,
                action=None if answer.action is None else wire.action(answer.action),
            )
            for answer in play.illegal_answers
        ],
        result=result_message(play.result),
    )


def _draw_message(draw: Draw) -> record_pb2.Draw:
    if isinstance(draw, NumberDraw):
        number = record_pb2.NumberDraw(bound=draw.bound, value=draw.value)
        return record_pb2.Draw(label=draw.label, number=number)
    return record_pb2.Draw(label=draw.label, shuffle=record_pb2.ShuffleDraw(order=draw.order))


def _read_draw(message: record_pb2.Draw) -> Draw:
    match message.WhichOneof("kind"):
        case "number":
            return NumberDraw(message.label, message.number.bound, message.number.value)
        case "shuffle":
            return ShuffleDraw(message.label, tuple(message.shuffle.order))
        case _:
            raise ValueError(f"draw {message.label!r} is neither a number nor a shuffle")


def _read_decision(game: AnyGame, message: record_pb2.Decision) -> rec.Decision:
    return rec.Decision(
        step=message.step,
        seat=message.seat,
        turn_id=message.turn_id if message.HasField("turn_id") else None,
        action=wire_of(game).read_action(message.action),
        source=rec.DecisionSource(message.source),
    )


def _read_illegal(game: AnyGame, message: record_pb2.IllegalAnswer) -> rec.IllegalAnswer:
    action: Any = wire_of(game).read_action(message.action) if message.HasField("action") else None
    return rec.IllegalAnswer(message.seat, message.turn_id, message.broken_rule, action)
