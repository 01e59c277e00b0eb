"""From a referee whose match is over to the parts of its record. No I/O, no luck: salts are handed in."""

from __future__ import annotations

from dataclasses import dataclass

from croupier_server.match.keys import commitment
from croupier_server.match.record import MatchClock, MatchNotes, MatchPlay
from croupier_server.match.referee import Referee


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a match: what its record holds beside the play."""

    match_id: str
    number: int  # from 1
    block_key: bytes
    salt: bytes  # of the commitment
    notes_salt: bytes
    opened_unix_ms: int

    @property
    def commitment(self) -> bytes:
        """What binds the host to the luck of this attempt."""
        return commitment(self.match_id, self.salt, self.block_key)


def record_parts(referee: Referee, attempt: Attempt) -> tuple[MatchPlay, MatchClock, MatchNotes]:
    """The three parts of the record; raises ValueError while the match goes on."""
    if referee.result is None:
        raise ValueError(f"match {attempt.match_id} is not over")
    play = MatchPlay(
        spec=referee.spec,
        block_key=attempt.block_key,
        draws=tuple(referee.draws),
        decisions=tuple(referee.decisions),
        illegal_answers=tuple(sorted(referee.illegal_answers, key=lambda answer: (answer.seat, answer.turn_id))),
        result=referee.result,
    )
    clock = MatchClock(
        match_id=attempt.match_id,
        attempt=attempt.number,
        salt=attempt.salt,
        commitment=attempt.commitment,
        opened_unix_ms=attempt.opened_unix_ms,
        turns=tuple(stamp for desk in referee.desks for stamp in desk.stamps),
        incidents=tuple(referee.incidents),
        over_us=referee.over_us,
    )
    notes = tuple(sorted(referee.notes, key=lambda note: (note.seat, note.turn_id)))
    return play, clock, MatchNotes(attempt.notes_salt, notes)
