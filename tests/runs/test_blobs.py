from __future__ import annotations

import hashlib
import lzma

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpwright.errors import BadInput
from warpwright.runs.blobs import COMPRESS_ABOVE_BYTES
from warpwright.runs.store import RunStore


@settings(max_examples=25, deadline=None)
@given(data=st.binary(max_size=200), times=st.sampled_from([0, 1, 400]))
def test_what_is_put_is_got(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, times: int
) -> None:
    store = RunStore(tmp_path_factory.mktemp("run"))
    content = data * times
    blob = store.put(content, "a name")
    assert blob.sha256 == hashlib.sha256(content).hexdigest()
    assert blob.bytes == len(content)
    assert store.put(content, "another").sha256 == blob.sha256
    assert store.get(blob) == content
    assert len(list((store.folder / "blobs").iterdir())) == 1


def test_large_content_is_stored_compressed(store: RunStore) -> None:
    small = store.put(b"x" * COMPRESS_ABOVE_BYTES, "small")
    large = store.put(b"x" * (COMPRESS_ABOVE_BYTES + 1), "large")
    assert store.path_of(small).name == small.sha256
    assert store.path_of(large).name == large.sha256 + ".xz"
    assert lzma.decompress(store.path_of(large).read_bytes()) == store.get(large)


@pytest.mark.parametrize("size", [100, 100_000])
def test_damage_is_named(store: RunStore, size: int) -> None:
    blob = store.put(b"y" * size, "before.cu")
    path = store.path_of(blob)
    stored = path.read_bytes()
    for damage in (stored[:-1], stored[:-1] + b"!", b""):
        path.write_bytes(damage)
        with pytest.raises(BadInput, match=f"{blob.sha256}.*before.cu"):
            store.get(blob)
    path.unlink()
    with pytest.raises(BadInput, match=r"before.cu\) is missing"):
        store.get(blob)
