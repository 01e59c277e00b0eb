"""What is said, as bytes: put together from pieces, and yet exactly what the protobuf library would write."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.message import Message
from tests.match.virtual_table import VirtualTable, attempt, match_spec
from tests.support.worlds import every_case, luck

from croupier.v1 import play_service_pb2
from croupier_server.games import GAMES
from croupier_server.match.signals import Ask, End, News, Refusal, Refused, Start
from croupier_server.match.spec import Clock, MatchSpec, Termination
from croupier_server.match.speech import MatchSpeech
from croupier_server.match.wire import wire_of
from croupier_server.rules import AnyGame

JEKYLL = GAMES["jekyll"]


def speech_of(spec: MatchSpec) -> MatchSpeech:
    return MatchSpeech(spec, "m1", attempt().commitment)


def said(spec: MatchSpec, seat: int, message: Any) -> play_service_pb2.PlayResponse:
    return play_service_pb2.PlayResponse.FromString(speech_of(spec).bytes_for(seat, message))


def jekyll_table(*, updates: bool = False) -> VirtualTable:
    table = VirtualTable(match_spec(game=JEKYLL, clock=Clock()))
    table.begin(updates=updates)
    return table


def written_by_the_library(ask: Ask, game: AnyGame) -> play_service_pb2.PlayResponse:
    """The turn as one message, nothing reused."""
    wire = wire_of(game)
    return play_service_pb2.PlayResponse(
        turn=play_service_pb2.Turn(
            match_id="m1",
            turn_id=ask.turn_id,
            observation=wire.observation(ask.view),
            events=[wire.event(event) for event in ask.events],
            last_sequence=ask.last_sequence,
            legal_actions=[wire.action(action) for action in ask.legal],
            remaining_ms=ask.remaining_us // 1000,
            bank_ms=ask.bank_us // 1000,
            strikes=ask.strikes,
        )
    )


@pytest.mark.parametrize(("game", "variant", "seats"), every_case())
def test_a_turn_from_pieces_is_what_the_library_would_write(game: AnyGame, variant: str, seats: int) -> None:
    spec = match_spec(seats, game=game, options=game.variants[variant], clock=Clock())
    table, speech, choices = VirtualTable(spec), speech_of(spec), luck("speech")
    table.begin()
    turns = 0
    while not table.over:
        for seat in table.asked():
            ask = table.turn(seat)
            joined, whole = speech.bytes_for(seat, ask), written_by_the_library(ask, game)
            assert len(joined) == whole.ByteSize()
            assert play_service_pb2.PlayResponse.FromString(joined) == whole
            table.wait(3)
            table.answer(seat, choices.below("choice", len(ask.legal)))
            turns += 1
    assert turns > 4


@pytest.mark.parametrize("length", [0, 1, 127, 128, 16_383, 16_384, 70_000])
def test_lengths_are_written_as_the_library_writes_them(length: int) -> None:
    table = jekyll_table()
    ask = table.turn(0)
    long = Ask(1, ask.view, ask.events, 2, ask.legal[:1] * length, 0, 0, 0)
    joined, whole = speech_of(table.referee.spec).bytes_for(0, long), written_by_the_library(long, JEKYLL)
    assert len(joined) == whole.ByteSize()
    assert play_service_pb2.PlayResponse.FromString(joined) == whole


def test_actions_and_events_are_encoded_once() -> None:
    table, wire = jekyll_table(), wire_of(JEKYLL)
    speech = speech_of(table.referee.spec)
    first = speech.bytes_for(0, table.turn(0))
    encoded = wire.action.cache_info(), wire.event.cache_info()
    assert speech_of(table.referee.spec).bytes_for(0, table.turn(0)) == first
    assert (wire.action.cache_info(), wire.event.cache_info()) == encoded


def test_times_are_told_in_whole_milliseconds_never_more_than_there_is() -> None:
    table = jekyll_table()
    ask = table.turn(0)
    odd = Ask(1, ask.view, (), 0, ask.legal, remaining_us=1999, bank_us=2999, strikes=2)
    turn = said(table.referee.spec, 0, odd).turn
    assert (turn.remaining_ms, turn.bank_ms, turn.strikes) == (1, 2, 2)


def test_the_start_names_the_rules_and_only_the_seat_s_own_seed() -> None:
    spec = match_spec(game=JEKYLL, clock=Clock())
    start = said(spec, 1, Start()).match_start
    assert (start.match_id, start.seat, start.seats, start.behavior) == ("m1", 1, 2, JEKYLL.behavior)
    assert start.bot_seed == spec.seats[1].bot_seed
    assert start.commitment == attempt().commitment
    assert wire_of(JEKYLL).read_options(start.options) == spec.options
    assert (start.clock.bank_ms, start.policy.strikes) == (10_000, 3)


def strings_and_bytes(message: Message) -> list[str | bytes]:
    """Every text in a message, however deep."""
    found: list[str | bytes] = []
    for field, value in message.ListFields():
        for item in value if field.is_repeated else [value]:
            if isinstance(item, Message):
                found += strings_and_bytes(item)
            elif isinstance(item, str | bytes):
                found.append(item)
    return found


def test_nothing_that_is_said_names_the_cup_the_entrants_or_the_key() -> None:
    table = jekyll_table(updates=True)
    table.answer(0, 999)
    table.answer(0, 0)
    table.answer(1, 0)
    table.leave(0)
    table.join(0, updates=True)
    table.resign(1)
    spec = table.referee.spec
    secret = {"cup", "a", "b", attempt().block_key, attempt().salt}
    kinds = set()
    for seat in (0, 1):
        for message in table.read(seat):
            kinds.add(type(message))
            assert not secret & set(strings_and_bytes(said(spec, seat, message)))
    assert kinds >= {Start, Ask, Refused, End}


def test_news_carries_events_sequence_and_what_the_seat_sees() -> None:
    table = jekyll_table(updates=True)
    table.answer(0, 0)
    table.answer(1, 0)
    seat = 1 - table.asked()[0]
    news = table.only(seat, News)
    update = said(table.referee.spec, seat, news).update
    wire = wire_of(JEKYLL)
    assert [wire.read_event(event) for event in update.events] == list(news.events)
    assert update.last_sequence == news.last_sequence
    assert wire.read_observation(update.observation) == news.view


@pytest.mark.parametrize("refusal", Refusal, ids=lambda refusal: refusal.name)
def test_refusals_have_the_codes_of_the_protocol_and_are_not_fatal(refusal: Refusal) -> None:
    error = said(match_spec(game=JEKYLL), 0, Refused(refusal, "why", 4, 2)).error
    assert play_service_pb2.ErrorCode.Name(error.code) == f"ERROR_CODE_{refusal.name}"
    assert (error.match_id, error.message, error.turn_id, error.strikes, error.fatal) == ("m1", "why", 4, 2, False)


def test_a_refusal_that_is_about_no_turn_leaves_turn_and_strikes_unset() -> None:
    error = said(match_spec(game=JEKYLL), 0, Refused(Refusal.FORFEITED, "gone")).error
    assert not error.HasField("turn_id")
    assert not error.HasField("strikes")


def test_the_end_carries_the_result_and_what_the_seat_saw_last() -> None:
    table = jekyll_table()
    table.resign(0)
    end = said(table.referee.spec, 1, table.end(1)).match_end
    assert end.result.termination == Termination.FORFEIT.value
    assert list(end.result.places) == [2, 1]
    assert end.result.forfeits[0].was_ready
    assert end.HasField("observation")


def test_the_end_of_a_match_that_never_began_shows_nothing() -> None:
    table = VirtualTable(match_spec(game=JEKYLL))
    table.join()
    table.resign(0)
    assert not said(table.referee.spec, 1, table.end(1)).match_end.HasField("observation")
