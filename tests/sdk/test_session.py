"""The session core: what it makes of each message. Pure; no stream, no bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.support import play_messages as say

from croupier import RESIGN, Answer, AnyTurn, End, Match, ProtocolError, RefusedError, Turn, Update
from croupier._session import Gone, Session
from croupier.v1 import games_pb2, jekyll_pb2
from croupier.v1 import play_service_pb2 as pb


def opened() -> Session:
    session = Session("ticket")
    session.open()
    session.receive(say.welcome("again"))
    return session


def playing(match_id: str = "m1") -> Session:
    session = opened()
    (match,) = session.receive(say.match_start(match_id))
    assert isinstance(match, Match)
    session.ready(match)
    return session


def asked(session: Session, response: pb.PlayResponse) -> AnyTurn:
    (step,) = session.receive(response)
    assert isinstance(step, Turn)
    return step


def act(request: object) -> pb.Act:
    assert isinstance(request, pb.PlayRequest)
    assert request.WhichOneof("payload") == "act"
    return request.act


def payloads(requests: Sequence[pb.PlayRequest]) -> list[str | None]:
    return [request.WhichOneof("payload") for request in requests]


def test_a_session_opens_with_hello() -> None:
    (request,) = Session("ticket", games=["jekyll"], max_matches=2, wants_updates=True).open()
    hello = request.hello
    assert (hello.token, hello.protocol_version, list(hello.games)) == ("ticket", 1, ["jekyll"])
    assert (hello.max_matches, hello.wants_updates) == (2, True)
    assert hello.sdk.startswith("python/")


def test_a_bot_that_names_no_games_plays_those_that_the_library_knows() -> None:
    (request,) = Session("ticket").open()
    assert "jekyll" in request.hello.games


def test_a_stream_lost_before_the_welcome_is_opened_with_hello_again() -> None:
    session = Session("ticket")
    assert session.open() == session.open()


def test_a_match_start_is_unwrapped() -> None:
    (match,) = opened().receive(say.match_start("m1", bot_seed=9))
    assert isinstance(match, Match)
    assert (match.match_id, match.game, match.seats, match.seat, match.bot_seed) == ("m1", "jekyll", 2, 1, 9)
    assert match.options == jekyll_pb2.JekyllOptions(greed_count=2)
    assert match.clock.bank_ms == 10_000
    assert match.policy.strikes == 3
    assert match.commitment == b"sealed"


def test_a_game_that_is_not_known_is_a_clear_error() -> None:
    start = pb.PlayResponse(match_start=pb.MatchStart(match_id="m1", options=unknown_game(games_pb2.GameOptions())))
    with pytest.raises(ProtocolError, match="match m1 is of a game that is not known here"):
        opened().receive(start)


def test_a_turn_is_unwrapped() -> None:
    turn = asked(playing(), say.turn(1, marker=6, legal=2, events=[say.round_began(1)], last_sequence=1))
    assert turn.view.marker == 6
    assert turn.legal == (say.play_action(say.CARDS[0]), say.play_action(say.CARDS[1]))
    assert [event.round_began.round for event in turn.events] == [1]
    assert (turn.turn_id, turn.remaining_ms, turn.bank_ms, turn.strikes, turn.refusal) == (1, 5_000, 10_500, 0, "")


@pytest.mark.parametrize(
    "choose",
    [
        pytest.param(lambda turn: turn.legal[1], id="the object itself"),
        pytest.param(lambda turn: say.play_action(say.CARDS[1]), id="an equal action"),
        pytest.param(lambda turn: 1, id="an index"),
    ],
)
def test_a_legal_choice_is_answered_by_its_index(choose: Any) -> None:
    session = playing()
    turn = asked(session, say.turn(1))
    answer = act(session.answer(turn, choose(turn)))
    assert (answer.match_id, answer.turn_id, answer.WhichOneof("choice"), answer.index) == ("m1", 1, "index", 1)


def test_another_action_of_the_game_is_left_to_the_server() -> None:
    session = playing()
    own = say.play_action(say.CARDS[20])
    answer = act(session.answer(asked(session, say.turn(1)), own))
    assert answer.action == games_pb2.Action(jekyll=own)


def test_a_note_goes_along_and_is_cut_between_characters() -> None:
    session = playing()
    answer = act(session.answer(asked(session, say.turn(1)), Answer(0, note="x" + "é" * 3_000)))
    assert answer.note == "x" + "é" * 2_047  # 4,095 bytes: another é would make 4,097


def test_resigning_is_a_request_of_its_own() -> None:
    session = playing()
    request = session.answer(asked(session, say.turn(1)), RESIGN)
    assert request == pb.PlayRequest(resign=pb.Resign(match_id="m1"))


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (3, "found index 3, expected 0 to 2"),
        (-1, "found index -1, expected 0 to 2"),
        (None, "found None, expected one of turn.legal, its index, another JekyllAction, or RESIGN"),
        (True, "found True"),
        ("play P1", "found 'play P1'"),
        (jekyll_pb2.JekyllPlay(card=jekyll_pb2.JEKYLL_CARD_P1), "found card"),
    ],
)
def test_a_choice_that_means_nothing_names_turn_game_and_what_was_expected(choice: Any, text: str) -> None:
    session = playing()
    turn = asked(session, say.turn(1))
    with pytest.raises(ProtocolError, match=f"act, turn 1 of a match of jekyll: {text}"):
        session.answer(turn, choice)


def test_a_turn_is_answered_once() -> None:
    session = playing()
    turn = asked(session, say.turn(1))
    assert session.answer(turn, 0) is not None
    assert session.answer(turn, 1) is None


def test_a_turn_that_comes_twice_is_asked_once() -> None:
    session = playing()
    turn = asked(session, say.turn(1))
    assert session.receive(say.turn(1)) == ()
    session.answer(turn, 0)
    assert session.receive(say.turn(1)) == ()


def test_an_answer_to_a_turn_that_ran_out_is_kept_back() -> None:
    session = playing()
    late = asked(session, say.turn(1))
    session.receive(say.error(pb.ERROR_CODE_TIMED_OUT, turn_id=1, strikes=1))
    assert session.answer(late, 0) is None
    assert session.answer(asked(session, say.turn(2)), 0) is not None


def test_an_answer_after_a_newer_turn_is_kept_back() -> None:
    session = playing()
    late = asked(session, say.turn(1))
    asked(session, say.turn(2))
    assert session.answer(late, 0) is None


def test_an_illegal_answer_gets_the_turn_asked_again_with_reason_and_strikes() -> None:
    session = playing()
    turn = asked(session, say.turn(1))
    session.answer(turn, say.play_action(say.CARDS[20]))
    again = asked(session, say.error(pb.ERROR_CODE_ILLEGAL_ACTION, turn_id=1, strikes=1))
    assert (again.turn_id, again.refusal, again.strikes) == (1, "the server's words", 1)
    assert again.legal == turn.legal
    assert session.answer(turn, 0) is None  # whoever still thinks about the refused one is too late
    assert act(session.answer(again, 0)).turn_id == 1


def test_a_forfeited_seat_is_quiet() -> None:
    session = playing()
    turn = asked(session, say.turn(1))
    assert session.receive(say.error(pb.ERROR_CODE_FORFEITED)) == ()
    assert session.answer(turn, 0) is None


def test_a_stale_answer_changes_nothing() -> None:
    session = playing()
    turn = asked(session, say.turn(2))
    assert session.receive(say.error(pb.ERROR_CODE_STALE_TURN, turn_id=1)) == ()
    assert session.answer(turn, 0) is not None


def test_the_end_of_a_match_is_told_and_closes_it() -> None:
    session = playing()
    turn = asked(session, say.turn(1))
    (end,) = session.receive(say.match_end(places=(2, 1)))
    assert isinstance(end, End)
    assert (end.place, list(end.result.places)) == (1, [2, 1])
    assert end.view is not None
    assert end.view.marker == 10
    assert session.answer(turn, 0) is None
    assert session.receive(say.turn(2)) == ()


def test_the_end_of_a_match_that_never_began_has_no_view_and_no_place() -> None:
    (end,) = playing().receive(pb.PlayResponse(match_end=pb.MatchEnd(match_id="m1")))
    assert isinstance(end, End)
    assert end.view is None
    assert end.place is None


def test_matches_are_apart() -> None:
    session = playing("m1")
    session.receive(say.match_start("m2"))
    first, second = asked(session, say.turn(1, "m1")), asked(session, say.turn(1, "m2"))
    session.receive(say.match_end("m1"))
    assert session.answer(first, 0) is None
    assert act(session.answer(second, 0)).match_id == "m2"


def test_messages_about_matches_that_are_not_the_sessions_are_ignored() -> None:
    session = opened()
    strays = [say.turn(1), say.update([say.round_began(1)], 1), say.match_end(), say.error(pb.ERROR_CODE_STALE_TURN)]
    assert [list(session.receive(stray)) for stray in strays] == [[], [], [], []]


# -- resuming


def test_a_lost_stream_is_resumed_from_the_last_sequence_of_every_match() -> None:
    session = playing("m1")
    session.receive(say.match_start("m2"))
    session.receive(say.turn(1, "m1", events=[say.round_began(1)], last_sequence=4))
    session.receive(say.update([say.round_began(1)], 9, "m1"))
    (request,) = session.open()
    assert request.resume == pb.Resume(
        resume_token="again",
        matches=[pb.ResumedMatch(match_id="m1", last_sequence=9), pb.ResumedMatch(match_id="m2", last_sequence=0)],
    )


def test_ready_is_said_again_while_it_may_have_been_lost() -> None:
    session = playing()
    assert payloads(session.open()) == ["resume", "ready"]
    session.receive(say.turn(1))
    assert payloads(session.open()) == ["resume"]


def test_a_bot_that_was_not_ready_is_not_made_so_by_a_lost_stream() -> None:
    session = opened()
    session.receive(say.match_start())
    assert payloads(session.open()) == ["resume"]


def test_an_answer_that_may_be_lost_is_repeated_when_the_server_asks_again() -> None:
    session = playing()
    answer = session.answer(asked(session, say.turn(1)), Answer(2, note="why"))
    session.open()
    assert session.receive(say.turn(1)) == (answer,)
    assert session.receive(say.turn(1)) == ()


def test_a_turn_that_the_bot_is_thinking_about_is_not_asked_again_after_a_resume() -> None:
    session = playing()
    turn = asked(session, say.turn(1))
    session.open()
    assert session.receive(say.turn(1)) == ()
    assert session.answer(turn, 0) is not None
    assert session.receive(say.turn(1)) == ()


def test_events_that_are_repeated_after_a_resume_are_told_once() -> None:
    session = playing()
    session.receive(say.update([say.round_began(1), say.round_began(2)], 2))
    assert session.receive(say.update([say.round_began(1), say.round_began(2)], 2)) == ()
    turn = asked(session, say.turn(1, events=[say.round_began(2), say.round_began(3)], last_sequence=3))
    assert [event.round_began.round for event in turn.events] == [3]


def test_a_match_that_the_server_has_forgotten_is_gone() -> None:
    session = playing()
    session.open()
    assert session.receive(say.error(pb.ERROR_CODE_UNKNOWN_MATCH)) == (Gone("m1"),)
    assert session.open()[0].resume.matches == []


def test_a_match_is_not_begun_twice() -> None:
    assert playing().receive(say.match_start()) == ()


def test_the_patience_is_that_of_the_most_patient_match() -> None:
    session = opened()
    assert session.grace_s is None
    session.receive(say.match_start("m1", grace_ms=2_000))
    session.receive(say.match_start("m2", grace_ms=500))
    assert session.grace_s == 2.0


# -- the end of a session


def test_a_draining_session_is_over_with_its_last_match() -> None:
    session = playing()
    session.receive(say.draining())
    assert not session.over
    session.receive(say.match_end())
    assert session.over


def test_an_idle_session_is_over_when_it_drains() -> None:
    session = opened()
    assert not session.over
    session.receive(say.draining())
    assert session.over


def test_a_shutdown_after_draining_is_a_peaceful_end() -> None:
    session = opened()
    session.receive(say.draining())
    assert session.receive(say.fatal(pb.ERROR_CODE_SHUTTING_DOWN)) == ()
    assert session.over


def test_a_shutdown_in_the_middle_of_a_match_is_not() -> None:
    with pytest.raises(RefusedError) as caught:
        playing().receive(say.fatal(pb.ERROR_CODE_SHUTTING_DOWN))
    assert caught.value.code == pb.ERROR_CODE_SHUTTING_DOWN


def test_a_refused_token_is_a_refusal_with_code_and_words() -> None:
    session = Session("wrong")
    with pytest.raises(RefusedError, match="UNAUTHENTICATED: no such ticket") as caught:
        session.receive(say.fatal(pb.ERROR_CODE_UNAUTHENTICATED, "no such ticket"))
    assert caught.value.code == pb.ERROR_CODE_UNAUTHENTICATED


def test_misuse_that_the_server_complains_of_is_a_protocol_error() -> None:
    with pytest.raises(ProtocolError, match="PROTOCOL_MISUSE"):
        opened().receive(say.fatal(pb.ERROR_CODE_PROTOCOL_MISUSE))


def test_a_fatal_error_of_a_newer_server_is_a_refusal_by_number() -> None:
    unknown = pb.PlayResponse.FromString(b"\x7a\x04\x08\x63\x18\x01")  # Error { code: 99, fatal: true }
    with pytest.raises(RefusedError, match="code 99") as caught:
        opened().receive(unknown)
    assert caught.value.code == 99


# -- what is not known here


def unknown_game(message: Any) -> Any:
    """The message with an arm for a game of a later version: field 99, empty."""
    return type(message).FromString(b"\x9a\x06\x00")


def test_an_unknown_payload_is_ignored() -> None:
    assert playing().receive(pb.PlayResponse.FromString(b"\x72\x00")) == ()  # field 14, an empty message


def test_unknown_events_are_left_out() -> None:
    later_kind = games_pb2.Event(jekyll=jekyll_pb2.JekyllEvent.FromString(b"\x9a\x06\x00"))
    events = [unknown_game(games_pb2.Event()), later_kind, say.round_began(3)]
    (news,) = playing().receive(say.update(events, 3))
    assert isinstance(news, Update)
    assert [event.round_began.round for event in news.events] == [3]


def test_an_unknown_error_that_is_not_fatal_is_ignored() -> None:
    session = playing()
    turn = asked(session, say.turn(1))
    assert session.receive(pb.PlayResponse.FromString(b"\x7a\x08\x08\x63\x22\x02m1\x28\x01")) == ()  # code 99, turn 1
    assert session.answer(turn, 0) is not None
