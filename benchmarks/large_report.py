"""Make a large report for benchmarks: the real results of a small one, again and again.

    python benchmarks/large_report.py SMALL.ncu-rep LARGE.ncu-rep

Results are repeated byte for byte, each in a block of its own, behind the small report's sources,
session and string table.
"""

from __future__ import annotations

import sys
from itertools import cycle, islice
from pathlib import Path

from warpwright.report.container import Frame, parse_frames
from warpwright.report.files import load_report_bytes
from warpwright.report.wire import BYTES, fields

LAUNCHES, SIZE_BYTES = 5000, 100_000_000
_SOURCES, _RESULTS, _PAYLOAD_BYTES = 1, 2, 5  # fields of a block's header


def write_large(source: Path, target: Path, launches: int, size_bytes: int) -> None:
    """Write a report of `launches` launches to `target`.

    The kernel results of `source` are taken in turn. Its sources (cubins) are repeated, under
    their own ids, as long as the file stays below `size_bytes`. It is larger if the results are.
    """
    data = load_report_bytes(source)
    frames = tuple(parse_frames(data, str(source)))
    kernels = [e.span for frame in frames for e in frame.results if e.workload == "kernel"]
    results = [_block({_RESULTS: 1}, b"", [data[start:end]]) for start, end in kernels]
    heads = [_without_results(data, frame) for frame in frames]
    sources = [
        _block({_SOURCES: 1}, b"", [data[start:end]])
        for frame in frames
        for start, end in frame.sources
    ]
    room = size_bytes - sum(map(len, heads)) - sum(map(len, islice(cycle(results), launches)))
    with target.open("wb") as file:
        file.write(data[: 8 + int.from_bytes(data[4:8], "little")])
        file.writelines(heads)
        for block in cycle(sources):
            room -= len(block)
            if room < 0:
                break
            file.write(block)
        file.writelines(islice(cycle(results), launches))


def _without_results(data: bytes, frame: Frame) -> bytes:
    """A block with its session and strings but only its sources."""
    kept = bytearray()
    for number, wire, value in fields(data, *frame.header):
        if wire == BYTES and isinstance(value, bytes):
            kept += _varint(number << 3 | BYTES) + _varint(len(value)) + value
    sources = [data[start:end] for start, end in frame.sources]
    return _block({_SOURCES: len(sources)}, bytes(kept), sources)


def _block(counts: dict[int, int], header: bytes, entries: list[bytes]) -> bytes:
    payload = b"".join(len(entry).to_bytes(4, "little") + entry for entry in entries)
    counts = counts | {_PAYLOAD_BYTES: len(payload)}
    head = b"".join(_varint(number << 3) + _varint(n) for number, n in counts.items()) + header
    return len(head).to_bytes(4, "little") + head + payload


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


if __name__ == "__main__":
    write_large(Path(sys.argv[1]), Path(sys.argv[2]), LAUNCHES, SIZE_BYTES)
