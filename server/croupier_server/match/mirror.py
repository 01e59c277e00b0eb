"""Dataclasses <-> protobuf messages by name, so that a game needs no codec of its own.

A dataclass mirrors a message field for field; a union of dataclasses a message with one oneof `kind` whose arms are
the class names in snake_case; an Enum an enum by value; an int annotated with `Codes` an enum by its table;
`X | None` an optional field, a tuple a repeated one. `mirror` checks all of this against the descriptors once and
raises TypeError on any difference, so a mistake shows when the server starts and not in a match.
"""

from __future__ import annotations

import dataclasses
import operator
import re
import types
import typing
from collections.abc import Callable
from enum import Enum
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from croupier_server.match.fields import FieldWriter, field_writer
from croupier_server.rules import Codes

Convert = Callable[[Any], Any]


@dataclasses.dataclass(frozen=True, slots=True)
class Mirror:
    """Both directions between a plain value and a message, and the value straight to the message's bytes.

    `write` and `encode` raise ValueError for a number that does not fit its field. `decode` raises ValueError where a
    oneof, an enum or a message within the message is unset, or an enum unknown.
    """

    write: FieldWriter
    encode: Convert
    decode: Convert

    @classmethod
    def of(cls, descriptor: Descriptor, write: FieldWriter, decode: Convert) -> Mirror:
        """There is one way to write a value: its message is made from the bytes."""
        parse = GetMessageClass(descriptor).FromString
        return cls(write, lambda value: parse(write(value)), decode)


@dataclasses.dataclass(frozen=True, slots=True)
class _Item:
    """One value of a field: how it becomes a number or bytes (see `field_writer`), and how it is read."""

    convert: Convert
    decode: Convert


_SCALARS: dict[type[Any], set[int]] = {
    int: {
        FieldDescriptor.TYPE_INT32,
        FieldDescriptor.TYPE_INT64,
        FieldDescriptor.TYPE_SINT32,
        FieldDescriptor.TYPE_SINT64,
        FieldDescriptor.TYPE_UINT32,
        FieldDescriptor.TYPE_UINT64,
    },
    bool: {FieldDescriptor.TYPE_BOOL},
    str: {FieldDescriptor.TYPE_STRING},
    bytes: {FieldDescriptor.TYPE_BYTES},
}
_CONVERT: dict[type[Any], Convert] = {
    int: operator.index,
    bool: operator.index,
    str: str.encode,
    bytes: bytes.__bytes__,
}


def snake(name: str) -> str:
    """UpperCamel to lower_snake."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def mirror(kind: Any, descriptor: Descriptor) -> Mirror:
    """The mirror of a dataclass; raises TypeError when its fields are not those of the message."""
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        raise TypeError(f"{descriptor.full_name}: {kind} is no dataclass")
    hints = typing.get_type_hints(kind, include_extras=True)
    names = [field.name for field in dataclasses.fields(kind)]
    if set(names) != set(descriptor.fields_by_name):
        found = sorted(descriptor.fields_by_name)
        raise TypeError(f"{descriptor.full_name} has the fields {found}, {kind.__name__} has {sorted(names)}")
    fields = {name: _field(hints[name], descriptor.fields_by_name[name]) for name in names}
    written = [field.name for field in sorted(descriptor.fields, key=lambda field: field.number)]
    values, writers = _values_of(written), [fields[name][0] for name in written]
    readers = [fields[name][1] for name in names]

    def write(value: Any) -> bytes:
        return b"".join([put(item) for put, item in zip(writers, values(value), strict=True)])

    def decode(sent: Any) -> Any:
        return kind(*[get(sent) for get in readers])

    return Mirror.of(descriptor, write, decode)


def _values_of(names: list[str]) -> Convert:
    """From an object to its attributes of these names, in this order."""
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda value: tuple([getattr(value, name) for name in names])


def union_mirror(kinds: tuple[type[Any], ...], descriptor: Descriptor) -> Mirror:
    """The mirror of a union of dataclasses; raises TypeError when they are not the arms of the oneof `kind`."""
    oneof = descriptor.oneofs_by_name.get("kind")
    if oneof is None or len(oneof.fields) != len(descriptor.fields):
        raise TypeError(f"{descriptor.full_name} must have one oneof `kind` and nothing else")
    arms = {kind: snake(kind.__name__) for kind in kinds}
    if set(arms.values()) != (found := {field.name for field in oneof.fields}):
        raise TypeError(f"{descriptor.full_name}.kind has {sorted(found)}, the union has {sorted(arms.values())}")
    mirrors = {kind: mirror(kind, _message_type(descriptor.fields_by_name[arm])) for kind, arm in arms.items()}
    writers = {kind: field_writer(descriptor.fields_by_name[arms[kind]], mirrors[kind].write) for kind in kinds}
    decoders = {arms[kind]: inner.decode for kind, inner in mirrors.items()}

    def write(value: Any) -> bytes:
        return writers[type(value)](value)

    def decode(sent: Any) -> Any:
        arm = sent.WhichOneof("kind")
        if arm is None:
            raise ValueError(f"{descriptor.name}: none of {', '.join(sorted(decoders))} is set")
        return decoders[arm](getattr(sent, arm))

    return Mirror.of(descriptor, write, decode)


def _field(hint: Any, field: FieldDescriptor) -> tuple[FieldWriter, Convert]:
    """How a field's value is written, and how it is got from a message."""
    name = field.name
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        inner_hints = [arg for arg in typing.get_args(hint) if arg is not type(None)]
        if len(inner_hints) != 1 or not field.has_presence:
            raise TypeError(f"{field.full_name} must be optional, {hint} one type or None")
        item = _item(inner_hints[0], field)
        return (
            field_writer(field, item.convert),
            lambda sent: item.decode(getattr(sent, name)) if sent.HasField(name) else None,
        )
    if typing.get_origin(hint) is tuple:
        if not field.is_repeated:
            raise TypeError(f"{field.full_name} must be repeated for {hint}")
        item = _item(typing.get_args(hint)[0], field)
        return (
            field_writer(field, item.convert),
            lambda sent: tuple([item.decode(one) for one in getattr(sent, name)]),
        )
    if field.is_repeated or (field.has_presence and not field.message_type):
        raise TypeError(f"{field.full_name} and {hint} differ in presence or number")
    item, read = _item(hint, field), required if field.message_type else getattr
    return field_writer(field, item.convert), lambda sent: item.decode(read(sent, name))


def required(sent: Any, name: str) -> Any:
    """The message in a field of a message; raises ValueError when it is not set."""
    if not sent.HasField(name):
        raise ValueError(f"{sent.DESCRIPTOR.name}: {name} is not set")
    return getattr(sent, name)


def _item(hint: Any, field: FieldDescriptor) -> _Item:
    if typing.get_origin(hint) is typing.Annotated:
        codes = next((extra for extra in typing.get_args(hint)[1:] if isinstance(extra, Codes)), None)
        if codes is None or field.enum_type is None:
            raise TypeError(f"{field.full_name} must be an enum for {hint}")
        _check_enum(field.enum_type, {constant: i for i, constant in enumerate(codes.constants, 1)})
        return _Item(operator.index, _known(field.enum_type))
    if isinstance(hint, type) and issubclass(hint, Enum) and field.enum_type is not None:
        _check_enum(field.enum_type, {member.name: member.value for member in hint})
        known = _known(field.enum_type)
        return _Item(operator.attrgetter("value"), lambda number: hint(known(number)))
    if field.message_type is not None:
        inner = mirror(hint, field.message_type)
        return _Item(inner.write, inner.decode)
    if field.type in _SCALARS.get(hint, ()):
        return _Item(_CONVERT[hint], lambda value: value)
    raise TypeError(f"{field.full_name}: cannot mirror {hint}")


def _check_enum(enum: EnumDescriptor, ours: dict[str, int]) -> None:
    prefix = snake(enum.name).upper() + "_"
    wire = {value.name.removeprefix(prefix): value.number for value in enum.values if value.number}
    if wire != ours:
        raise TypeError(f"{enum.full_name} is {wire}, the code has {ours}")


def _known(enum: EnumDescriptor) -> Convert:
    numbers = frozenset(value.number for value in enum.values if value.number)

    def decode(number: int) -> int:
        if number not in numbers:
            raise ValueError(f"{enum.name}: {number} is not a value")
        return number

    return decode


def _message_type(field: FieldDescriptor) -> Descriptor:
    if field.message_type is None:
        raise TypeError(f"{field.full_name} must be a message")
    return field.message_type
