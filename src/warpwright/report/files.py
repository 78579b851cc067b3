"""Get at a report's bytes, from a file or stdin, and say what they are if they are none."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from warpwright.errors import BadReport
from warpwright.report.unpack import unpacked

MAGIC = b"NVR\0"
STDIN = Path("-")
_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_HINT = "give a report written by ncu (-o NAME), or profile again: warpwright ncu profile"


def load_bytes(path: Path, cautions: list[str] | None = None) -> bytes:
    """The bytes of a file, or of stdin (`-`), unpacked if they are xz or zstd (`.ncu-repz`).

    `cautions` is as in `unpacked`.

    Raises:
        BadReport: missing, a directory, a device, unreadable, or a damaged compressed file.
    """
    try:
        data = sys.stdin.buffer.read() if path == STDIN else _read(path)
    except IsADirectoryError:
        raise BadReport(f"{path} is a directory, not a report", hint=_HINT) from None
    except FileNotFoundError:
        raise BadReport(f"{path} does not exist", hint=_HINT) from None
    except ValueError:
        raise BadReport(f"{str(path)!r} is no file's name", hint=_HINT) from None
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise BadReport(f"{path} cannot be read: {said}", hint="may you read it?") from None
    return unpacked(data, str(path), cautions)


def _read(path: Path) -> bytes:
    """All bytes of a file, or of a pipe that someone writes to (one without a writer is empty)."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # or a pipe would wait for a writer
    mode = os.fstat(handle).st_mode
    os.set_blocking(handle, True)
    with os.fdopen(handle, "rb") as file:
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise BadReport(f"{path} is a device, not a report", hint=_HINT)
        return file.read()


def load_report_bytes(path: Path) -> bytes:
    """The bytes of a report, unpacked.

    Raises:
        BadReport: as `load_bytes`, or these bytes are no report.
    """
    data = load_bytes(path)
    if not data.startswith(MAGIC):
        raise no_report(data, str(path))
    return data


def no_report(data: bytes, name: str) -> BadReport:
    """The error that says what these bytes are instead."""
    return BadReport(f"{name} is not an Nsight Compute report: {_what(data)}", hint=_HINT)


def _what(data: bytes) -> str:
    if not data:
        return "it is empty"
    if len(data) < len(MAGIC) and MAGIC.startswith(data):
        return "it is truncated"
    if data.startswith(b"version https://git-lfs"):
        return "it is a Git LFS pointer (run `git lfs pull`)"
    if data.startswith(_GZIP):
        return "it is gzip-compressed (unpack it with `gunzip` first)"
    if data.startswith(_ZIP):
        return "it is a zip archive (unpack it with `unzip` first)"
    if data.startswith(b"SQLite format 3"):
        return "it is a database, perhaps of Nsight Systems"
    if _is_text(data):
        return "it is text, and holds no table that `ncu --csv` writes"
    return "it begins with other bytes than NVR"


def _is_text(data: bytes) -> bool:
    head = data[:4096]
    try:
        return "\0" not in head.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = len(head) < len(data)
        return cut and error.start >= len(head) - 3  # a character that the cut went through
