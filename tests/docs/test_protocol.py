"""docs/protocol.md against the descriptors and the code: no error code, limit or field that the page has wrong."""

from __future__ import annotations

import re

import pytest
from tests.support.pages import rows, section, text_of

from croupier.v1 import match_pb2, play_service_pb2
from croupier_server.service.limits import LIMITS
from croupier_server.service.session import PROTOCOL_VERSION
from croupier_server.service.stream import FatalError

PAGE = text_of("docs/protocol.md")
CODES = {name.removeprefix("ERROR_CODE_"): number for name, number in play_service_pb2.ErrorCode.items() if number}
FATAL = {
    name for name in CODES if name not in ("STALE_TURN", "ILLEGAL_ACTION", "UNKNOWN_MATCH", "TIMED_OUT", "FORFEITED")
}


def table_of(heading: str) -> dict[str, list[str]]:
    """A table's rows by their first cell, code marks taken off."""
    return {row[0].strip("`"): row[1:] for row in rows(section(PAGE, heading))}


def test_the_table_of_errors_has_every_code_and_no_other() -> None:
    assert set(table_of("Errors")) == set(CODES)


@pytest.mark.parametrize("name", CODES)
def test_an_error_is_fatal_and_has_the_status_that_the_table_says(name: str) -> None:
    fatal, status, meaning = table_of("Errors")[name]
    code = play_service_pb2.ErrorCode.ValueType(CODES[name])
    expected = f"`{FatalError(code, '').status.name}`" if name in FATAL else ""
    assert (fatal, status) == ("yes" if name in FATAL else "no", expected)
    assert meaning


def test_the_table_of_limits_says_what_the_server_does() -> None:
    limits = {name: cells[0] for name, cells in table_of("Limits").items()}
    assert limits["from the opening of a stream to Hello or Resume"] == f"{LIMITS.hello_seconds:g} s"
    assert limits["a request"] == f"{LIMITS.max_message_bytes:,} bytes"
    assert limits["a note"] == f"{LIMITS.note_bytes:,} bytes of UTF-8"
    assert limits["matches at a time over one session"] == f"{LIMITS.max_matches}"
    ignored = f"{LIMITS.ignored_per_second:g} a second, {LIMITS.ignored_burst} at once"
    assert limits["requests that change nothing (`STALE_TURN`, `UNKNOWN_MATCH`)"] == ignored
    assert limits["refusals that wait to be read"] == f"{LIMITS.refusals_queued}"
    waiting = f"{LIMITS.outbox_messages}, or {LIMITS.outbox_bytes >> 20} MiB"
    assert limits["messages that wait to be read"] == waiting
    assert limits["the last messages of a stream that ends"] == f"{LIMITS.flush_seconds:g} s"
    assert f"for {LIMITS.resume_seconds:g} seconds" in section(PAGE, "Resume")


def test_the_page_is_about_the_version_that_is_spoken() -> None:
    assert f"The version described here is {PROTOCOL_VERSION}." in " ".join(PAGE.split())


def test_time_is_explained_for_every_part_of_the_clock() -> None:
    assert set(table_of("Time")) == set(match_pb2.Clock.DESCRIPTOR.fields_by_name)


def test_the_result_is_explained_field_by_field() -> None:
    named = set(table_of("Strikes, forfeits, places"))
    assert set(match_pb2.MatchResult.DESCRIPTOR.fields_by_name) <= named


def test_every_payload_of_a_session_is_named() -> None:
    payloads = [*play_service_pb2.PlayRequest.DESCRIPTOR.fields, *play_service_pb2.PlayResponse.DESCRIPTOR.fields]
    names = {payload.message_type.name for payload in payloads if payload.message_type is not None}
    assert {name for name in names if not re.search(rf"\b{name}\b", PAGE)} == set()
