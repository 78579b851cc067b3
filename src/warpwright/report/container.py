r"""The frame of an `.ncu-rep` file: a header, then blocks of sources and results.

Layout (facts in NVIDIA's published extras/FileFormat/*.proto): `NVR\0`, u32 header length, header;
then, until the end, u32 length, BlockHeader, payload. A BlockHeader's fields: 1 number of
sources, 2 number of results, 3 session details, 4 string table, 5 payload bytes, 6 process.
A payload is u32-prefixed entries, the sources first.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from warpwright.errors import BadReport
from warpwright.report.wire import WireError, as_bytes, as_text, fields

MAGIC = b"NVR\0"
_XZ, _ZSTD, _GZIP = b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x1f\x8b"
_HINT = "give a report written by ncu (-o NAME), or profile again: warpwright ncu profile"


@dataclass
class Container:
    """The raw parts of a report, in file order. `strings` is the table of metric names."""

    sources: list[bytes] = field(default_factory=list)
    results: list[bytes] = field(default_factory=list)
    details: list[bytes] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Frame:
    """Where one block's parts lie in the file."""

    header: range
    sources: tuple[range, ...]
    results: tuple[range, ...]


def load_bytes(path: Path) -> bytes:
    """The report's bytes; `.xz` is unpacked.

    Raises:
        BadReport: missing, a directory, empty, or not a report; one line says which.
    """
    try:
        data = path.read_bytes()
    except IsADirectoryError:
        raise BadReport(f"{path} is a directory, not a report", hint=_HINT) from None
    except FileNotFoundError:
        raise BadReport(f"{path} does not exist", hint=_HINT) from None
    except OSError as error:
        raise BadReport(f"{path} cannot be read: {error.strerror}", hint=_HINT) from None
    if data.startswith(_XZ):
        try:
            data = lzma.decompress(data)
        except (lzma.LZMAError, EOFError):
            raise BadReport(f"{path} is a damaged or truncated .xz file", hint=_HINT) from None
    if not data.startswith(MAGIC):
        raise BadReport(f"{path} is not an Nsight Compute report: {_what(data)}", hint=_HINT)
    return data


def _what(data: bytes) -> str:
    if not data:
        return "it is empty"
    if len(data) < len(MAGIC) and MAGIC.startswith(data):
        return "it is truncated"
    if data.startswith(b"version https://git-lfs"):
        return "it is a Git LFS pointer (run `git lfs pull`)"
    if data.startswith(_ZSTD):
        return "it is zstd-compressed (unpack it with `zstd -d` first)"
    if data.startswith(_GZIP):
        return "it is gzip-compressed (unpack it with `gunzip` first)"
    try:
        head = data[:4096].decode("utf-8")
    except UnicodeDecodeError:
        return "it begins with other bytes than NVR"
    csv = '"ID"' in head or "==PROF==" in head
    return "it is text (a CSV export?)" if csv else "it is text"


def parse(data: bytes, name: str) -> Container:
    """Take a report's bytes apart. `name` is what errors call it.

    Raises:
        BadReport: truncated, damaged, two files in one, or without any launch.
    """
    container = Container()
    try:
        for frame in parse_frames(data, name):
            for number, _, value in fields(data[frame.header.start : frame.header.stop]):
                if number == 3:
                    container.details.append(as_bytes(value))
                elif number == 4:
                    container.strings += [as_text(text) for _, _, text in fields(as_bytes(value))]
            container.sources += [data[at.start : at.stop] for at in frame.sources]
            container.results += [data[at.start : at.stop] for at in frame.results]
    except WireError as error:
        raise _damaged(name, error) from None
    if not container.results:
        raise BadReport(
            f"{name} holds no profiled launches",
            hint="the kernel filter matched nothing, or the profiler range never opened; "
            "see `warpwright ncu profile --help`",
        )
    return container


def parse_frames(data: bytes, name: str) -> Iterator[Frame]:
    """Where each block's header and entries lie, in file order.

    Raises:
        BadReport: truncated, damaged, or two files in one.
    """
    launches = 0
    try:
        position = 8 + _u32(data, 4)
        if position > len(data):
            raise _TruncatedError("the file header")
        while position < len(data):
            frame, position = _frame(data, position)
            launches += len(frame.results)
            yield frame
    except _TruncatedError as cut:
        raise BadReport(
            f"{name} is truncated: it ends at byte {len(data)} within {cut}, "
            f"after {launches} whole launches",
            hint="copy the file again, or profile again",
        ) from None
    except WireError as error:
        raise _damaged(name, error) from None


def _damaged(name: str, error: WireError) -> BadReport:
    return BadReport(f"{name} is damaged: {error}", hint="copy it again, or profile again")


class _TruncatedError(Exception):
    pass


def _u32(data: bytes, position: int) -> int:
    if position + 4 > len(data):
        raise _TruncatedError("a length")
    return int.from_bytes(data[position : position + 4], "little")


def _frame(data: bytes, position: int) -> tuple[Frame, int]:
    if data[position : position + 4] == MAGIC:
        raise WireError("a second report begins inside it (two files were concatenated)")
    start = position + 4
    end = start + _u32(data, position)
    if end > len(data):
        raise _TruncatedError("a block's header")
    numbers = {n: v for n, _, v in fields(data[start:end]) if isinstance(v, int)}
    last = end + numbers.get(5, 0)
    if last > len(data):
        raise _TruncatedError("a block's content")
    entries = tuple(_entries(data, end, last))
    count = numbers.get(1, 0)
    return Frame(range(start, end), entries[:count], entries[count:]), last


def _entries(data: bytes, position: int, end: int) -> Iterator[range]:
    while position < end:
        size = _u32(data, position)
        position += 4
        if position + size > end:
            raise WireError("an entry is longer than its block")
        yield range(position, position + size)
        position += size
