"""Write the corpus in tests/report/damaged: `python -m tests.report.make_damaged`.

Every file is the small report of `forge`, damaged in one way. CASES says for each what the
reader must make of it: `refused` (no report is opened), `caution` (a caution of the report), or
`part` (an error from the damaged part alone; all else is read).
"""

from __future__ import annotations

import lzma
import struct
from pathlib import Path
from typing import Literal, NamedTuple

from tests.report.forge import (
    NAN,
    STRINGS,
    TINY,
    block,
    field,
    head,
    launch,
    metric,
    metrics,
    report,
    rule,
    section,
    session,
    size,
    source,
    strings,
    value,
    varint,
)

FOLDER = Path(__file__).parent / "damaged"
Outcome = Literal["refused", "caution", "launch", "part", "read"]
END = b"\xff" * 9 + b"\x01"  # the largest varint
TEN = b"\xff" * 11  # no varint


class Case(NamedTuple):
    """A damaged report, and what the reader must make of it: the outcome, and words of it."""

    data: bytes
    outcome: Outcome
    said: str


def _patched(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


def _u32(number: int) -> bytes:
    return struct.pack("<I", number)


def _told(*last: bytes) -> bytes:
    """A report whose first launch has further metric messages, as raw bytes."""
    return report(launch([*metrics(), *last]))


def _cubin(at: int, new: bytes) -> bytes:
    return report(code=source(_patched(TINY, at, new)))


def _section_header(name: bytes) -> int:
    """Where the header of a section stands in TINY."""
    (table,) = struct.unpack_from("<Q", TINY, 40)
    count, names = struct.unpack_from("<HH", TINY, 60)
    (labels,) = struct.unpack_from("<Q", TINY, table + 64 * names + 24)
    for place in range(table, table + 64 * count, 64):
        start = labels + struct.unpack_from("<I", TINY, place)[0]
        if TINY[start : TINY.index(b"\0", start)] == name:
            return place
    raise KeyError(name)


def _line_table() -> int:
    return int(struct.unpack_from("<Q", TINY, _section_header(b".debug_line") + 24)[0])


def _cases() -> dict[str, Case]:
    whole = report()
    first = len(head())
    entry = whole.index(_u32(len(source())) + source())
    line = _line_table()
    program = line + 10 + struct.unpack_from("<I", TINY, line + 6)[0]
    deep = b""
    for _ in range(3000):
        deep = field(5, field(1, deep))
    table = _section_header(b".debug_line")
    unknown = field(5, 7) + field(77, 1)
    nan = [metric(i, NAN, {}) for i in range(len(STRINGS))]
    newer = head(255, field(90, 1) + field(91, b"new")) + block(
        (source(TINY, field(90, 1) + field(91, b"new")),),
        (launch(None, field(90, 1), field(91, b"new"), field(17, section() + field(90, 1))),),
        table=strings() + field(90, 1),
        details=session() + field(90, 1) + field(91, b"new"),
        more=field(90, 1) + field(91, b"new"),
    )
    return {
        "cut_in_header": Case(whole[:9], "refused", "truncated.* file header"),
        "cut_in_block": Case(whole[: first + 40], "refused", "truncated.*block's header"),
        "cut_in_content": Case(whole[: entry + 99], "refused", "truncated: it ends at byte"),
        "cut_after_launch": Case(whole[:-50], "caution", "truncated.*1 whole launch"),
        "trailing_zeros": Case(whole + bytes(64), "caution", "without a header"),
        "trailing_text": Case(whole + b"the end\n" * 9, "caution", "truncated"),
        "two_in_one": Case(whole + whole, "refused", f"byte {len(whole)}: a second report"),
        "no_launches": Case(head() + block(table=strings()), "refused", "no profiled launches"),
        "no_metrics": Case(report(launch([])), "read", ""),
        "nan_launch": Case(report(launch(nan)), "read", ""),
        "version_8": Case(_patched(whole, 9, b"\x08"), "caution", "version 8 is newer than 7"),
        "newer_with_unknown_fields": Case(newer, "caution", "version 255 is newer"),
        "unknown_kind": Case(
            head()
            + block((), (launch(),), table=strings(), details=session())
            + _u32(len(unknown))
            + unknown
            + _u32(3)
            + b"new",
            "caution",
            "1 results? of a kind",
        ),
        "block_of_4_GB": Case(_patched(whole, first, _u32(0xFFFFFFFF)), "refused", "truncated"),
        "block_of_nothing": Case(_patched(whole, first, _u32(0)), "refused", "without a header"),
        "entry_of_4_GB": Case(_patched(whole, entry, _u32(0xFFFFFFFF)), "refused", "longer than"),
        "entry_of_nothing": Case(_patched(whole, entry, _u32(0)), "refused", "an empty entry"),
        "payload_of_8_EB": Case(
            head() + _u32(11) + varint(5 << 3) + END + whole, "refused", "truncated"
        ),
        "entries_without_end": Case(
            head() + _u32(11) + varint(2 << 3) + END + whole, "refused", "fewer entries"
        ),
        "varint_of_11_bytes": Case(
            head() + _u32(12) + varint(5 << 3) + TEN + whole, "refused", "too many bytes"
        ),
        "field_0": Case(_patched(whole, first + 4, b"\0"), "refused", "without a number"),
        "name_out_of_range": Case(_told(metric(5000, 1, {})), "launch", "string table"),
        "value_longer_than_metric": Case(
            _told(field(1, 0) + varint(2 << 3 | 2) + varint(99)), "part", "longer than its metric"
        ),
        "instance_of_no_pair": Case(
            _told(field(1, 0) + field(3, value(1) + b"\x7f")), "part", "no pair"
        ),
        "grid_of_2_to_the_60": Case(
            report(launch(None, field(10, size(1 << 60)))), "launch", "a grid or block"
        ),
        "launch_field_too_long": Case(
            report(launch(None, varint(40 << 3 | 2) + END)), "launch", "longer than its message"
        ),
        "section_in_itself": Case(
            report(launch(None, field(17, field(5, field(1, deep))))), "part", "nested"
        ),
        "section_cut": Case(report(launch(None, field(17, section()[:-3]))), "part", "section"),
        "rule_cut": Case(report(launch(None, field(19, rule()[:-3]))), "part", "rule result"),
        "nvtx_cut": Case(report(launch(None, field(21, b"\x0a\x09x"))), "part", "NVTX"),
        "session_cut": Case(report(details=session()[:-5]), "caution", "session page"),
        "source_cut": Case(report(code=source(TINY, b"\x4a\x7f")), "caution", "source code"),
        "cubin_of_no_elf": Case(_cubin(0, b"\x7fELG"), "read", "not a cubin"),
        "cubin_without_sections": Case(_cubin(40, b"\xff" * 4), "read", "cut short"),
        "cubin_cut": Case(report(code=source(TINY[:9000])), "read", "cut short"),
        "lines_of_version_9": Case(_cubin(line + 4, b"\x09"), "read", "version 9"),
        "lines_of_range_0": Case(_cubin(line + 13, b"\0"), "read", "line table is damaged"),
        "lines_with_endless_number": Case(
            _cubin(program, (b"\x02" + b"\xff" * 11) * 12), "read", "line table is damaged"
        ),
        "lines_over_the_end": Case(
            _cubin(table + 32, struct.pack("<Q", 1 << 62)), "read", "line table is damaged"
        ),
    }


CASES = _cases()


def main() -> None:
    """Write all files anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, case in CASES.items():
        packed = lzma.compress(case.data, preset=9 | lzma.PRESET_EXTREME)
        (FOLDER / f"{name}.ncu-rep.xz").write_bytes(packed)


if __name__ == "__main__":
    main()
