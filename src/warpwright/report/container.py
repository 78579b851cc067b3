r"""The frame of an `.ncu-rep` file: a header, then blocks of sources and results.

Layout (facts in NVIDIA's published extras/FileFormat/*.proto): `NVR\0`, u32 header length, header
(1 version); then, until the end, u32 length, BlockHeader, payload. A BlockHeader's fields:
1 number of sources, 2 of kernel results, 3 session details, 4 string table, 5 payload bytes,
6 process (1 its id), 7 number of range results, 8 of command lists, 9 of graphs. A payload is
u32-prefixed entries: sources, then results in the order of those counts.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from warpwright.errors import BadReport
from warpwright.model.report import Workload
from warpwright.report.files import MAGIC
from warpwright.report.metrics import Repeated
from warpwright.report.wire import BYTES, VARINT, Span, WireError, places

_KNOWN_VERSION = 7
_RESULTS: tuple[tuple[int, Workload], ...] = (
    (2, "kernel"),
    (7, "range"),
    (8, "cmdlist"),
    (9, "graph"),
)
# More of anything than any report has: what is damaged may claim to hold millions.
_MOST_NAMES = 1 << 17  # a report has a few thousand
_MOST_PARTS = 200_000  # blocks and entries; the largest report known has 5,105 launches
_MOST_FIELDS = 1000  # of a block's header
_MOST_HEADER_BYTES = 8 << 20  # an environment may take two


@dataclass(frozen=True, slots=True)
class Entry:
    """Where one result lies in the file, what it is, and of which process."""

    span: Span
    workload: Workload
    process: int | None


@dataclass(frozen=True, slots=True)
class Frame:
    """Where one block's parts lie in the file."""

    header: Span
    sources: tuple[Span, ...]
    results: tuple[Entry, ...]


@dataclass
class Container:
    """The raw parts of a report, in file order, as places in `data`.

    `strings` is the table of metric names, `repeated` what `LazyMetrics` remembers. `cautions`
    tell what could not be read.
    """

    data: bytes
    sources: list[Span] = field(default_factory=list)
    results: list[Entry] = field(default_factory=list)
    details: list[bytes] = field(default_factory=list)
    processes: dict[bytes, None] = field(default_factory=dict)
    strings: list[str] = field(default_factory=list)
    cautions: list[str] = field(default_factory=list)
    repeated: Repeated = field(default_factory=dict)

    @property
    def parts(self) -> int:
        """How many pieces of all kinds it has."""
        facts = len(self.details) + len(self.processes)
        return len(self.sources) + len(self.results) + facts


def parse(data: bytes, name: str) -> Container:
    """Take a report's bytes apart. `name` is what errors call it.

    A file that is cut off or damaged after some whole launches is read up to there, with a
    caution.

    Raises:
        BadReport: truncated or damaged before any launch, two files in one, or no launch.
    """
    container = Container(data)
    try:
        for frame in _frames(data, container.cautions):
            _add(container, frame)
    except WireError as error:
        if not container.results or isinstance(error, _SecondReport):
            raise damaged(name, error, len(data)) from None
        container.cautions.append(
            f"the file {_said(error, len(data))}; {len(container.results)} whole launches "
            "before that were read"
        )
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
    try:
        yield from _frames(data, [])
    except WireError as error:
        raise damaged(name, error, len(data)) from None


def damaged(name: str, error: WireError, size: int) -> BadReport:
    """The error for a report that cannot be read on from some byte."""
    hint = "copy the file again, or profile again"
    if isinstance(error, _SecondReport):
        hint = f"take them apart: head -c {error.at} {shlex.quote(name)} > first.ncu-rep"
    return BadReport(f"{name} {_said(error, size)}", hint=hint)


def _said(error: WireError, size: int) -> str:
    if isinstance(error, _Truncated):
        return f"is truncated: it ends at byte {size}, within {error} that begins at {error.at}"
    return f"is damaged at byte {error.at}: {error}"


class _Truncated(WireError):
    """The file ends within what the message names."""


class _SecondReport(WireError):
    """Two files were concatenated."""


def _frames(data: bytes, cautions: list[str]) -> Iterator[Frame]:
    size = _u32(data, 4, "the file header")
    position = 8 + size
    if position > len(data):
        raise _Truncated("the file header", 8)
    version = _number(data, 8, position) or 0
    if version > _KNOWN_VERSION:
        cautions.append(
            f"file version {version} is newer than {_KNOWN_VERSION}, which this reader knows: "
            "what is new in it is passed over"
        )
    for _ in range(_MOST_PARTS):
        if position >= len(data):
            return
        frame, position = _frame(data, position, cautions)
        yield frame
    raise WireError("more blocks than any report has", position)


def _frame(data: bytes, position: int, cautions: list[str]) -> tuple[Frame, int]:
    if data.startswith(MAGIC, position):
        raise _SecondReport("a second report begins here (two files were concatenated)", position)
    size = _u32(data, position, "a block's length")
    start = position + 4
    end = start + size
    if end > len(data):
        raise _Truncated("a block's header", start)
    if not size:
        raise WireError("a block without a header", position)
    if size > _MOST_HEADER_BYTES:
        raise WireError(f"a block whose header claims {size} bytes", position)
    counts: dict[int, int] = {}
    process = None
    for at, (number, wire, first, behind) in enumerate(places(data, start, end)):
        if at == _MOST_FIELDS:
            raise WireError("a block's header with more fields than any has", start)
        if wire == VARINT:
            counts[number] = first
        elif wire == BYTES and number == 6:
            process = _number(data, first, behind)
    last = end + counts.get(5, 0)
    if last > len(data):
        raise _Truncated("a block's content", end)
    entries = _entries(data, end, last)
    sources = tuple(_take(entries, counts.get(1, 0), last))
    results = tuple(
        Entry(span, workload, process)
        for number, workload in _RESULTS
        for span in _take(entries, counts.get(number, 0), last)
    )
    if unknown := sum(1 for _ in entries):
        cautions.append(f"{unknown} results of a kind that this reader does not know")
    return Frame((start, end), sources, results), last


def _take(entries: Iterator[Span], count: int, end: int) -> Iterator[Span]:
    for _ in range(count):
        entry = next(entries, None)
        if entry is None:
            raise WireError("a block has fewer entries than its header counts", end)
        yield entry


def _entries(data: bytes, position: int, end: int) -> Iterator[Span]:
    for _ in range(_MOST_PARTS):
        if position >= end:
            return
        start = position + 4
        size = _u32(data, position, "an entry's length")
        if start + size > end:
            raise WireError("an entry is longer than its block", position)
        if not size:
            raise WireError("an empty entry", position)
        yield start, start + size
        position = start + size
    raise WireError("a block with more entries than any report has", position)


def _u32(data: bytes, position: int, what: str) -> int:
    if position + 4 > len(data):
        raise _Truncated(what, position)
    return int.from_bytes(data[position : position + 4], "little")


def _add(container: Container, frame: Frame) -> None:
    start, end = frame.header
    data = container.data
    for number, wire, first, last in places(data, start, end):
        if wire != BYTES:
            continue
        if number == 3:
            container.details.append(data[first:last])
        elif number == 4:
            container.strings += islice(_strings(data, first, last), _MOST_NAMES + 1)
            if len(container.strings) > _MOST_NAMES:
                raise WireError("more names of metrics than any report has", first)
        elif number == 6:
            container.processes.setdefault(data[first:last])
    container.sources += frame.sources
    container.results += frame.results
    if container.parts > _MOST_PARTS:
        raise WireError("more launches than any report has", start)


def _strings(data: bytes, start: int, end: int) -> Iterator[str]:
    """The names of metrics: field 1 of the string table."""
    for number, wire, first, last in places(data, start, end):
        if number == 1 and wire == BYTES:
            yield data[first:last].decode("utf-8", "replace")


def _number(data: bytes, start: int, end: int) -> int | None:
    """Field 1 of a message."""
    found = (one for n, wire, one, _ in places(data, start, end) if n == 1 and wire == VARINT)
    return next(found, None)
