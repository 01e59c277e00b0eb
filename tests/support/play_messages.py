"""Builders for what a server says about a match of jekyll. What they tell is no legal play; the SDK does not mind."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.v1 import games_pb2, jekyll_pb2, match_pb2
from croupier.v1.play_service_pb2 import (
    Draining,
    Error,
    ErrorCode,
    MatchEnd,
    MatchStart,
    PlayResponse,
    Turn,
    Update,
    Welcome,
)

CARDS = tuple(jekyll_pb2.JekyllCard.values())[1:]


def play_action(card: jekyll_pb2.JekyllCard.ValueType) -> jekyll_pb2.JekyllAction:
    return jekyll_pb2.JekyllAction(play=jekyll_pb2.JekyllPlay(card=card))


def round_began(number: int) -> games_pb2.Event:
    return games_pb2.Event(jekyll=jekyll_pb2.JekyllEvent(round_began=jekyll_pb2.JekyllRoundBegan(round=number)))


def welcome(resume_token: str = "again") -> PlayResponse:
    return PlayResponse(welcome=Welcome(session_id="s1", resume_token=resume_token, protocol_version=1))


def match_start(match_id: str = "m1", *, grace_ms: int = 5_000, bot_seed: int = 7) -> PlayResponse:
    return PlayResponse(
        match_start=MatchStart(
            match_id=match_id,
            options=games_pb2.GameOptions(jekyll=jekyll_pb2.JekyllOptions(greed_count=2)),
            behavior=1,
            seats=2,
            seat=1,
            clock=match_pb2.Clock(start_up_ms=20_000, bank_ms=10_000, disconnect_grace_ms=grace_ms),
            policy=match_pb2.Policy(strikes=3),
            commitment=b"sealed",
            bot_seed=bot_seed,
        )
    )


def observation(marker: int = 0) -> games_pb2.Observation:
    return games_pb2.Observation(jekyll=jekyll_pb2.JekyllObservation(seat=1, marker=marker))


def turn(
    turn_id: int,
    match_id: str = "m1",
    *,
    legal: int = 3,
    events: Sequence[games_pb2.Event] = (),
    last_sequence: int = 0,
    marker: int = 0,
) -> PlayResponse:
    return PlayResponse(
        turn=Turn(
            match_id=match_id,
            turn_id=turn_id,
            observation=observation(marker),
            events=events,
            last_sequence=last_sequence,
            legal_actions=[games_pb2.Action(jekyll=play_action(card)) for card in CARDS[:legal]],
            remaining_ms=5_000,
            bank_ms=10_500,
            strikes=0,
        )
    )


def update(events: Sequence[games_pb2.Event], last_sequence: int, match_id: str = "m1") -> PlayResponse:
    return PlayResponse(
        update=Update(match_id=match_id, events=events, last_sequence=last_sequence, observation=observation(4))
    )


def match_end(match_id: str = "m1", *, places: Sequence[int] = (2, 1)) -> PlayResponse:
    result = match_pb2.MatchResult(termination=match_pb2.TERMINATION_NORMAL, places=places)
    return PlayResponse(match_end=MatchEnd(match_id=match_id, result=result, observation=observation(10)))


def draining() -> PlayResponse:
    return PlayResponse(draining=Draining(reason="the cup is over"))


def error(
    code: ErrorCode.ValueType, *, match_id: str = "m1", turn_id: int | None = None, strikes: int | None = None
) -> PlayResponse:
    return PlayResponse(
        error=Error(code=code, message="the server's words", match_id=match_id, turn_id=turn_id, strikes=strikes)
    )


def fatal(code: ErrorCode.ValueType, message: str = "the server's words") -> PlayResponse:
    return PlayResponse(error=Error(code=code, message=message, fatal=True))
