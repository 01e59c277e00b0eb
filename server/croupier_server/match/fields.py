"""The writing half of protobuf's wire format: one field of a message as its bytes. Reading is the library's.

Building a message only to serialize it costs more than the rules of a whole turn. What is written here is, byte for
byte, what the library would write: fields left at their default are left out, numbers that are repeated are packed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import Any, TypeAlias

from google.protobuf.descriptor import FieldDescriptor

FieldWriter: TypeAlias = Callable[[Any], bytes]

_VARINT, _LENGTH_DELIMITED = 0, 2  # wire types
_KEPT_BYTES = 2  # longer varints are not kept
_LAST = tuple([bytes([value]) for value in range(0x80)])  # of a varint's bytes
_MORE = tuple([bytes([value | 0x80]) for value in range(0x80)])
_WRAP = 1 << 64  # negative numbers are written modulo this
_SIGNED_32, _SIGNED_64 = range(-(1 << 31), 1 << 31), range(-(1 << 63), 1 << 63)
_NUMBERS = {
    FieldDescriptor.TYPE_BOOL: range(2),
    FieldDescriptor.TYPE_ENUM: _SIGNED_32,
    FieldDescriptor.TYPE_INT32: _SIGNED_32,
    FieldDescriptor.TYPE_INT64: _SIGNED_64,
    FieldDescriptor.TYPE_SINT32: _SIGNED_32,
    FieldDescriptor.TYPE_SINT64: _SIGNED_64,
    FieldDescriptor.TYPE_UINT32: range(1 << 32),
    FieldDescriptor.TYPE_UINT64: range(1 << 64),
}
_ZIGZAG = (FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_SINT64)
_BLOBS = (FieldDescriptor.TYPE_BYTES, FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_STRING)


def field_writer(field: FieldDescriptor, convert: Callable[[Any], Any]) -> FieldWriter:
    """The writer of a field; raises TypeError for a field of a type that is not listed here.

    It takes the field's value: None where an optional field is unset, a sequence where it is repeated. `convert` turns
    one value into an int (`operator.index` where it is one) or into bytes: the UTF-8 of a text, or a written message.
    The writer raises ValueError for a number that does not fit.
    """
    if field.type in _BLOBS:
        return _blobs(field, convert) if field.is_repeated else _blob(field, convert)
    if field.type not in _NUMBERS:
        raise TypeError(f"{field.full_name} is of a type that is not written here")
    number = _number(field, convert)
    return _packed(field, convert, number) if field.is_repeated else _scalar(field, number)


def varint(value: int) -> bytes:
    """A number that is not negative, seven bits a byte, the lowest first."""
    return _LAST[value] if value < 0x80 else _MORE[value & 0x7F] + varint(value >> 7)


class _Tagged(dict[Any, bytes]):
    """A tag and a varint, by what the varint stands for. It fills itself, since most are short and come again."""

    def __init__(self, field: FieldDescriptor, wire_type: int, number: Callable[[Any], bytes]) -> None:
        super().__init__()
        self._tag, self._number = varint(field.number << 3 | wire_type), number

    def __missing__(self, value: Any) -> bytes:
        number = self._number(value)
        written = self._tag + number
        if len(number) <= _KEPT_BYTES:
            self[value] = written
        return written


def _number(field: FieldDescriptor, convert: Callable[[Any], int]) -> Callable[[Any], bytes]:
    """Writes one number of a field, without its tag."""
    fitting, zigzag = _NUMBERS[field.type], field.type in _ZIGZAG

    def write(value: Any) -> bytes:
        number = convert(value)
        if number not in fitting:
            expected = f"{fitting.start} to {fitting.stop - 1}"
            raise ValueError(f"{field.full_name}: {number} does not fit, expected {expected}")
        if zigzag:
            number = 2 * number if number >= 0 else -2 * number - 1
        return varint(number % _WRAP)

    return write


def _scalar(field: FieldDescriptor, number: Callable[[Any], bytes]) -> FieldWriter:
    written = _Tagged(field, _VARINT, number)
    written[None if field.has_presence else 0] = b""
    return written.__getitem__


def _packed(field: FieldDescriptor, convert: Callable[[Any], int], number: Callable[[Any], bytes]) -> FieldWriter:
    head = _Tagged(field, _LENGTH_DELIMITED, varint)
    plain = convert is index and field.type not in _ZIGZAG

    def write(values: Sequence[Any]) -> bytes:
        if not values:
            return b""
        try:
            data = bytes(values) if plain else b""
        except ValueError:  # outside 0..255
            data = b""
        if not data or not data.isascii():  # numbers below 128 are their own varints
            data = b"".join(map(number, values))
        return head[len(data)] + data

    return write


def _blob(field: FieldDescriptor, convert: Callable[[Any], bytes]) -> FieldWriter:
    head, optional = _Tagged(field, _LENGTH_DELIMITED, varint), field.has_presence

    def write(value: Any) -> bytes:
        if value is None:
            return b""
        data = convert(value)
        return head[len(data)] + data if data or optional else b""

    return write


def _blobs(field: FieldDescriptor, convert: Callable[[Any], bytes]) -> FieldWriter:
    head = _Tagged(field, _LENGTH_DELIMITED, varint)
    return lambda values: b"".join([head[len(data)] + data for data in map(convert, values)])
