"""The zstd module: of Python itself since 3.14, before that of a package."""

from __future__ import annotations

from typing import Any


def zstd() -> Any:
    """The module `compression.zstd`, or `backports.zstd`, which is the same."""
    try:
        from compression import zstd as module  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from backports import zstd as module  # type: ignore[no-redef,unused-ignore]
    return module
