"""The NVTX ranges of a launch: two columns of the details and raw pages, if --nvtx was given.

A cell holds a thread's number and the ranges pushed on it, or the ranges started; a range is
`domain:name:` and six attributes, a started one has its number before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from warpwright.model.annotations import NvtxKind, NvtxRange
from warpwright.report.csv_text import Row, Table

_PUSHED, _STARTED = ":Push/Pop_Range:", ":Start/Stop_Range:"
_COLUMNS: tuple[tuple[str, NvtxKind, int], ...] = (
    (_PUSHED, "push_pop", 0),
    (_STARTED, "start_end", 1),
)
_ATTRIBUTES = 6
_TOKEN = re.compile(r'"([^"]*)"|(\d+)')


def is_nvtx(column: str) -> bool:
    """Whether a column lists NVTX ranges."""
    return _PUSHED in column or _STARTED in column


def nvtx_of(table: Table, row: Row) -> Iterator[NvtxRange]:
    """The ranges that were open when the row's launch was issued; pushed ones first."""
    for mark, kind, skipped in _COLUMNS:
        thread: int | None = None
        for column in (name for name in table.header if mark in name):
            for token in _TOKEN.finditer(table.cell(row, column)):
                if token[2]:
                    thread = int(token[2][:18])
                    continue
                parts = token[1].split(":")[skipped:-_ATTRIBUTES]
                if len(parts) > 1:
                    yield NvtxRange(":".join(parts[1:]), parts[0], kind, thread)
