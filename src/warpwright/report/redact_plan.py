"""Which fields of a report hold text, and of what kind; everything else is left as it is.

Field numbers are of NVIDIA's published ProfilerReport.proto, ProfilerReportCommon.proto,
RuleResults.proto, Nvtx.proto and CpuStacktrace.proto. Metrics, the string table, sections,
devices and versions are in no plan: what is measured is never touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import NamedTuple, Union

from warpwright.model.report import Workload
from warpwright.report.container import parse_frames
from warpwright.report.wire import BYTES, Span, WireError, places


class Style(Enum):
    """What a text is, which says how it is masked."""

    HOST = auto()
    ADDRESS = auto()
    SYSTEM = auto()  # build of the kernel
    FOLDER = auto()
    ENVIRONMENT = auto()
    COMMENT = auto()  # typed by a user into the report
    UNKNOWN = auto()  # added after this was written
    PATH = auto()
    COMMAND = auto()
    PROSE = auto()
    NAME = auto()  # of a function
    SOURCE = auto()
    PYTHON = auto()
    CUBIN = auto()


Plan = Mapping[int, Union[Style, "Plan"]]
OTHERS = 0  # in a plan: the BYTES fields that it does not name
KEEP: Plan = {}


class Leaf(NamedTuple):
    """One text: what it is, and where it lies in the file."""

    style: Style
    first: int
    last: int


_MACHINE: Plan = {
    1: KEEP,  # system
    2: Style.SYSTEM,
    3: KEEP,  # processor
    4: KEEP,  # architecture
    5: Style.HOST,
    7: {1: Style.ADDRESS},
    OTHERS: Style.UNKNOWN,
}
_FILTERS: Plan = dict.fromkeys((1, 2, 3, 7), Style.PROSE)
_DETAILS: Plan = {
    3: _MACHINE,
    4: _MACHINE,
    5: KEEP,  # properties of devices
    6: KEEP,  # devices
    7: Style.COMMENT,
    8: KEEP,  # versions
    9: {1: Style.PATH, 2: Style.FOLDER, 3: Style.COMMAND, 4: Style.ENVIRONMENT},
    10: {
        4: KEEP,  # kind of activity
        5: _FILTERS,
        6: {2: Style.PROSE},
        7: Style.PROSE,
        **dict.fromkeys((8, 9, 11, 13, 14, 15), KEEP),  # modes: clocks, sampling, replay ...
        OTHERS: Style.UNKNOWN,
    },
    11: Style.COMMAND,
    OTHERS: Style.UNKNOWN,
}
_HEADER: Plan = {
    3: _DETAILS,
    4: KEEP,  # names of metrics
    6: {2: Style.HOST, 3: Style.PATH, OTHERS: Style.UNKNOWN},
    OTHERS: Style.UNKNOWN,
}
_STACK: Plan = {1: {1: Style.PATH, 3: Style.PATH, 4: Style.NAME}}
_SECTION_COMMENT: Plan = {2: Style.COMMENT, 3: Style.COMMENT}
_TABLE: Plan = {
    1: {1: Style.PROSE, 2: Style.PROSE},
    2: {1: Style.PROSE, 4: Style.PROSE, 7: {1: Style.PROSE}},
}
_RULE: Plan = {
    3: {1: {1: {1: Style.PROSE, 4: Style.PROSE}, 8: {5: Style.PROSE}, 12: _TABLE}},
    5: {4: Style.PROSE, 6: Style.PATH},
}
_EVENT: Plan = {4: {8: Style.PROSE}, 5: {2: Style.PROSE}}
_STRING: Plan = {2: Style.PROSE}
_NVTX: Plan = {
    1: {2: Style.PROSE, 3: _STRING, 4: {2: _STRING}},
    2: {2: {3: {1: Style.PROSE, 2: _EVENT}}},
    3: {3: {2: Style.PROSE, 3: _EVENT}},
}
# What is measured, sections, sizes and clocks are kept; what is not known here is masked.
_RESULTS: dict[Workload, Plan] = {
    "kernel": {
        **dict.fromkeys((5, 6, 7, 31), Style.NAME),
        12: Style.COMMENT,
        18: _SECTION_COMMENT,
        19: _RULE,
        21: _NVTX,
        **dict.fromkeys((26, 27), Style.PROSE),
        **dict.fromkeys((28, 32), _STACK),
        **dict.fromkeys((9, 10, 11, 13, 15, 17, 25, 33, 34), KEEP),
        OTHERS: Style.UNKNOWN,
    },
    "range": {
        3: Style.COMMENT,
        8: _SECTION_COMMENT,
        10: _NVTX,
        13: Style.PROSE,
        **dict.fromkeys((14, 17), _STACK),
        20: _RULE,
        **dict.fromkeys((4, 7, 12, 15, 18, 19), KEEP),
        OTHERS: Style.UNKNOWN,
    },
    "cmdlist": {
        3: Style.COMMENT,
        8: _SECTION_COMMENT,
        10: _NVTX,
        **dict.fromkeys((14, 15, 18), Style.PROSE),
        **dict.fromkeys((16, 22), _STACK),
        21: _RULE,
        **dict.fromkeys((4, 7, 13, 17, 20, 23, 24), KEEP),
        OTHERS: Style.UNKNOWN,
    },
    "graph": {
        3: Style.COMMENT,
        8: _SECTION_COMMENT,
        10: _NVTX,
        **dict.fromkeys((14, 15), Style.PROSE),
        **dict.fromkeys((16, 19), _STACK),
        22: _RULE,
        **dict.fromkeys((4, 7, 13, 17, 20, 21), KEEP),
        OTHERS: Style.UNKNOWN,
    },
}
_SOURCE: Plan = {
    2: Style.SOURCE,
    3: Style.SOURCE,  # PTX
    4: Style.CUBIN,
    9: {1: {1: Style.NAME}, 2: {1: Style.NAME}},
}


def report_leaves(data: bytes, name: str) -> list[Leaf]:
    """Every text of a report that may hold something private, in file order.

    Raises:
        BadReport: truncated or damaged.
        WireError: a message in it is damaged.
    """
    found: list[Leaf] = []
    for frame in parse_frames(data, name):
        found += _leaves(data, frame.header, _HEADER)
        for span in frame.sources:
            found += _leaves(data, span, _SOURCE)
            found += _imported(data, span)
        for entry in frame.results:
            found += _leaves(data, entry.span, _RESULTS[entry.workload])
    return found


def _leaves(data: bytes, span: Span, plan: Plan) -> Iterator[Leaf]:
    for number, wire, first, last in places(data, *span):
        if wire != BYTES:
            continue
        part = plan.get(number, plan.get(OTHERS, KEEP))
        if part is Style.UNKNOWN:
            yield from _unknown(data, (first, last))
        elif isinstance(part, Style):
            yield Leaf(part, first, last)
        elif part:
            yield from _leaves(data, (first, last), part)


def _imported(data: bytes, span: Span) -> Iterator[Leaf]:
    """Imported files: field 8 of a source, of them 1: 1 the name, 2 the text."""
    for first, last in _nested(data, span, 8):
        for file in _nested(data, (first, last), 1):
            named = list(_nested(data, file, 1))
            python = any(data[slice(*at)].endswith(b".py") for at in named)
            yield from (Leaf(Style.PATH, *at) for at in named)
            style = Style.PYTHON if python else Style.SOURCE
            yield from (Leaf(style, *at) for at in _nested(data, file, 2))


def _nested(data: bytes, span: Span, field: int) -> Iterator[Span]:
    parts = places(data, *span)
    return ((a, b) for number, wire, a, b in parts if number == field and wire == BYTES)


def _unknown(data: bytes, span: Span) -> Iterator[Leaf]:
    """A field of a newer version: a message if it can be read as one that holds texts."""
    try:
        inner = [(a, b) for _, wire, a, b in places(data, *span) if wire == BYTES]
    except WireError:
        inner = []
    if inner:
        for at in inner:
            yield from _unknown(data, at)
    elif all(byte > 31 or byte in b"\0\t\n\r" for byte in data[slice(*span)]):
        yield Leaf(Style.UNKNOWN, *span)
