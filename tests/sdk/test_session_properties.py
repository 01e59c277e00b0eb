"""Whatever a server says, in whatever order, and whenever the bot answers: what the session core never does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from tests.support import play_messages as say

from croupier import AnyTurn, Match, Turn
from croupier._session import Session
from croupier.v1 import play_service_pb2 as pb

MATCHES = st.sampled_from(["m1", "m2"])
NEAR = st.integers(-1, 1)  # which turn something is about, from the newest one

NOT_SAID_TODAY = pb.PlayResponse.FromString(b"\x72\x00")  # field 14
ENDS = st.sampled_from([say.match_end, lambda match_id: say.error(pb.ERROR_CODE_UNKNOWN_MATCH, match_id=match_id)])
MINOR_ERRORS = st.sampled_from([pb.ERROR_CODE_STALE_TURN, pb.ERROR_CODE_INTERNAL])


class Conversation(RuleBasedStateMachine):
    """A session of two matches, which may end and begin again, and a count of what came out of it."""

    def __init__(self) -> None:
        super().__init__()
        self.session = Session("ticket")
        self.session.open()
        self.session.receive(say.welcome())
        self.asked: list[AnyTurn] = []  # of whatever match
        self.newest: dict[str, int] = {}  # turn_id by running match
        self.closed: set[str] = set()  # matches whose newest turn must not be answered any more
        self.questions: Counter[tuple[str, int]] = Counter()  # by running match and turn
        self.answers: Counter[tuple[str, int]] = Counter()  # the same, over the present stream
        self.refusals: Counter[tuple[str, int]] = Counter()
        for match_id in ("m1", "m2"):
            self.a_match_starts(match_id)

    def hear(self, response: pb.PlayResponse) -> None:
        for step in self.session.receive(response):
            if isinstance(step, Turn):
                self.questions[step.match.match_id, step.turn_id] += 1
                self.asked.append(step)
            elif isinstance(step, pb.PlayRequest):
                self.send(step.act)

    def send(self, act: pb.Act) -> None:
        assert act.turn_id == self.newest[act.match_id]
        assert act.match_id not in self.closed
        self.answers[act.match_id, act.turn_id] += 1

    @rule(match_id=MATCHES)
    def a_match_starts(self, match_id: str) -> None:
        steps = self.session.receive(say.match_start(match_id))
        assert [type(step) for step in steps] == ([] if match_id in self.newest else [Match])
        self.newest.setdefault(match_id, 0)

    @rule(match_id=MATCHES, near=NEAR, events=st.integers(0, 2))
    def a_turn_comes(self, match_id: str, near: int, events: int) -> None:
        newest = self.newest.get(match_id, 0)
        turn_id = max(newest + near, 1)
        if match_id in self.newest and turn_id > newest:
            self.newest[match_id] = turn_id
            self.closed.discard(match_id)
        self.hear(say.turn(turn_id, match_id, events=[say.round_began(1)] * events, last_sequence=events))

    @rule(match_id=MATCHES, near=NEAR)
    def an_answer_is_refused(self, match_id: str, near: int) -> None:
        turn_id = max(self.newest.get(match_id, 0) + near, 1)
        if self.answers[match_id, turn_id] and match_id not in self.closed:
            self.refusals[match_id, turn_id] += 1
        self.hear(say.error(pb.ERROR_CODE_ILLEGAL_ACTION, match_id=match_id, turn_id=turn_id, strikes=1))

    @rule(match_id=MATCHES, near=NEAR)
    def a_turn_runs_out(self, match_id: str, near: int) -> None:
        turn_id = max(self.newest.get(match_id, 0) + near, 1)
        if turn_id == self.newest.get(match_id):
            self.closed.add(match_id)
        self.hear(say.error(pb.ERROR_CODE_TIMED_OUT, match_id=match_id, turn_id=turn_id, strikes=1))

    @rule(match_id=MATCHES, code=MINOR_ERRORS)
    def something_is_said_that_changes_nothing(self, match_id: str, code: pb.ErrorCode.ValueType) -> None:
        self.hear(say.error(code, match_id=match_id, turn_id=self.newest.get(match_id, 0)))
        self.hear(NOT_SAID_TODAY)

    @rule(match_id=MATCHES, end=ENDS)
    def a_match_ends(self, match_id: str, end: Callable[[str], pb.PlayResponse]) -> None:
        self.hear(end(match_id))
        self.newest.pop(match_id, None)
        self.closed.discard(match_id)
        for counter in (self.questions, self.answers, self.refusals):
            for turn in [turn for turn in counter if turn[0] == match_id]:
                del counter[turn]

    @precondition(lambda self: self.asked)
    @rule(back=st.integers(1, 3), times=st.integers(1, 2))
    def the_bot_answers_one_of_the_latest_questions(self, back: int, times: int) -> None:
        for _ in range(times):
            request = self.session.answer(self.asked[-min(back, len(self.asked))], 0)
            if request is not None:
                self.send(request.act)

    @rule()
    def the_stream_is_lost(self) -> None:
        (resume, *_) = self.session.open()
        assert {match.match_id for match in resume.resume.matches} == set(self.newest)
        self.answers.clear()

    @invariant()
    def nothing_is_asked_or_answered_twice_unless_it_was_refused(self) -> None:
        for turn, count in (self.questions | self.answers).items():
            assert count <= 1 + self.refusals[turn]


Conversation.TestCase.settings = settings(max_examples=300, stateful_step_count=40, deadline=None)
TestConversation = Conversation.TestCase
