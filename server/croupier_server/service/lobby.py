"""Who may play what: credentials, sessions, and the seats that wait for a bot. No gRPC, no I/O; one event loop.

A *slot* is a name for a place that a bot's sessions fill: one process of a launched entrant, or all sessions of a
remote one. Matches name the slot of each seat, and a seat waits until a session of its slot can take it.
"""

from __future__ import annotations

import hmac
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from croupier.v1 import play_service_pb2 as pb
from croupier_server.match.signals import Left, ProcessEnded
from croupier_server.service.limits import Limits
from croupier_server.service.matches import RunningMatch
from croupier_server.service.session import PROTOCOL_VERSION, SeatLink, Session, credential_hash
from croupier_server.service.stream import FatalError, Stream

_BAD_TOKEN = "the token is unknown, used up or revoked"


@dataclass(slots=True)
class Grant:
    """A credential that opens a session of a slot."""

    slot: str
    entrant: str
    one_time: bool


@dataclass(slots=True)
class Slot:
    """The sessions of a place, and the seats that wait for one of them."""

    sessions: list[Session] = field(default_factory=list)
    waiting: deque[SeatLink] = field(default_factory=deque)
    pid: int | None = None  # of a launched bot, while it runs
    ended: str | None = None  # how a launched bot's process ended


class Lobby:
    """All sessions of the server."""

    def __init__(self, limits: Limits, on_slot_change: Callable[[str, int, int], None]) -> None:
        self.draining = False
        self._limits = limits
        self._grants: dict[bytes, Grant] = {}
        self._slots: dict[str, Slot] = {}
        self._resumable: dict[bytes, Session] = {}
        self._on_slot_change = on_slot_change

    # -- access

    def admit(self, credential: bytes, grant: Grant) -> None:
        """Lets a bot in; `credential` is the hash of its ticket or token."""
        self._grants[credential] = grant
        self._slots.setdefault(grant.slot, Slot())

    def revoke(self, name: str) -> None:
        """Shuts a slot: its credentials end and its streams are closed in peace."""
        self._grants = {key: grant for key, grant in self._grants.items() if grant.slot != name}
        slot = self._slots.pop(name, None)
        if slot is not None:
            for session in list(slot.sessions):
                self._resumable.pop(credential_hash(session.resume_token), None)
                self._say_goodbye(session, "the matches of this bot are over")

    def drain(self, reason: str) -> None:
        """No new sessions; tells the ones there are, and closes those that play nothing."""
        self.draining = True
        for session in list(self.sessions):
            session.send(_draining(reason))
            if not session.seats and session.stream is not None:
                session.stream.close()

    @property
    def sessions(self) -> Iterable[Session]:
        """Every session."""
        return [session for slot in self._slots.values() for session in slot.sessions]

    def hello(self, hello: pb.Hello, stream: Stream) -> Session:
        """Opens a session; raises FatalError."""
        if hello.protocol_version != PROTOCOL_VERSION:
            text = (
                f"protocol version {hello.protocol_version} is not spoken here; this server speaks {PROTOCOL_VERSION}"
            )
            raise FatalError(pb.ERROR_CODE_UNSUPPORTED_VERSION, text)
        if self.draining:
            raise FatalError(pb.ERROR_CODE_SHUTTING_DOWN, "the server takes no new bots: it is going down")
        credential = credential_hash(hello.token)
        grant = self._find_grant(credential)
        if grant is None:
            raise FatalError(pb.ERROR_CODE_UNAUTHENTICATED, _BAD_TOKEN)
        if grant.one_time:
            del self._grants[credential]
        session = Session(grant.slot, grant.entrant, hello, self._limits, stream=stream)
        self._resumable[credential_hash(session.resume_token)] = session
        self._slots[grant.slot].sessions.append(session)
        session.send(session.welcome())
        self._slot_changed(grant.slot)
        self._seat_waiting(grant.slot)
        return session

    def resume(self, resume: pb.Resume, stream: Stream) -> Session:
        """Gives a session its new stream; raises FatalError."""
        session = self._resumable.get(credential_hash(resume.resume_token))
        if session is None:
            raise FatalError(pb.ERROR_CODE_UNAUTHENTICATED, "the resume token is unknown, or its session is over")
        if session.stream is not None:
            session.stream.close(FatalError(pb.ERROR_CODE_REPLACED, "another stream resumed this session"))
        session.stream = stream
        session.send(session.welcome())
        known = {item.match_id: item.last_sequence for item in resume.matches}
        for match_id, link in [*session.seats.items()]:
            link.match.join(link.seat, session, known.get(match_id))
        for match_id, link in [*session.finished.items()]:
            if match_id in known:
                link.match.join(link.seat, session, known[match_id])
        if self.draining:
            session.send(_draining("the server is going down"))
        self._slot_changed(session.slot)
        self._seat_waiting(session.slot)
        return session

    def lost(self, session: Session, stream: Stream, now: float) -> None:
        """A stream has ended; its session can be resumed unless it was already, or has nothing left to play."""
        if session.stream is not stream:
            return
        session.stream, session.lost_at = None, now
        for link in list(session.seats.values()):
            link.match.feed(Left(link.seat))
        self._slot_changed(session.slot)

    def forget_lost(self, now: float) -> None:
        """Drops sessions that have been without a stream and without matches for long."""
        for session in list(self.sessions):
            gone = session.stream is None and not session.seats
            if gone and now - session.lost_at > self._limits.resume_seconds:
                self._resumable.pop(credential_hash(session.resume_token), None)
                self._slots[session.slot].sessions.remove(session)

    # -- seats

    def open(self, match: RunningMatch, slots: Sequence[str]) -> None:
        """Finds a bot for every seat of a match, now or as soon as there is one."""
        for seat, name in enumerate(slots):
            slot = self._slots.setdefault(name, Slot())
            if slot.pid is not None:
                match.watch(seat, slot.pid)
            slot.waiting.append(SeatLink(match, seat))
        for name in slots:
            self._seat_waiting(name)
            if (ended := self._slots[name].ended) is not None:
                self.process_ended(name, ended)

    def match_over(self, match: RunningMatch) -> None:
        """Gives the sessions of a match that has ended their next seats."""
        for session in match.sessions:
            if session is None:
                continue
            if self.draining and not session.seats and session.stream is not None:
                session.stream.close()
            else:
                self._seat_waiting(session.slot)

    def process_started(self, name: str, pid: int) -> None:
        """A launched bot's process runs."""
        slot = self._slots.setdefault(name, Slot())
        slot.pid, slot.ended = pid, None
        for link in slot.waiting:
            link.match.watch(link.seat, pid)

    def process_ended(self, name: str, detail: str) -> None:
        """A launched bot's process has ended: the seats that it played, or should have, forfeit."""
        slot = self._slots.get(name)
        if slot is None:
            return
        slot.pid, slot.ended = None, detail
        links = [link for session in slot.sessions for link in session.seats.values()]
        waiting, slot.waiting = slot.waiting, deque()
        for link in [*links, *waiting]:
            link.match.feed(ProcessEnded(link.seat, detail))

    def streams_of(self, name: str) -> list[Stream]:
        """The open streams of a slot."""
        slot = self._slots.get(name)
        return [] if slot is None else [s.stream for s in slot.sessions if s.stream is not None]

    def _seat_waiting(self, name: str) -> None:
        slot = self._slots.get(name)
        if slot is None or self.draining:
            return
        for link in [*slot.waiting]:
            if link.match.over:
                slot.waiting.remove(link)
                continue
            session = next((s for s in slot.sessions if s.can_take(link.match.spec.game.id)), None)
            if session is not None:
                slot.waiting.remove(link)
                session.seats[link.match.match_id] = link
                link.match.join(link.seat, session, None)

    def _slot_changed(self, name: str) -> None:
        slot = self._slots.get(name)
        if slot is not None:
            live = [session for session in slot.sessions if session.stream is not None]
            self._on_slot_change(name, len(live), sum(session.capacity for session in live))

    def _say_goodbye(self, session: Session, reason: str) -> None:
        session.send(_draining(reason))
        if session.stream is not None:
            session.stream.close()

    def _find_grant(self, credential: bytes) -> Grant | None:
        """Compares with every hash, each in constant time, so that timing tells nothing."""
        found = None
        for known, grant in self._grants.items():
            if hmac.compare_digest(known, credential):
                found = grant
        return found


def _draining(reason: str) -> bytes:
    return pb.PlayResponse(draining=pb.Draining(reason=reason)).SerializeToString()
