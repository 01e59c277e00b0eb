"""One bot session as a pure state machine: responses of the server in, requests and calls to the bots out.

No I/O, no clock, no asyncio, no bots: whoever runs a session does what `receive` returns and brings back what the bots
decide. Rules that it keeps:
 1. A turn is asked of the bot once, and once more after each refusal of its answer.
 2. It is answered once, and again only after a refusal, or when the server asks again over a new stream: the answer
    may have been lost with the old one. The bot is not troubled then; what it said is repeated.
 3. Nothing is said about a turn that is closed, or a match that is over.
 4. What a newer server may say that is not known here is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from croupier._bot import RESIGN, Answer, Choice
from croupier._errors import ProtocolError, RefusedError
from croupier._turn import AnyEnd, AnyTurn, AnyUpdate, End, Match, Turn, Update
from croupier._version import VERSION
from croupier.v1 import games_pb2, play_service_pb2

PROTOCOL_VERSION = 1
NOTE_BYTES = 4096

GAMES: tuple[str, ...] = tuple(arm.name for arm in games_pb2.GameOptions.DESCRIPTOR.oneofs_by_name["game"].fields)
"""Every game that this version of the library knows."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A match is no longer the session's, and nobody will say how it ended."""

    match_id: str


Step: TypeAlias = "play_service_pb2.PlayRequest | Match | AnyTurn | AnyUpdate | AnyEnd | Gone"
"""What is to be done: a request is sent; a Match, Turn, Update or End is for the bot of its match."""


@dataclass(slots=True)
class _Table:
    """What is known of one running match."""

    match: Match
    last_sequence: int = 0  # of the last event that came
    ready: bool = False  # whether the bot is
    turn_id: int = 0  # of the newest turn
    open: AnyTurn | None = None  # that turn, as long as it may be answered
    answer: play_service_pb2.PlayRequest | None = None  # what the bot has said to it
    said: bool = False  # whether that was sent over the present stream


class Session:
    """A session from its first Hello to its end, over as many streams as it takes."""

    def __init__(
        self, token: str, *, games: Sequence[str] = (), max_matches: int = 1, wants_updates: bool = False
    ) -> None:
        self._hello = play_service_pb2.Hello(
            token=token,
            protocol_version=PROTOCOL_VERSION,
            sdk=f"python/{VERSION}",
            games=games or GAMES,
            max_matches=max_matches,
            wants_updates=wants_updates,
        )
        self._resume_token = ""
        self._tables: dict[str, _Table] = {}
        self._draining = False

    @property
    def over(self) -> bool:
        """Whether nothing more can come: no match runs, and none will begin."""
        return self._draining and not self._tables

    @property
    def grace_s(self) -> float | None:
        """How long the running matches wait for a lost bot, in seconds: the longest of them; None without a match."""
        graces = [table.match.clock.disconnect_grace_ms / 1000 for table in self._tables.values()]
        return max(graces, default=None)

    def open(self) -> list[play_service_pb2.PlayRequest]:
        """What to say first over a new stream: Hello, or after a Welcome Resume and every Ready that may be lost."""
        if not self._resume_token:
            return [play_service_pb2.PlayRequest(hello=self._hello)]
        known = [
            play_service_pb2.ResumedMatch(match_id=match_id, last_sequence=table.last_sequence)
            for match_id, table in self._tables.items()
        ]
        resume = play_service_pb2.Resume(resume_token=self._resume_token, matches=known)
        requests = [play_service_pb2.PlayRequest(resume=resume)]
        for table in self._tables.values():
            table.said = False
            if table.ready and not table.turn_id:
                requests.append(_ready(table.match))
        return requests

    # -- what the server says

    def receive(self, response: play_service_pb2.PlayResponse) -> Sequence[Step]:
        """Takes one response and returns what is to be done, in order.

        Raises RefusedError when the server ends the session, ProtocolError when it says that the bot misused the
        protocol or when it breaks the protocol itself.
        """
        match response.WhichOneof("payload"):
            case "turn":
                return self._turn(response.turn)
            case "update":
                return self._update(response.update)
            case "match_start":
                return self._match_start(response.match_start)
            case "match_end":
                return self._match_end(response.match_end)
            case "error":
                return self._error(response.error)
            case "welcome":
                self._resume_token = response.welcome.resume_token
            case "draining":
                self._draining = True
        return ()

    def _match_start(self, start: play_service_pb2.MatchStart) -> Sequence[Step]:
        if start.match_id in self._tables:
            return ()
        match = Match.of(start)
        self._tables[start.match_id] = _Table(match)
        return (match,)

    def _turn(self, message: play_service_pb2.Turn) -> Sequence[Step]:
        table = self._tables.get(message.match_id)
        if table is None:
            return ()
        if message.turn_id == table.turn_id and table.open is not None and table.answer is not None and not table.said:
            table.said = True
            return (table.answer,)
        if message.turn_id <= table.turn_id:
            return ()
        turn = Turn[Any, Any, Any](table.match, message, table.last_sequence)
        table.last_sequence = message.last_sequence
        table.turn_id, table.open, table.answer, table.said = turn.turn_id, turn, None, False
        return (turn,)

    def _update(self, message: play_service_pb2.Update) -> Sequence[Step]:
        table = self._tables.get(message.match_id)
        if table is None or message.last_sequence <= table.last_sequence:
            return ()
        seen, table.last_sequence = table.last_sequence, message.last_sequence
        return (Update[Any, Any](table.match, message, seen),)

    def _match_end(self, message: play_service_pb2.MatchEnd) -> Sequence[Step]:
        table = self._tables.pop(message.match_id, None)
        if table is None:
            return ()
        return (End[Any, Any](table.match, message, table.last_sequence),)

    def _error(self, error: play_service_pb2.Error) -> Sequence[Step]:
        if error.fatal:
            return self._fatal(error)
        table = self._tables.get(error.match_id)
        if table is None:
            return ()
        if error.code == play_service_pb2.ERROR_CODE_UNKNOWN_MATCH:
            del self._tables[error.match_id]
            return (Gone(error.match_id),)
        if error.code == play_service_pb2.ERROR_CODE_FORFEITED:
            table.open = None
        turn = table.open
        if turn is None or turn.turn_id != error.turn_id:
            return ()
        if error.code == play_service_pb2.ERROR_CODE_TIMED_OUT:
            table.open = None
        elif error.code == play_service_pb2.ERROR_CODE_ILLEGAL_ACTION and table.said:
            table.open, table.answer, table.said = turn.refused(error.message, error.strikes), None, False
            return (table.open,)
        return ()

    def _fatal(self, error: play_service_pb2.Error) -> Sequence[Step]:
        if error.code == play_service_pb2.ERROR_CODE_SHUTTING_DOWN and self.over:
            return ()
        raise refusal(error.code, error.message)

    # -- what the bots say

    def ready(self, match: Match) -> play_service_pb2.PlayRequest | None:
        """The bot of a match is ready: the request to send, or None when the match is gone."""
        table = self._tables.get(match.match_id)
        if table is None:
            return None
        table.ready = True
        return _ready(match)

    def answer(self, turn: AnyTurn, choice: Choice) -> play_service_pb2.PlayRequest | None:
        """The bot has decided a turn: the request to send, or None when the turn is closed, or answered, by now.

        Raises ProtocolError when the choice means nothing: no action of the game, or an index outside `turn.legal`.
        """
        if choice is RESIGN:
            request = play_service_pb2.PlayRequest(resign=play_service_pb2.Resign(match_id=turn.match.match_id))
        else:
            answer = choice if isinstance(choice, Answer) else Answer(choice)
            request = play_service_pb2.PlayRequest(act=_act(turn, answer))
        table = self._tables.get(turn.match.match_id)
        if table is None or table.open is not turn or table.answer is not None:
            return None
        table.answer, table.said = request, True
        return request


def refusal(code: int, message: str) -> ProtocolError | RefusedError:
    """The exception for an ErrorCode that ends a session; its text begins with the name of the code."""
    known = code in play_service_pb2.ErrorCode.values()
    name = play_service_pb2.ErrorCode.Name(play_service_pb2.ErrorCode.ValueType(code)) if known else f"code {code}"
    text = f"{name.removeprefix('ERROR_CODE_')}: {message}"
    return ProtocolError(text) if code == play_service_pb2.ERROR_CODE_PROTOCOL_MISUSE else RefusedError(code, text)


def _ready(match: Match) -> play_service_pb2.PlayRequest:
    return play_service_pb2.PlayRequest(ready=play_service_pb2.Ready(match_id=match.match_id))


def _act(turn: AnyTurn, answer: Answer) -> play_service_pb2.Act:
    act = play_service_pb2.Act(match_id=turn.match.match_id, turn_id=turn.turn_id)
    index = turn.index_of(answer.move)
    if index is not None:
        act.index = index
    else:
        getattr(act.action, turn.match.game).CopyFrom(answer.move)
    if answer.note:
        act.note = answer.note.encode()[:NOTE_BYTES].decode(errors="ignore")
    return act
