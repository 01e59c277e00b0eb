"""A whole match between bots of the Python SDK in one process: referee and session cores face to face, no stream.

Time stands still, so nobody runs out of it. Bots are called directly, so they must not be async.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from croupier import Bot, Match, Turn
from croupier._session import Session
from croupier.v1 import play_service_pb2 as pb
from croupier_server.match.referee import Referee
from croupier_server.match.signals import Answered, Input, Joined, Ready
from croupier_server.match.spec import Clock, MatchResult, MatchSpec, Policy, ScheduleIdentity, SeatSpec
from croupier_server.match.speech import MatchSpeech
from croupier_server.match.wire import wire_of
from croupier_server.rules import AnyGame, KeyedChance


def play_face_to_face(
    game: AnyGame, makes: Sequence[Callable[[], Bot]], deal: int
) -> tuple[MatchResult, Sequence[Any]]:
    """Plays the game's first variant, one bot a seat, with luck that follows from `deal`; result and decisions."""
    spec = MatchSpec(
        game=game,
        options=next(iter(game.variants.values())),
        behavior=game.behavior,
        seats=tuple([SeatSpec(f"bot {seat}", 1_000 * deal + seat) for seat in range(len(makes))]),
        identity=ScheduleIdentity("cup", 0, 0),
        clock=Clock(),
        policy=Policy(),
    )
    referee = Referee(spec, KeyedChance(hashlib.sha256(str(deal).encode()).digest()))
    speech, players = MatchSpeech(spec, "m1", b""), [_Player(make) for make in makes]
    inputs: deque[Input] = deque([Joined(seat) for seat in range(len(makes))])
    while inputs:
        for send in referee.receive(inputs.popleft(), now=0):
            said = players[send.seat].hear(pb.PlayResponse.FromString(speech.bytes_for(send.seat, send.message)))
            inputs += [_heard(spec, send.seat, request) for request in said]
    assert referee.result is not None, "nobody has anything more to say, and the match is not over"
    return referee.result, referee.decisions


class _Player:
    """A bot behind the session core."""

    def __init__(self, make: Callable[[], Bot]) -> None:
        self._session, self._bot = Session("ticket"), make()

    def hear(self, response: pb.PlayResponse) -> list[pb.PlayRequest]:
        """What the bot says to a response."""
        said: list[pb.PlayRequest | None] = []
        for step in self._session.receive(response):
            match step:
                case Match():
                    self._bot.match, self._bot.luck = step, Random(step.bot_seed)
                    self._bot.start(step)
                    said.append(self._session.ready(step))
                case Turn():
                    choice: Any = self._bot.act(step)
                    said.append(self._session.answer(step, choice))
        return [request for request in said if request is not None]


def _heard(spec: MatchSpec, seat: int, request: pb.PlayRequest) -> Input:
    if request.HasField("ready"):
        return Ready(seat)
    act = request.act
    choice = act.index if act.HasField("index") else wire_of(spec.game).read_action(act.action)
    return Answered(seat, act.turn_id, choice, act.note)
