"""Content-addressed files of a run: `blobs/<sha256>`, or `blobs/<sha256>.xz` where large."""

from __future__ import annotations

import hashlib
import lzma
from pathlib import Path

from warpwright.errors import BadInput
from warpwright.model.event import Blob
from warpwright.runs.project import replace_file

COMPRESS_ABOVE_BYTES = 32 * 1024
_PRESET = 2  # a tenth of the default's time for reports, and a few percent more bytes
_DAMAGED_HINT = "the run is damaged: restore its folder from where it was copied from"


def put_blob(run: Path, data: bytes, name: str) -> Blob:
    """Store bytes (once) and say how they are addressed."""
    sha256 = hashlib.sha256(data).hexdigest()
    blob = Blob(sha256=sha256, name=name, bytes=len(data))
    if _find(run, sha256) is None:
        large = len(data) > COMPRESS_ABOVE_BYTES
        stored = lzma.compress(data, preset=_PRESET) if large else data
        replace_file(run / "blobs" / (sha256 + ".xz" * large), stored)
    return blob


def _find(run: Path, sha256: str) -> Path | None:
    plain = run / "blobs" / sha256
    for path in (plain, plain.with_name(sha256 + ".xz")):
        if path.is_file():
            return path
    return None


def has_blob(run: Path, sha256: str) -> bool:
    """Whether the content is there (its hash is not verified)."""
    return _find(run, sha256) is not None


def blob_path(run: Path, blob: Blob) -> Path:
    """The file that holds a blob (`.xz`: compressed).

    Raises:
        BadInput: it is not there.
    """
    path = _find(run, blob.sha256)
    if path is None:
        raise BadInput(f"{run}: blob {blob.sha256} ({blob.name}) is missing", hint=_DAMAGED_HINT)
    return path


def get_blob(run: Path, blob: Blob) -> bytes:
    """The uncompressed bytes, verified.

    Raises:
        BadInput: the blob is missing, or is not what its address says.
    """
    path = blob_path(run, blob)
    try:
        stored = path.read_bytes()
        data = lzma.decompress(stored) if path.suffix == ".xz" else stored
    except (OSError, lzma.LZMAError) as error:
        raise BadInput(
            f"{path} ({blob.name}) cannot be read: {error}", hint=_DAMAGED_HINT
        ) from None
    if hashlib.sha256(data).hexdigest() != blob.sha256:
        raise BadInput(f"{path} ({blob.name}) is not what its name says", hint=_DAMAGED_HINT)
    return data
