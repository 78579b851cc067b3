"""Read protobuf's wire format: field numbers, wire types and raw values, nothing more.

Written against https://protobuf.dev/programming-guides/encoding/. The messages of a report are
read by field number, so a field that a newer Nsight Compute adds is passed over. Everything
works on a place in one large buffer, so nothing is copied and an error knows its byte.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

Field = tuple[int, int, "int | bytes"]
Span = tuple[int, int]

_FLOAT, _DOUBLE = struct.Struct("<f"), struct.Struct("<d")


class WireError(ValueError):
    """The bytes are no protobuf message. `at`: the first byte that cannot be part of one."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def fields(data: bytes, start: int = 0, end: int | None = None) -> Iterator[Field]:
    """Yield (field number, wire type, value) of the message in data[start:end].

    The value is an int for VARINT, FIXED32 and FIXED64 (their bits), bytes for BYTES.

    Raises:
        WireError: at the first byte that cannot be one.
    """
    for number, wire, first, last in places(data, start, len(data) if end is None else end):
        yield number, wire, first if wire == VARINT else _content(data, wire, first, last)


def _content(data: bytes, wire: int, first: int, last: int) -> int | bytes:
    content = data[first:last]
    return content if wire == BYTES else int.from_bytes(content, "little")


def places(data: bytes, position: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield (field number, wire type, first, last): where the field's content lies.

    Of a VARINT `first` is the number itself, and `last` is where it ends.

    Raises:
        WireError: at the first byte that cannot be one.
    """
    while position < end:
        begin = position
        key, position = varint(data, position, end)
        wire = key & 7
        if key < 8:
            raise WireError("a field without a number", begin)
        if wire == VARINT:
            number, position = varint(data, position, end)
            yield key >> 3, wire, number, position
            continue
        if wire == BYTES:
            size, position = varint(data, position, end)
        elif wire in (FIXED32, FIXED64):
            size = 4 if wire == FIXED32 else 8
        else:
            raise WireError(f"wire type {wire} is not used", begin)
        if size > end - position:
            raise WireError("a field is longer than its message", begin)
        yield key >> 3, wire, position, position + size
        position += size


def varint(data: bytes, position: int, end: int) -> tuple[int, int]:
    """The number at `position`, and where it ends.

    Raises:
        WireError: it runs past `end`, or over ten bytes.
    """
    if position < end and data[position] < 128:  # most are short
        return data[position], position + 1
    begin, result, shift = position, 0, 0
    while position < end:
        byte = data[position]
        position += 1
        result |= (byte & 127) << shift
        if byte < 128:
            return result, position
        shift += 7
        if shift > 63:
            raise WireError("a number has too many bytes", begin)
    raise WireError("a number is cut off", begin)


def double_at(data: bytes, position: int) -> float:
    """The double whose eight bytes stand at `position`."""
    return float(_DOUBLE.unpack_from(data, position)[0])


def float_at(data: bytes, position: int) -> float:
    """The float whose four bytes stand at `position`."""
    return float(_FLOAT.unpack_from(data, position)[0])


def as_double(bits: int | bytes) -> float:
    """The double whose bits a FIXED64 field holds."""
    return double_at(_bits(bits, 8), 0)


def as_signed(number: int | bytes) -> int:
    """A VARINT field of a signed type (int32, int64)."""
    if not isinstance(number, int):
        raise WireError("a number was expected", 0)
    return number - (1 << 64) if number >> 63 else number


def _bits(bits: int | bytes, size: int) -> bytes:
    if not isinstance(bits, int) or bits >> (8 * size):
        raise WireError("a number was expected", 0)
    return bits.to_bytes(size, "little")


def as_text(value: int | bytes) -> str:
    """A string field (undecodable bytes are replaced)."""
    return as_bytes(value).decode("utf-8", "replace")


def as_bytes(value: int | bytes) -> bytes:
    """A nested message or bytes field."""
    if isinstance(value, int):
        raise WireError("a message was expected", 0)
    return value


def as_int(value: int | bytes) -> int:
    """A VARINT field."""
    if not isinstance(value, int):
        raise WireError("a number was expected", 0)
    return value
