from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpwright.evaluation.stored import StoredMeasurements
from warpwright.execution.channel import MAX_BYTES, Frames, ProtocolError, pack


@given(
    st.lists(st.dictionaries(st.text(), st.integers() | st.text()), max_size=4), st.integers(1, 9)
)
def test_messages_survive_any_cutting(messages: list[dict[str, object]], size: int) -> None:
    stream = b"".join(pack(message) for message in messages)
    frames, received = Frames(), []
    for start in range(0, len(stream), size):
        frames.feed(stream[start : start + size])
        while (message := frames.next()) is not None:
            received.append(message)
    assert received == messages


@given(st.binary(min_size=1, max_size=64))
def test_what_is_no_message_is_refused_and_never_believed(body: bytes) -> None:
    frames = Frames()
    frames.feed(struct.pack("!I", len(body)) + b"\xff" + body[1:])
    with pytest.raises(ProtocolError):
        frames.next()


@pytest.mark.parametrize("body", [b"[1]", b"7", b"{'a': 1}", b"[" * 100_000])
def test_json_that_is_no_object_is_refused(body: bytes) -> None:
    frames = Frames()
    frames.feed(struct.pack("!I", len(body)) + body)
    with pytest.raises(ProtocolError):
        frames.next()


def test_a_message_that_claims_to_be_endless_is_refused() -> None:
    frames = Frames()
    frames.feed(struct.pack("!I", MAX_BYTES + 1))
    with pytest.raises(ProtocolError):
        frames.next()


def test_measurements_are_kept_per_device_and_key(tmp_path: Path) -> None:
    here = StoredMeasurements(tmp_path, ("GPU", "GPU-1", "580", "2.13"))
    here.put([1.0, 2.0], "task", "main", "eager")
    assert here.get("task", "main", "eager") == [1.0, 2.0]
    assert here.get("task", "main", "compile") is None
    other = StoredMeasurements(tmp_path, ("GPU", "GPU-2", "580", "2.13"))
    assert other.get("task", "main", "eager") is None
    assert not list(tmp_path.glob("*.tmp"))


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"values": []}', '{"values": ["x"]}'])
def test_a_damaged_measurement_is_measured_again(tmp_path: Path, damage: str) -> None:
    stored = StoredMeasurements(tmp_path, ("CPU", None))
    stored.put([1.0], "key")
    next(tmp_path.iterdir()).write_text(damage)
    assert stored.get("key") is None
