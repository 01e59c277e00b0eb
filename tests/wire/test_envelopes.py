"""The envelopes of a session: what every message of a match has in common, whichever game it is about."""

from __future__ import annotations

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from tests.support.descriptors import kind_of

from croupier.v1 import play_service_pb2 as pb

OF_THE_SESSION = {"hello", "resume", "welcome", "draining"}
ONE_BYTE_TAGS = range(1, 16)


@pytest.mark.parametrize("envelope", [pb.PlayRequest.DESCRIPTOR, pb.PlayResponse.DESCRIPTOR], ids=lambda e: e.name)
def test_every_message_of_a_match_names_it_and_those_of_the_session_do_not(envelope: Descriptor) -> None:
    for arm in envelope.oneofs_by_name["payload"].fields:
        match_id = kind_of(arm).fields_by_name.get("match_id")
        assert (match_id is None) == (arm.name in OF_THE_SESSION), f"{arm.full_name} and its match_id"
        assert match_id is None or match_id.type == FieldDescriptor.TYPE_STRING, f"{arm.full_name} and its match_id"


@pytest.mark.parametrize("envelope", [pb.PlayRequest.DESCRIPTOR, pb.PlayResponse.DESCRIPTOR], ids=lambda e: e.name)
def test_an_envelope_holds_its_payload_alone_and_spends_one_byte_on_its_kind(envelope: Descriptor) -> None:
    arms = envelope.oneofs_by_name["payload"].fields
    assert list(arms) == list(envelope.fields)
    assert {arm.number for arm in arms} <= set(ONE_BYTE_TAGS)


def test_every_message_about_a_match_names_it_in_the_same_field() -> None:
    arms = [*pb.PlayRequest.DESCRIPTOR.fields, *pb.PlayResponse.DESCRIPTOR.fields]
    numbered = {
        arm.name: kind_of(arm).fields_by_name["match_id"].number
        for arm in arms
        if arm.name not in OF_THE_SESSION | {"error"}  # an error need not be about a match
    }
    assert set(numbered.values()) == {1}, numbered
