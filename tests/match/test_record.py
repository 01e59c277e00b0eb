"""Records as bytes: what is sealed is read back, equal play has equal bytes, and no damage goes unnoticed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.match.matches import (
    JEKYLL,
    Parts,
    jekyll_given_up,
    jekyll_never_begun,
    jekyll_to_the_end,
    play_on,
    resealed,
    sealed,
)
from tests.match.virtual_table import VirtualTable, attempt, match_spec
from tests.support.worlds import luck

from croupier.v1 import record_pb2
from croupier_server.match import codec
from croupier_server.match.faults import Fault
from croupier_server.match.record import MatchNotes
from croupier_server.match.recording import record_parts
from croupier_server.match.spec import Clock, ForfeitReason, Termination
from croupier_server.match.verify import describe, verify

EVERY = pytest.mark.parametrize("match", [jekyll_to_the_end, jekyll_given_up, jekyll_never_begun])


@EVERY
def test_what_is_sealed_is_read_back(match: Callable[[], Parts]) -> None:
    play, clock, notes = match()
    record = codec.read_record(sealed(match()))
    assert codec.read_play(record.play) == play
    assert codec.read_clock(record.clock) == clock
    assert codec.read_notes(record.notes) == notes


@EVERY
def test_an_honest_record_verifies(match: Callable[[], Parts]) -> None:
    parts = match()
    verified = verify(sealed(parts))
    assert (verified.play, verified.clock, verified.notes) == parts
    assert len(list(describe(verified))) == len(verified.checked) > 8


def test_the_example_holds_what_the_tests_need() -> None:
    play, clock, notes = jekyll_to_the_end()
    assert {decision.source.name for decision in play.decisions} == {"BOT", "TIMEOUT"}
    assert len(play.illegal_answers) == 2
    assert {incident.kind.name for incident in clock.incidents} == {"READY", "DISCONNECTED", "RESUMED"}
    assert any(stamp.host_us for stamp in clock.turns)
    assert any(stamp.ignored_answers for stamp in clock.turns)
    assert len(notes.notes) == 2
    assert play.result.termination is Termination.NORMAL


def test_the_positions_of_a_verified_record_go_from_the_deal_to_the_end() -> None:
    verified = verify(sealed(jekyll_to_the_end()))
    first, *_, last = verified.positions
    assert first.state.view(0).round == 1
    assert last.state.outcome() is not None
    assert verify(sealed(jekyll_never_begun())).positions == ()


def test_a_match_that_never_began_tells_why() -> None:
    verified = verify(sealed(jekyll_never_begun()))
    assert [forfeit.reason for forfeit in verified.play.result.forfeits] == [ForfeitReason.NOT_READY]
    assert verified.play.draws == ()


def same_play(match_id: str, *, ms: int, opened_unix_ms: int) -> record_pb2.MatchRecord:
    table = VirtualTable(match_spec(game=JEKYLL, clock=Clock()))
    table.join()
    table.wait(ms)
    table.ready()
    play_on(table, luck("same"), ms=ms)
    return codec.seal(*record_parts(table.referee, attempt(match_id, opened_unix_ms=opened_unix_ms, salt=bytes(32))))


def test_equal_play_at_other_times_has_equal_play_bytes_and_hashes() -> None:
    one, two = same_play("m1", ms=3, opened_unix_ms=1), same_play("m2", ms=90, opened_unix_ms=9_999)
    assert one.play == two.play
    assert one.play_hash == two.play_hash
    assert one.clock_hash != two.clock_hash
    assert one.record_hash != two.record_hash


def test_a_record_is_sealed_to_the_same_bytes_every_time() -> None:
    assert sealed(jekyll_to_the_end()) == sealed(jekyll_to_the_end())


def test_the_order_of_illegal_answers_of_different_seats_does_not_show_in_the_play() -> None:
    records = []
    for order in ((0, 1), (1, 0)):
        table = VirtualTable(match_spec(game=JEKYLL, clock=Clock()))
        table.begin()
        for seat in order:
            table.answer(seat, 999)
        play_on(table, luck("same"))
        records.append(codec.seal(*record_parts(table.referee, attempt())))
    assert records[0].play_hash == records[1].play_hash


def test_notes_can_be_removed_and_the_hashes_stay_valid() -> None:
    record = codec.read_record(sealed(jekyll_to_the_end()))
    record.ClearField("notes")
    verified = verify(record.SerializeToString(deterministic=True))
    assert verified.notes is None
    assert verified.hashes.record == verify(sealed(jekyll_to_the_end())).hashes.record
    assert "notes (removed)" in verified.checked[0]


def test_notes_that_were_emptied_instead_of_removed_are_a_fault() -> None:
    record = codec.read_record(sealed(jekyll_to_the_end()))
    record.notes = b""
    with pytest.raises(Fault, match="notes_hash is"):
        verify(record.SerializeToString(deterministic=True))


def test_a_removed_note_cannot_be_guessed_from_its_hash_for_want_of_the_salt() -> None:
    play, clock, notes = jekyll_to_the_end()
    guessed = codec.seal(play, clock, MatchNotes(bytes(32), notes.notes))
    assert guessed.notes_hash != codec.seal(play, clock, notes).notes_hash


# -- damage


def test_every_flipped_bit_of_a_short_record_is_found() -> None:
    data = sealed(jekyll_given_up())
    for position in range(len(data)):
        for bit in range(8):
            damaged = bytearray(data)
            damaged[position] ^= 1 << bit
            with pytest.raises(Fault):
                verify(bytes(damaged))


def test_every_flipped_byte_of_a_long_record_is_found() -> None:
    data = sealed(jekyll_to_the_end())
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 0xFF
        with pytest.raises(Fault):
            verify(bytes(damaged))


@EVERY
def test_a_record_cut_short_anywhere_is_found(match: Callable[[], Parts]) -> None:
    data = sealed(match())
    for length in range(len(data)):
        with pytest.raises(Fault):
            verify(data[:length])


@pytest.mark.parametrize("more", [b"\x00", b"\x7a\x01x", b"\x08\x01", b"\x08\x00", b"\xff"])
def test_bytes_after_a_record_are_found(more: bytes) -> None:
    with pytest.raises(Fault):
        verify(sealed(jekyll_given_up()) + more)


def test_two_records_in_one_file_are_found() -> None:
    with pytest.raises(Fault):
        verify(sealed(jekyll_given_up()) * 2)


def test_a_record_of_another_format_is_refused_by_name() -> None:
    record = codec.read_record(sealed(jekyll_given_up()))
    record.format = 2
    with pytest.raises(Fault, match="the record has format 2, expected 1"):
        verify(record.SerializeToString(deterministic=True))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_random_bytes_are_a_fault(data: bytes) -> None:
    with pytest.raises(Fault):
        verify(data)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_random_damage_with_hashes_made_right_again_is_never_worse_than_a_fault(data: st.DataObject) -> None:
    record = codec.read_record(sealed(data.draw(st.sampled_from([jekyll_to_the_end, jekyll_given_up]))()))
    name = data.draw(st.sampled_from(["play", "clock", "notes"]))
    part = bytearray(getattr(record, name))
    for _ in range(data.draw(st.integers(1, 3))):
        part[data.draw(st.integers(0, len(part) - 1))] = data.draw(st.integers(0, 255))
    setattr(record, name, bytes(part))
    # Whoever can make hashes can change names, seeds and times within what is right; the published hash tells.
    with contextlib.suppress(Fault):
        verify(resealed(record))


@pytest.mark.parametrize("name", ["play", "clock", "notes"])
def test_a_part_with_a_field_that_means_nothing_is_found(name: str) -> None:
    record = codec.read_record(sealed(jekyll_given_up()))
    setattr(record, name, getattr(record, name) + b"\xfa\x07\x06hidden")
    with pytest.raises(Fault, match=f"the {name} holds what belongs to no field"):
        verify(resealed(record))


@pytest.mark.parametrize("name", ["spec", "result"])
def test_a_play_without_its_spec_or_result_is_found(name: Literal["spec", "result"]) -> None:
    record = codec.read_record(sealed(jekyll_given_up()))
    play = record_pb2.MatchPlay.FromString(record.play)
    play.ClearField(name)
    record.play = play.SerializeToString(deterministic=True)
    with pytest.raises(Fault, match="there is no game ''" if name == "spec" else "MatchPlay: result is not set"):
        verify(resealed(record))


@pytest.mark.parametrize("name", ["identity", "clock", "policy"])
def test_a_spec_that_lacks_a_part_is_found(name: Literal["identity", "clock", "policy"]) -> None:
    record = codec.read_record(sealed(jekyll_given_up()))
    play = record_pb2.MatchPlay.FromString(record.play)
    play.spec.ClearField(name)
    record.play = play.SerializeToString(deterministic=True)
    with pytest.raises(Fault, match=f"MatchSpec: {name} is not set"):
        verify(resealed(record))


def test_an_empty_file_is_a_fault() -> None:
    with pytest.raises(Fault, match="the record has format 0, expected 1"):
        verify(b"")


def test_parts_of_two_attempts_do_not_make_a_record() -> None:
    play, clock, notes = jekyll_given_up()
    with pytest.raises(Fault, match="commitment is"):
        verify(sealed((play, replace(clock, match_id="m2"), notes)))
