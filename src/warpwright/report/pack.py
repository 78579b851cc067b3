"""Pack a report's bytes as its file's name says: `.xz`, or `.ncu-repz` (zstd)."""

from __future__ import annotations

import lzma
from collections.abc import Callable

from warpwright.report.zstd import zstd

PLAIN, XZ, ZSTD = (".ncu-rep", ".nsight-cuprof-report"), ".xz", ".ncu-repz"


def packing(name: str) -> Callable[[bytes], bytes] | None:
    """How bytes go into a file called `name`; None if that is no report's name."""
    if name.endswith(PLAIN):
        return bytes
    if name.endswith(ZSTD):
        return lambda data: bytes(zstd().compress(data))
    if name.endswith(tuple(plain + XZ for plain in PLAIN)):
        return lzma.compress
    return None
