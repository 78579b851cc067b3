"""Read protobuf's wire format: field numbers, wire types and raw values, nothing more.

Written against https://protobuf.dev/programming-guides/encoding/. The messages of a report are
read by field number, so a field that a newer Nsight Compute adds is passed over.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

Field = tuple[int, int, "int | bytes"]


class WireError(ValueError):
    """The bytes are no protobuf message."""


def fields(data: bytes) -> Iterator[Field]:
    """Yield (field number, wire type, value) of one message.

    The value is an int for VARINT, FIXED32 and FIXED64 (their bits), bytes for BYTES.

    Raises:
        WireError: at the first byte that cannot be one.
    """
    position, end = 0, len(data)
    while position < end:
        key, position = _varint(data, position)
        wire = key & 7
        if wire == BYTES:
            size, position = _varint(data, position)
            if size > end - position:
                raise WireError("a field is longer than its message")
            yield key >> 3, wire, data[position : position + size]
            position += size
        elif wire == VARINT:
            number, position = _varint(data, position)
            yield key >> 3, wire, number
        elif wire in (FIXED32, FIXED64):
            size = 4 if wire == FIXED32 else 8
            if size > end - position:
                raise WireError("a number is cut off")
            yield key >> 3, wire, int.from_bytes(data[position : position + size], "little")
            position += size
        else:
            raise WireError(f"wire type {wire} is not used")


def _varint(data: bytes, position: int) -> tuple[int, int]:
    try:
        byte = data[position]
        if byte < 128:
            return byte, position + 1
        result, shift = byte & 127, 7
        while True:
            position += 1
            byte = data[position]
            result |= (byte & 127) << shift
            if byte < 128:
                return result, position + 1
            shift += 7
            if shift > 63:
                raise WireError("a number has too many bytes")
    except IndexError:
        raise WireError("a number is cut off") from None


def as_float(bits: int) -> float:
    """The float whose bits a FIXED32 field holds."""
    return float(struct.unpack("<f", bits.to_bytes(4, "little"))[0])


def as_double(bits: int) -> float:
    """The double whose bits a FIXED64 field holds."""
    return float(struct.unpack("<d", bits.to_bytes(8, "little"))[0])


def as_text(value: int | bytes) -> str:
    """A string field (undecodable bytes are replaced)."""
    if isinstance(value, int):
        raise WireError("a string was expected")
    return value.decode("utf-8", "replace")


def as_bytes(value: int | bytes) -> bytes:
    """A nested message or bytes field."""
    if isinstance(value, int):
        raise WireError("a message was expected")
    return value
