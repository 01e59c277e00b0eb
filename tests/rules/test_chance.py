"""The only source of luck: published numbers, a second way to compute them, evenness, luck that does not fit."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from croupier_server.rules import (
    ChanceError,
    KeyedChance,
    NumberDraw,
    RecordedChance,
    Recorder,
    ScriptedChance,
    ShuffleDraw,
)

VECTORS = json.loads((Path(__file__).resolve().parents[1] / "vectors" / "chance.json").read_text())
STREAMS = [pytest.param(stream, id=f"{stream['key'][:8]} {stream['label']}") for stream in VECTORS["streams"]]


# --- A second way to the same numbers, straight from the text of docs/rules/README.md ---


def words(key: bytes, label: str) -> Iterator[int]:
    """The 64-bit words of a stream."""
    stream_key = hashlib.sha256(key + label.encode("utf-8")).hexdigest()
    block = 0
    while True:
        digits = hashlib.sha256(bytes.fromhex(f"{stream_key}{block:016x}")).hexdigest()
        yield from (int(digits[at : at + 16], 16) for at in (0, 16, 32, 48))
        block += 1


def number(stream: Iterator[int], n: int) -> int:
    """The first word that does not favour small numbers, modulo n."""
    fair = (1 << 64) // n * n
    return next(word for word in stream if word < fair) % n


def order(stream: Iterator[int], size: int) -> list[int]:
    """A shuffle of 0..size-1."""
    items = list(range(size))
    for last in reversed(range(1, size)):
        other = number(stream, last + 1)
        items[last], items[other] = items[other], items[last]
    return items


@pytest.mark.parametrize("stream", STREAMS)
def test_a_second_implementation_gives_the_published_numbers(stream: dict[str, Any]) -> None:
    source = words(bytes.fromhex(stream["key"]), stream["label"])
    assert list(islice(words(bytes.fromhex(stream["key"]), stream["label"]), 8)) == [int(w) for w in stream["words"]]
    for kind, size, drawn in stream["draws"]:
        if kind == "below":
            assert str(number(source, int(size))) == drawn
        else:
            assert order(source, size) == drawn


@pytest.mark.parametrize("stream", STREAMS)
def test_keyed_chance_gives_the_published_numbers(stream: dict[str, Any]) -> None:
    chance = KeyedChance(bytes.fromhex(stream["key"]))
    for kind, size, drawn in stream["draws"]:
        if kind == "below":
            assert str(chance.below(stream["label"], int(size))) == drawn
        else:
            assert list(chance.shuffle(stream["label"], range(size))) == drawn


def test_the_published_numbers_cover_refused_words() -> None:
    """With n just above 2^63 nearly half of the words are refused."""
    (wide,) = [stream for stream in VECTORS["streams"] if stream["label"] == "wide"]
    fair = (1 << 64) // (2**63 + 1) * (2**63 + 1)
    used = [int(word) for word in wide["words"] if int(word) < fair]
    assert len(used) < len(wide["words"])
    assert [str(word % (2**63 + 1)) for word in used] == [drawn for _, _, drawn in wide["draws"]][: len(used)]


# --- Streams ---


def test_labels_are_streams_of_their_own() -> None:
    busy, calm = KeyedChance(b"key"), KeyedChance(b"key")
    for _ in range(9):
        busy.below("other", 6)
    assert busy.shuffle("deal 1", range(25)) == calm.shuffle("deal 1", range(25))


def test_one_label_goes_on_where_it_stopped() -> None:
    chance, again = KeyedChance(b"key"), KeyedChance(b"key")
    assert [chance.below("die", 6) for _ in range(20)] == [again.below("die", 6) for _ in range(20)]
    assert chance.shuffle("die", range(9)) != KeyedChance(b"key").shuffle("die", range(9))


def test_other_keys_give_other_luck() -> None:
    assert KeyedChance(b"a").shuffle("deal 1", range(25)) != KeyedChance(b"b").shuffle("deal 1", range(25))


def test_numbers_are_even() -> None:
    chance = KeyedChance(b"even")
    seen = Counter(chance.below("die", 6) for _ in range(12_000))
    assert sorted(seen) == list(range(6))
    assert sum((count - 2000) ** 2 / 2000 for count in seen.values()) < 20.5  # chi squared, 5 degrees, p = 0.001


def test_orders_are_even() -> None:
    chance = KeyedChance(b"even")
    seen = Counter(chance.shuffle("deck", "abcd") for _ in range(12_000))
    assert len(seen) == 24
    assert sum((count - 500) ** 2 / 500 for count in seen.values()) < 49.7  # chi squared, 23 degrees, p = 0.001


def test_a_number_below_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"below\('die', 0\): need at least one outcome"):
        KeyedChance(b"key").below("die", 0)


def test_shuffles_of_nothing_and_of_one_thing_are_themselves() -> None:
    assert KeyedChance(b"key").shuffle("deck", ()) == ()
    assert KeyedChance(b"key").shuffle("deck", ["only"]) == ("only",)


# --- Recorded luck ---


def test_a_recorder_passes_luck_through_and_keeps_it() -> None:
    recorder, plain = Recorder(KeyedChance(b"key")), KeyedChance(b"key")
    assert recorder.below("die", 6) == plain.below("die", 6)
    assert recorder.shuffle("deck", "abc") == plain.shuffle("deck", "abc")
    die, deck = recorder.draws
    assert isinstance(die, NumberDraw)
    assert isinstance(deck, ShuffleDraw)
    assert (die.label, die.bound, deck.label, sorted(deck.order)) == ("die", 6, "deck", [0, 1, 2])


def test_recorded_luck_is_the_luck_that_was_recorded() -> None:
    recorder = Recorder(KeyedChance(b"key"))
    first = recorder.below("die", 6), recorder.shuffle("deck", "abc")
    recorded = RecordedChance(recorder.draws)
    assert recorded.left == 2
    assert (recorded.below("die", 6), recorded.shuffle("deck", "abc")) == first
    assert recorded.left == 0


@pytest.mark.parametrize(
    "draw",
    [
        NumberDraw("coin", 6, 3),  # another label
        NumberDraw("die", 5, 3),  # another bound
        NumberDraw("die", 6, 6),  # a value out of range
        ShuffleDraw("die", (0, 1)),  # another operation
    ],
)
def test_a_recorded_number_must_fit_the_call(draw: NumberDraw | ShuffleDraw) -> None:
    with pytest.raises(ChanceError, match=r"draw 1: found .*, the rules ask for below\('die', 6\)"):
        RecordedChance([draw]).below("die", 6)


@pytest.mark.parametrize(
    "draw",
    [
        ShuffleDraw("other", (0, 1, 2)),
        ShuffleDraw("deck", (0, 1)),
        ShuffleDraw("deck", (0, 1, 1)),
        NumberDraw("deck", 3, 0),
    ],
)
def test_a_recorded_order_must_fit_the_call(draw: NumberDraw | ShuffleDraw) -> None:
    with pytest.raises(ChanceError, match=r"draw 1: found .*, the rules ask for shuffle\('deck', 3\)"):
        RecordedChance([draw]).shuffle("deck", "abc")


def test_a_record_that_ends_too_early_says_what_was_asked() -> None:
    with pytest.raises(ChanceError, match=r"draw 1: the record has no more draws, the rules ask for below\('die', 6\)"):
        RecordedChance([]).below("die", 6)


# --- Scripted luck ---


def test_a_script_gives_what_it_says_under_any_label() -> None:
    scripted = ScriptedChance([("below", 4), ("shuffle", ["c", "a", "b"])], str)
    assert scripted.left == 2
    assert scripted.below("die", 6) == 4
    assert scripted.shuffle("deck", ["a", "b", "c"]) == ("c", "a", "b")
    assert scripted.left == 0


def test_a_scripted_shuffle_takes_twins_in_their_given_order() -> None:
    twins = ["a1", "a2", "b1"]
    assert ScriptedChance([("shuffle", ["a", "b", "a"])], lambda item: item[0]).shuffle("deck", twins) == (
        "a1",
        "b1",
        "a2",
    )


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ([], "entry 1: found the end of the script, the rules ask for below"),
        ([("shuffle", ["a"])], "entry 1: found shuffle, the rules ask for below"),
        ([("below", 6)], r"entry 1: 6 does not fit below\('die', 6\)"),
        ([("below", "4")], r"entry 1: '4' does not fit below\('die', 6\)"),
    ],
)
def test_a_scripted_number_must_fit_the_call(script: list[tuple[str, Any]], message: str) -> None:
    with pytest.raises(ChanceError, match=message):
        ScriptedChance(script, str).below("die", 6)


@pytest.mark.parametrize("texts", [["a", "b"], ["a", "b", "b"], ["a", "b", "x"]])
def test_a_scripted_order_must_fit_the_call(texts: list[str]) -> None:
    with pytest.raises(ChanceError, match=r"entry 1: .* is no order of"):
        ScriptedChance([("shuffle", texts)], str).shuffle("deck", ["a", "b", "c"])
