"""Files of one record a line, appended whole and never changed.

An append is one write under a lock, on the disk before it returns. Whoever is killed in the
middle leaves at most a torn last line: readers pass it over, the next append ends it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """A descriptor of the file to read from and append to; nobody else appends meanwhile.

    Raises:
        OSError: it cannot be opened.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)  # and with it the lock


def append_line(descriptor: int, path: Path, line: bytes) -> None:
    """Append a line to the locked file; `path` is what an error calls it.

    Raises:
        OSError: it could not be written; the file is as it was.
    """
    size = os.fstat(descriptor).st_size
    torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
    whole = (b"\n" if torn else b"") + line + b"\n"
    if os.write(descriptor, whole) != len(whole):
        os.ftruncate(descriptor, size)
        raise OSError(f"{path}: no space to append a line")
    os.fsync(descriptor)
