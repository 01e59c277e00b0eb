"""Whatever a server says, in whatever order: what the session core never does."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from tests.support import play_messages as say

from croupier import AnyTurn, Match, Turn
from croupier._session import Session
from croupier.v1 import play_service_pb2 as pb

MATCHES = st.sampled_from(["m1", "m2"])
TURNS = st.integers(1, 4)
ILLEGAL = pb.ERROR_CODE_ILLEGAL_ACTION
ERRORS = st.sampled_from([ILLEGAL, pb.ERROR_CODE_TIMED_OUT, pb.ERROR_CODE_STALE_TURN, pb.ERROR_CODE_UNKNOWN_MATCH])
UNKNOWN = pb.PlayResponse.FromString(b"\x72\x00")

SAID = st.one_of(
    st.builds(say.match_start, MATCHES),
    st.builds(say.turn, TURNS, MATCHES, last_sequence=st.integers(0, 9)),
    st.builds(lambda last, match: say.update([say.round_began(1)], last, match), st.integers(1, 9), MATCHES),
    st.builds(lambda code, match, turn: say.error(code, match_id=match, turn_id=turn), ERRORS, MATCHES, TURNS),
    st.builds(say.match_end, MATCHES),
    st.just(UNKNOWN),
)
ANSWER = st.integers(0, 1_000)  # which of the turns that were ever asked the bot answers now
NEW_STREAM = st.none()


class Course:
    """A session, and what came out of it, counted over all of its matches' lives."""

    def __init__(self) -> None:
        self.session = Session("ticket")
        self.session.open()
        self.session.receive(say.welcome())
        self.lives: Counter[str] = Counter()  # how often each match_id has begun
        self.running: set[str] = set()
        self.asked: list[AnyTurn] = []
        self.questions: Counter[tuple[str, int, int]] = Counter()  # (match, life, turn)
        self.answers: Counter[tuple[str, int, int]] = Counter()  # over one stream
        self.refusals: Counter[tuple[str, int, int]] = Counter()

    def turn(self, match_id: str, turn_id: int) -> tuple[str, int, int]:
        return match_id, self.lives[match_id], turn_id

    def hear(self, response: pb.PlayResponse) -> None:
        if response.HasField("error") and response.error.code == ILLEGAL:
            self.refusals[self.turn(response.error.match_id, response.error.turn_id)] += 1
        for step in self.session.receive(response):
            if isinstance(step, Match):
                self.lives[step.match_id] += 1
                self.running.add(step.match_id)
            elif isinstance(step, Turn):
                assert step.match.match_id in self.running
                self.questions[self.turn(step.match.match_id, step.turn_id)] += 1
                self.asked.append(step)
            elif isinstance(step, pb.PlayRequest):
                self.send(step)
        ended = response.HasField("match_end"), response.error.code == pb.ERROR_CODE_UNKNOWN_MATCH
        if any(ended):
            self.running.discard(response.match_end.match_id or response.error.match_id)

    def decide(self, which: int) -> None:
        if self.asked and (request := self.session.answer(self.asked[which % len(self.asked)], 0)) is not None:
            self.send(request)

    def send(self, request: pb.PlayRequest) -> None:
        assert request.act.match_id in self.running
        self.answers[self.turn(request.act.match_id, request.act.turn_id)] += 1

    def reconnect(self) -> None:
        (resume, *_) = self.session.open()
        assert {match.match_id for match in resume.resume.matches} == self.running
        self.answers.clear()


@given(st.lists(st.one_of(SAID, ANSWER, NEW_STREAM), max_size=60))
def test_no_turn_is_asked_or_answered_twice_unless_it_was_refused(
    course_of_events: list[pb.PlayResponse | int | None],
) -> None:
    course = Course()
    for event in course_of_events:
        match event:
            case None:
                course.reconnect()
            case int():
                course.decide(event)
            case _:
                course.hear(event)
        for turn, count in (course.questions | course.answers).items():
            assert count <= 1 + course.refusals[turn]
