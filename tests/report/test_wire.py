"""The wire reader against what the format's documentation says."""

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpwright.report.wire import BYTES, WireError, as_double, fields, float_at, places


def test_the_examples_of_the_documentation():
    assert list(fields(b"\x08\x96\x01")) == [(1, 0, 150)]
    assert list(fields(b"\x12\x07testing")) == [(2, BYTES, b"testing")]


@given(st.floats(allow_nan=False))
def test_doubles(value: float):
    ((_, _, bits),) = fields(b"\x19" + struct.pack("<d", value))
    assert as_double(bits) == value


@given(st.floats(width=32, allow_nan=False))
def test_floats(value: float):
    data = b"\x15" + struct.pack("<f", value)
    ((_, _, first, _),) = places(data, 0, len(data))
    assert float_at(data, first) == value


@given(st.binary(max_size=64))
def test_any_bytes_give_fields_or_a_wire_error(data: bytes):
    with contextlib.suppress(WireError):
        list(fields(data))


@pytest.mark.parametrize(
    "cut", [b"\x08", b"\x12\x07test", b"\x19\x00", b"\x0b", b"\x08" + b"\xff" * 11]
)
def test_damage(cut: bytes):
    with pytest.raises(WireError):
        list(fields(cut))
