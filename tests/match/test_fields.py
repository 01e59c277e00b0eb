"""Fields as bytes: for every type and every value what the protobuf library writes, and nothing that does not fit."""

from __future__ import annotations

from enum import Enum
from operator import attrgetter, index
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st

from croupier_server.match.fields import field_writer

INT_32, INT_64 = st.integers(-(2**31), 2**31 - 1), st.integers(-(2**63), 2**63 - 1)
SMALL = st.integers(0, 300)  # where a varint grows from one byte to two
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "bool": st.booleans(),
    "enum": st.integers(0, 2),
    "int32": SMALL | INT_32,
    "int64": SMALL | INT_64,
    "sint32": SMALL | INT_32,
    "sint64": SMALL | INT_64,
    "uint32": SMALL | st.integers(0, 2**32 - 1),
    "uint64": SMALL | st.integers(0, 2**64 - 1),
    "string": st.text(max_size=200),
    "bytes": st.binary(max_size=200),
}
CONVERT: dict[str, Any] = {"string": str.encode, "bytes": bytes}


def planted() -> Any:
    """A message with a plain, an optional and a repeated field of each type; the numbers need one byte, and two."""
    file = FileDescriptorProto(name="fields.proto", package="planted", syntax="proto3")
    enum = file.enum_type.add(name="Hue")
    for number, name in enumerate(("NONE", "RED", "BLUE")):
        enum.value.add(name=name, number=number)
    message = file.message_type.add(name="All")
    for at, kind in enumerate([*VALUES, "double"]):
        for step, label in enumerate(("plain", "optional", "repeated")):
            field = message.field.add(name=f"{label}_{kind}", number=3 * at + step + 1)
            field.type = FieldDescriptorProto.Type.Value(f"TYPE_{kind.upper()}")
            field.label = FieldDescriptorProto.LABEL_OPTIONAL
            if kind == "enum":
                field.type_name = ".planted.Hue"
            if label == "repeated":
                field.label = FieldDescriptorProto.LABEL_REPEATED
            elif label == "optional":
                field.proto3_optional, field.oneof_index = True, len(message.oneof_decl)
                message.oneof_decl.add(name=f"_{field.name}")
    pool = DescriptorPool()
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName("planted.All"))


ALL = planted()


def field(name: str) -> FieldDescriptor:
    descriptor: FieldDescriptor = ALL.DESCRIPTOR.fields_by_name[name]
    return descriptor


@pytest.mark.parametrize("kind", VALUES)
@given(data=st.data())
def test_a_field_is_written_as_the_library_writes_it(kind: str, data: st.DataObject) -> None:
    one, convert = VALUES[kind], CONVERT.get(kind, index)
    for label, values in (("plain", one), ("optional", st.none() | one), ("repeated", st.lists(one, max_size=150))):
        name, value = f"{label}_{kind}", data.draw(values)
        write = field_writer(field(name), convert)
        assert write(value) == ALL(**{name: value}).SerializeToString()
        assert write(value) == ALL(**{name: value}).SerializeToString()  # from what was kept


def test_values_are_converted_one_by_one() -> None:
    class Hue(Enum):
        RED = 1
        BLUE = 2

    number = attrgetter("value")
    assert field_writer(field("plain_enum"), number)(Hue.BLUE) == ALL(plain_enum=2).SerializeToString()
    many = field_writer(field("repeated_enum"), number)((Hue.BLUE, Hue.RED))
    assert many == ALL(repeated_enum=[2, 1]).SerializeToString()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("plain_uint32", -1),
        ("plain_uint32", 2**32),
        ("optional_uint64", 2**64),
        ("plain_int32", 2**31),
        ("plain_sint32", -(2**31) - 1),
        ("plain_int64", 2**63),
        ("plain_bool", 2),
        ("repeated_uint32", (1, -1)),
        ("repeated_uint32", (1, 2**32)),
        ("repeated_sint32", (2**31,)),
    ],
)
def test_a_number_that_does_not_fit_is_refused_with_the_field_and_its_range(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"planted\.All\.{name}: -?\d+ does not fit, expected -?\d+ to \d+"):
        field_writer(field(name), index)(value)


def test_a_type_that_no_message_of_ours_has_is_refused_at_once() -> None:
    with pytest.raises(TypeError, match=r"planted\.All\.plain_double"):
        field_writer(field("plain_double"), index)
