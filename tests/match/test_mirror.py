"""Plain values and messages: games go through unchanged, and every mismatch shows at once."""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass
from enum import Enum
from typing import Annotated, Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.text_format import Parse
from tests.match import auction
from tests.support.worlds import at_random, every_case, luck, play, viewers

from croupier.v1 import games_pb2, match_pb2, record_pb2
from croupier_server.games import GAMES
from croupier_server.match import record as rec
from croupier_server.match import spec as sp
from croupier_server.match.mirror import mirror, snake, union_mirror
from croupier_server.match.wire import GameWire, wire_of
from croupier_server.rules import AnyGame, Codes

JEKYLL = GAMES["jekyll"]


def through_bytes(message: Any) -> Any:
    return type(message).FromString(message.SerializeToString())


# -- every game, both ways


@pytest.mark.parametrize(("game", "variant", "seats"), every_case())
def test_whatever_a_game_says_comes_back_equal_through_bytes(game: AnyGame, variant: str, seats: int) -> None:
    wire, options = wire_of(game), game.variants[variant]
    assert wire.read_options(through_bytes(wire.options(options))) == options
    said: set[Any] = set()
    for i in range(2):
        for step in play(game, options, seats, luck(f"mirror {i}"), at_random(f"mirror {i}")):
            for viewer in viewers(seats):
                view = step.state.view(viewer)
                assert wire.read_observation(through_bytes(wire.observation(view))) == view
                for event in set(step.told[viewer]) - said:
                    assert wire.read_event(through_bytes(wire.event(event))) == event
                said.update(step.told[viewer])
            for seat in step.actions:
                for action in set(step.state.legal(seat)) - said:
                    assert wire.read_action(through_bytes(wire.action(action))) == action
                said.update(step.state.legal(seat))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_the_protos_know_the_games_of_the_catalogue_and_no_other(game: AnyGame) -> None:
    for message in (games_pb2.GameOptions, games_pb2.Observation, games_pb2.Action, games_pb2.Event):
        arms = {field.name: field.number for field in message.DESCRIPTOR.oneofs_by_name["game"].fields}
        assert set(arms) == set(GAMES)
        assert arms[game.id] == games_pb2.GameOptions.DESCRIPTOR.fields_by_name[game.id].number >= 16


def test_an_action_is_encoded_once() -> None:
    wire = GameWire(JEKYLL)
    action = JEKYLL.parse_action("play R3")
    assert wire.action(action) is wire.action(JEKYLL.parse_action("play R3"))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (sp.Clock, match_pb2.Clock),
        (sp.Policy, match_pb2.Policy),
        (sp.SeatSpec, match_pb2.SeatSpec),
        (sp.ScheduleIdentity, match_pb2.ScheduleIdentity),
        (sp.MatchResult, match_pb2.MatchResult),
        (sp.Forfeit, match_pb2.Forfeit),
        (rec.TurnStamp, record_pb2.TurnStamp),
        (rec.Incident, record_pb2.Incident),
        (rec.MatchClock, record_pb2.MatchClock),
        (rec.MatchNotes, record_pb2.MatchNotes),
        (rec.Note, record_pb2.Note),
    ],
)
def test_the_values_of_match_and_record_mirror_their_messages(kind: type[Any], message: type[Any]) -> None:
    mirror(kind, message.DESCRIPTOR)


@pytest.mark.parametrize(
    ("enum", "descriptor"),
    [
        (rec.DecisionSource, record_pb2.DecisionSource.DESCRIPTOR),
        (sp.Termination, match_pb2.Termination.DESCRIPTOR),
        (sp.ForfeitReason, match_pb2.ForfeitReason.DESCRIPTOR),
        (rec.IncidentKind, record_pb2.IncidentKind.DESCRIPTOR),
    ],
)
def test_enums_have_the_numbers_of_the_protos(enum: type[Enum], descriptor: Any) -> None:
    prefix = snake(descriptor.name).upper()
    assert {f"{prefix}_{member.name}": member.value for member in enum} == {
        value.name: value.number for value in descriptor.values if value.number
    }


def test_signs_and_large_numbers_survive() -> None:
    result = mirror(sp.MatchResult, match_pb2.MatchResult.DESCRIPTOR)
    value = sp.MatchResult(sp.Termination.NORMAL, (2, 1), (-17, 2**31 - 1))
    assert result.decode(through_bytes(result.encode(value))) == value
    seat = mirror(sp.SeatSpec, match_pb2.SeatSpec.DESCRIPTOR)
    assert seat.decode(through_bytes(seat.encode(sp.SeatSpec("é", 2**64 - 1)))) == sp.SeatSpec("é", 2**64 - 1)


# -- mismatches, planted one at a time

PROTO = """
name: "planted.proto" package: "planted" syntax: "proto3"
enum_type { name: "Hue" value { name: "HUE_UNSPECIFIED" number: 0 }
  value { name: "HUE_RED" number: 1 } value { name: "HUE_BLUE" number: 2 } }
message_type { name: "Inner" field { name: "number" number: 1 type: TYPE_UINT32 label: LABEL_OPTIONAL } }
message_type { name: "Plain"
  field { name: "number" number: 1 type: TYPE_UINT32 label: LABEL_OPTIONAL }
  field { name: "maybe" number: 2 type: TYPE_UINT32 label: LABEL_OPTIONAL proto3_optional: true oneof_index: 0 }
  field { name: "many" number: 3 type: TYPE_UINT32 label: LABEL_REPEATED }
  field { name: "text" number: 4 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "data" number: 5 type: TYPE_BYTES label: LABEL_OPTIONAL }
  field { name: "flag" number: 6 type: TYPE_BOOL label: LABEL_OPTIONAL }
  field { name: "hue" number: 7 type: TYPE_ENUM type_name: ".planted.Hue" label: LABEL_OPTIONAL }
  field { name: "inner" number: 8 type: TYPE_MESSAGE type_name: ".planted.Inner" label: LABEL_OPTIONAL }
  oneof_decl { name: "_maybe" } }
message_type { name: "Choice"
  field { name: "inner" number: 1 type: TYPE_MESSAGE type_name: ".planted.Inner" label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "other" number: 2 type: TYPE_MESSAGE type_name: ".planted.Inner" label: LABEL_OPTIONAL oneof_index: 0 }
  oneof_decl { name: "kind" } }
message_type { name: "Beside"
  field { name: "inner" number: 1 type: TYPE_MESSAGE type_name: ".planted.Inner" label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "extra" number: 2 type: TYPE_UINT32 label: LABEL_OPTIONAL }
  oneof_decl { name: "kind" } }
message_type { name: "Scalar"
  field { name: "inner" number: 1 type: TYPE_UINT32 label: LABEL_OPTIONAL oneof_index: 0 }
  oneof_decl { name: "kind" } }
"""
POOL = DescriptorPool()
POOL.Add(Parse(PROTO, FileDescriptorProto()))


class Hue(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Inner:
    number: int


@dataclass(frozen=True)
class Other:
    number: int


HUES = Codes("Hue", texts=("r", "b"), constants=("RED", "BLUE"))
RIGHT: dict[str, Any] = {
    "number": int,
    "maybe": int | None,
    "many": tuple[int, ...],
    "text": str,
    "data": bytes,
    "flag": bool,
    "hue": Hue,
    "inner": Inner,
}


def mirrored(**other: Any) -> Any:
    """The mirror of a class that is right but for some fields; None leaves a field out."""
    hints = {name: hint for name, hint in {**RIGHT, **other}.items() if hint is not None}
    return mirror(make_dataclass("Plain", hints.items(), frozen=True), POOL.FindMessageTypeByName("planted.Plain"))


def test_the_planted_class_is_right_when_nothing_is_wrong_with_it() -> None:
    plain = mirrored()
    kind = make_dataclass("Plain", RIGHT.items(), frozen=True)
    value = kind(7, None, (1, 2), "t", b"d", True, Hue.BLUE, Inner(3))
    read = plain.decode(through_bytes(plain.encode(value)))
    assert [getattr(read, field.name) for field in fields(read)] == [
        getattr(value, field.name) for field in fields(kind)
    ]
    assert mirrored(hue=Annotated[int, HUES])


class Fewer(Enum):
    RED = 1


class Swapped(Enum):
    RED = 2
    BLUE = 1


class Renamed(Enum):
    RED = 1
    GREEN = 2


@pytest.mark.parametrize(
    "other",
    [
        {"number": None},
        {"another": int},
        {"number": None, "numbers": int},
        {"number": str},
        {"number": bool},
        {"number": float},
        {"number": Hue},
        {"number": Inner},
        {"number": int | None},
        {"number": tuple[int, ...]},
        {"number": int | str},
        {"maybe": int},
        {"maybe": str | None},
        {"maybe": int | str | None},
        {"maybe": tuple[int, ...]},
        {"many": int},
        {"many": int | None},
        {"many": tuple[str, ...]},
        {"text": bytes},
        {"data": str},
        {"flag": int},
        {"hue": int},
        {"hue": Fewer},
        {"hue": Swapped},
        {"hue": Renamed},
        {"hue": Annotated[int, "no codes"]},
        {"hue": Annotated[int, Codes("Hue", texts=("b", "r"), constants=("BLUE", "RED"))]},
        {"number": Annotated[int, HUES]},
        {"inner": int},
        {"inner": make_dataclass("Inner", [("number", str)])},
        {"inner": make_dataclass("Inner", [("numbers", int)])},
        {"inner": tuple[Inner, ...]},
        {"inner": dict},
    ],
    ids=str,
)
def test_a_difference_from_the_message_is_a_type_error(other: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="planted"):
        mirrored(**other)


def test_a_message_within_may_be_optional_on_both_sides() -> None:
    assert mirrored(inner=Inner | None)


def test_a_message_within_that_is_not_set_is_a_value_error() -> None:
    plain = mirrored()
    message = plain.encode(make_dataclass("Plain", RIGHT.items())(7, None, (), "", b"", False, Hue.RED, Inner(3)))
    message.ClearField("inner")
    with pytest.raises(ValueError, match="Plain: inner is not set"):
        plain.decode(message)


def union(name: str, *kinds: type[Any]) -> Any:
    return union_mirror(kinds, POOL.FindMessageTypeByName(f"planted.{name}"))


def test_a_union_mirrors_the_arms_of_a_oneof() -> None:
    choice = union("Choice", Inner, Other)
    assert choice.decode(through_bytes(choice.encode(Other(5)))) == Other(5)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("Choice", (Inner,)),
        ("Choice", (Inner, Other, Hue)),
        ("Choice", (Inner, make_dataclass("Others", [("number", int)]))),
        ("Choice", (Inner, make_dataclass("Other", [("text", str)]))),
        ("Beside", (Inner,)),
        ("Scalar", (Inner,)),
        ("Plain", (Inner,)),
    ],
)
def test_a_difference_from_the_oneof_is_a_type_error(name: str, kinds: tuple[type[Any], ...]) -> None:
    with pytest.raises(TypeError, match="planted"):
        union(name, *kinds)


def test_a_game_without_messages_cannot_be_put_on_the_wire() -> None:
    with pytest.raises(TypeError, match=r"croupier\.v1\.GameOptions has no message for the game auction"):
        GameWire(auction.GAME)
