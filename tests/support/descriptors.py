"""The contract as descriptors: every message, field and enum of proto/, found by walking its files."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, FileDescriptor

PROTO = Path(__file__).resolve().parents[2] / "proto"


def files() -> list[FileDescriptor]:
    """Every file below proto/, in order of name."""
    names = sorted(path.relative_to(PROTO).with_suffix("").as_posix() for path in PROTO.rglob("*.proto"))
    return [import_module(name.replace("/", ".") + "_pb2").DESCRIPTOR for name in names]


def messages() -> Iterator[Descriptor]:
    """Every message, nested ones too."""
    for file in files():
        waiting = list(file.message_types_by_name.values())
        while waiting:
            message = waiting.pop()
            waiting += message.nested_types
            yield message


def fields() -> Iterator[FieldDescriptor]:
    """Every field of every message."""
    for message in messages():
        yield from message.fields


def enums() -> Iterator[EnumDescriptor]:
    """Every enum, nested ones too."""
    for file in files():
        yield from file.enum_types_by_name.values()
    for message in messages():
        yield from message.enum_types


def kind_of(field: FieldDescriptor) -> Descriptor:
    """The message that a field holds."""
    assert field.message_type is not None, f"{field.full_name} holds no message"
    return field.message_type


def reachable(*roots: Descriptor) -> set[Descriptor]:
    """The messages and everything that they hold, however deep."""
    found: set[Descriptor] = set()
    waiting = list(roots)
    while waiting:
        message = waiting.pop()
        if message not in found:
            found.add(message)
            waiting += [field.message_type for field in message.fields if field.message_type is not None]
    return found
