"""Keys, seeds, commitments and hashes: published numbers, worked out once more in plain words."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier_server.match.keys import block_key, bot_seed, commitment
from croupier_server.match.record import hashes, part_hash

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).resolve().parents[1] / "vectors" / "keys.json").read_text()
)
SECRET = bytes(range(32))


def framed(*parts: str | int) -> bytes:
    """Each part behind its length in 4 bytes: text as UTF-8, a number as 8 bytes, all big-endian."""
    message = b""
    for part in parts:
        data = part.encode("utf-8") if isinstance(part, str) else part.to_bytes(8, "big")
        message += len(data).to_bytes(4, "big")
        message += data
    return message


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, by hand."""
    assert len(key) <= 64
    padded = key + bytes(64 - len(key))
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def test_the_plain_hmac_is_the_library_s() -> None:
    assert hmac_sha256(SECRET, b"message") == hmac.digest(SECRET, b"message", "sha256")


@pytest.mark.parametrize("vector", VECTORS["block_key"], ids=lambda vector: vector["why"])
def test_vector_of_a_block_key(vector: dict[str, Any]) -> None:
    secret = bytes.fromhex(vector["secret"])
    seating: int | None = vector["seating"]
    expected = bytes.fromhex(vector["key"])
    names = sorted(vector["entrants"], key=lambda name: name.encode("utf-8"))
    seatings = [] if seating is None else [seating]
    assert hmac_sha256(secret, framed(vector["game"], *names, vector["block"], *seatings, vector["redraw"])) == expected
    made = block_key(
        secret, vector["game"], vector["entrants"], vector["block"], redraw=vector["redraw"], seating=seating
    )
    assert made == expected


@pytest.mark.parametrize("vector", VECTORS["bot_seed"], ids=lambda vector: vector["why"])
def test_vector_of_a_bot_seed(vector: dict[str, Any]) -> None:
    secret = bytes.fromhex(vector["secret"])
    names = sorted(vector["entrants"], key=lambda name: name.encode("utf-8"))
    message = framed("bot_seed", *names, vector["block"], vector["seating"], vector["seat"])
    expected = int(vector["seed"])  # text, since many readers of JSON round large numbers
    assert int.from_bytes(hmac_sha256(secret, message)[:8], "big") == expected
    assert bot_seed(secret, vector["entrants"], vector["block"], vector["seating"], vector["seat"]) == expected


@pytest.mark.parametrize("vector", VECTORS["commitment"], ids=lambda vector: vector["why"])
def test_vector_of_a_commitment(vector: dict[str, Any]) -> None:
    salt, key, expected = (bytes.fromhex(vector[name]) for name in ("salt", "key", "commitment"))
    assert hashlib.sha256(vector["match_id"].encode("utf-8") + salt + key).digest() == expected
    assert commitment(vector["match_id"], salt, key) == expected


@pytest.mark.parametrize("vector", VECTORS["hashes"], ids=lambda vector: vector["why"])
def test_vector_of_the_hashes_of_a_record(vector: dict[str, Any]) -> None:
    play, clock, notes = (bytes.fromhex(vector[name]) for name in ("play", "clock", "notes"))
    of_play = hashlib.sha256(b"croupier play 1" + play).digest()
    of_clock = hashlib.sha256(b"croupier clock 1" + clock).digest()
    of_notes = hashlib.sha256(b"croupier notes 1" + notes).digest()
    of_record = hashlib.sha256(b"croupier record 1" + of_play + of_clock + of_notes).digest()
    assert [of_play.hex(), of_clock.hex(), of_notes.hex(), of_record.hex()] == [
        vector[name] for name in ("play_hash", "clock_hash", "notes_hash", "record_hash")
    ]
    made = hashes(play, clock, notes)
    assert (made.play, made.clock, made.notes, made.record) == (of_play, of_clock, of_notes, of_record)


# -- what the numbers are for


def test_the_order_of_entrants_does_not_matter() -> None:
    assert block_key(SECRET, "jekyll", ["b", "a"], 0, redraw=0) == block_key(SECRET, "jekyll", ["a", "b"], 0, redraw=0)
    assert bot_seed(SECRET, ["b", "a"], 0, 0, 0) == bot_seed(SECRET, ["a", "b"], 0, 0, 0)


def test_entrants_that_come_or_go_do_not_change_the_deals_of_others() -> None:
    """A block is known by its own entrants and its number among theirs, by nothing else of the cup."""

    def keys(field: list[str]) -> dict[tuple[str, str], bytes]:
        pairs = [(one, two) for one in field for two in field if one < two]
        return {pair: block_key(SECRET, "jekyll", pair, 3, redraw=0) for pair in pairs}

    small, large = keys(["ann", "cid"]), keys(["abe", "ann", "bob", "cid", "zoe"])
    assert small.items() <= large.items()
    assert len(set(large.values())) == len(large)


def test_duplicate_deals_are_one_deal_and_independent_deals_one_a_seating() -> None:
    duplicate = [block_key(SECRET, "jekyll", ["a", "b"], 0, redraw=0) for _seating in range(2)]
    independent = [block_key(SECRET, "jekyll", ["a", "b"], 0, redraw=0, seating=seating) for seating in range(2)]
    assert duplicate[0] == duplicate[1]
    assert len({*duplicate, *independent}) == 3


def test_a_block_that_is_drawn_anew_has_other_luck() -> None:
    assert len({block_key(SECRET, "jekyll", ["a", "b"], 0, redraw=redraw) for redraw in range(20)}) == 20


def test_a_bot_has_the_same_seed_in_every_attempt_and_another_in_every_seat_and_seating() -> None:
    seeds = {
        bot_seed(SECRET, ["a", "b"], block, seating, seat) for block in (0, 1) for seating in (0, 1) for seat in (0, 1)
    }
    assert len(seeds) == 8
    assert all(0 <= seed < 2**64 for seed in seeds)


NAMES = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4)


@given(NAMES, NAMES, st.integers(0, 2**40), st.integers(0, 2**40))
def test_different_tables_or_blocks_have_different_keys(one: list[str], two: list[str], block: int, other: int) -> None:
    first = block_key(SECRET, "jekyll", one, block, redraw=0)
    second = block_key(SECRET, "jekyll", two, other, redraw=0)
    assert (first == second) == ((sorted(one), block) == (sorted(two), other))


def test_names_that_run_together_alike_have_different_keys() -> None:
    assert block_key(SECRET, "g", ["ab", "c"], 0, redraw=0) != block_key(SECRET, "g", ["a", "bc"], 0, redraw=0)


def test_the_hash_of_a_part_is_bound_to_its_name() -> None:
    assert len({part_hash(name, b"same") for name in ("play", "clock", "notes", "record")}) == 4
