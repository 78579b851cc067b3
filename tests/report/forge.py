"""Write small reports, byte by byte, to be damaged: nothing of the reader is used here."""

from __future__ import annotations

import struct
from pathlib import Path

TINY = (Path(__file__).parents[1] / "cubin" / "tiny.cubin").read_bytes()
TEXT = b"__global__ void tiny() {}\n" * 30
NAN = float("nan")

METRICS: dict[str, float | int | str] = {
    "gpu__time_duration.sum": 250_000.0,
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": 12.5,
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed": 30.0,
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": 30.0,
    "sm__warps_active.avg.pct_of_peak_sustained_active": 22.0,
    "smsp__inst_executed.sum": 9000,
    "sm__cycles_active.avg": 400_000.0,
    "smsp__cycles_active.avg": 400_000.0,
    "smsp__average_warp_latency_per_inst_issued.ratio": 21.0,
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio": 15.0,
    "launch__registers_per_thread": 18,
    "launch__occupancy_limit_registers": 48,
    "launch__occupancy_limit_shared_mem": 64,
    "launch__occupancy_limit_warps": 32,
    "launch__occupancy_limit_blocks": 32,
    "launch__waves_per_multiprocessor": 0.5,
    "launch__thread_count": 64 * 64,
    "launch__block_size": 64,
    "launch__grid_size": 64,
    "device__attribute_multiprocessor_count": 132,
    "device__attribute_compute_capability_major": 9,
    "device__attribute_compute_capability_minor": 0,
    "device__attribute_display_name": "NVIDIA H200",
}
BY_PC = ("inst_executed", "smsp__pcsamp_sample_count", "thread_inst_executed_true")
STRINGS = (*METRICS, *BY_PC)
BASE = 0x7F00_0000_0000


def varint(number: int) -> bytes:
    """A number in base 128, low digits first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def field(number: int, content: float | int | bytes | str) -> bytes:
    """One field: an int becomes a VARINT, a float a FIXED64, all else a length and bytes."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    if isinstance(content, float):
        return varint(number << 3 | 1) + struct.pack("<d", content)
    content = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(content)) + content


def value(content: float | int | str) -> bytes:
    """A metric's value."""
    return field(1 if isinstance(content, str) else 3 if isinstance(content, float) else 5, content)


def metric(name: int, total: float | int | str | None, instances: dict[int, int]) -> bytes:
    """A metric message; `name` is an index into the string table."""
    pairs = (field(3, field(1, value(at)) + field(2, value(n))) for at, n in instances.items())
    told = b"" if total is None else field(2, value(total))
    return field(1, name) + told + b"".join(pairs)


def metrics(*, nan: bool = False) -> list[bytes]:
    """All metric messages of a launch."""
    by_pc = {BASE + 16 * i: 3 * i % 40 for i in range(64)}
    totals = [NAN if nan and isinstance(v, float) else v for v in METRICS.values()]
    plain = [metric(i, total, {}) for i, total in enumerate(totals)]
    return [*plain, *(metric(STRINGS.index(name), None, by_pc) for name in BY_PC)]


def section() -> bytes:
    """A section with a header, a table, and a container that holds a chart."""
    row = field(1, STRINGS[0]) + field(2, "Duration") + field(5, "ns")
    items = field(1, field(1, field(5, row)) + field(5, field(1, field(2, field(5, row)))))
    return (
        field(1, "SpeedOfLight")
        + field(2, "GPU Speed Of Light")
        + field(3, 10)
        + field(4, field(2, row))
        + field(5, items)
    )


def rule() -> bytes:
    """A rule's result with a message, a focus metric, a speedup, a table and a marker."""
    said = field(1, "It @section:Occupancy:waits@.") + field(2, 4) + field(4, "Wait")
    focus = field(2, STRINGS[0]) + field(3, 30.0) + field(4, 1) + field(5, "lower it")
    table = field(1, field(1, "T")) + field(2, field(1, "pc") + field(6, 16) + field(5, 1.5))
    item = (
        field(1, said)
        + field(8, focus)
        + field(10, field(1, 2) + field(2, 40.0))
        + field(12, table)
    )
    marker = field(1, 0) + field(3, BASE + 16) + field(4, "here") + field(5, 2)
    return (
        field(1, "SOLBottleneck")
        + field(2, "Bottleneck")
        + field(3, field(1, item))
        + field(4, "SpeedOfLight")
        + field(5, marker)
    )


def nvtx() -> bytes:
    """One pushed range of one thread."""
    domain = field(1, 1) + field(3, field(1, "step"))
    return field(1, field(1, 1) + field(2, "app")) + field(2, field(1, 77) + field(2, domain))


def size(x: int, y: int = 1, z: int = 1) -> bytes:
    """A grid or a block."""
    return field(1, x) + field(2, y) + field(3, z)


def launch(told: list[bytes] | None = None, *more: bytes) -> bytes:
    """A kernel's result. `told` are its metrics, `more` further fields."""
    return b"".join(
        [
            field(1, 77),
            field(5, "tiny"),
            field(6, "tiny"),
            field(7, "tiny(const float*, float*, int)"),
            field(10, size(64)),
            field(11, size(64)),
            *(field(13, one) for one in (metrics() if told is None else told)),
            field(14, 1_760_000_000),
            field(15, field(1, 1)),
            field(17, section()),
            field(19, rule()),
            field(21, nvtx()),
            field(22, 1),
            field(23, 7),
            *more,
        ]
    )


def source(cubin: bytes = TINY, *more: bytes) -> bytes:
    """A source with a cubin, a text file and the place of its two functions."""
    functions = (
        field(1, field(1, name) + field(2, at))
        for name, at in (("tiny", BASE), ("other", BASE + 0x1000))
    )
    file = field(1, field(1, "tiny.cu") + field(2, TEXT))
    return (
        field(1, 1)
        + field(4, cubin)
        + field(8, file)
        + field(9, b"".join(functions))
        + b"".join(more)
    )


def session() -> bytes:
    """The facts of the session."""
    machine = field(1, "Linux") + field(5, "node") + field(7, field(1, "10.0.0.1"))
    attribute = field(1, "clock_rate") + field(2, value(1980))
    device = field(1, 0) + field(2, "NVIDIA H200") + field(3, attribute)
    return b"".join(
        [
            field(2, 1_760_000_000),
            field(3, machine),
            field(6, device),
            field(8, field(1, "Nsight Compute Target") + field(2, "2025.3.1.0 (build 1)")),
            field(9, field(1, "/usr/bin/app") + field(3, "--size 4")),
            field(10, field(1, 1) + field(7, "full")),
            field(11, "ncu --set full -o out app"),
        ]
    )


PROCESS = field(1, 4242) + field(2, "node") + field(3, "/usr/bin/app")


def strings(names: tuple[str, ...] = STRINGS) -> bytes:
    """A string table."""
    return b"".join(field(1, name) for name in names)


def block(
    sources: tuple[bytes, ...] = (),
    launches: tuple[bytes, ...] = (),
    *,
    table: bytes = b"",
    details: bytes = b"",
    ranges: tuple[bytes, ...] = (),
    more: bytes = b"",
) -> bytes:
    """One block: its header, then its entries."""
    content = b"".join(
        struct.pack("<I", len(entry)) + entry for entry in (*sources, *launches, *ranges)
    )
    header = field(1, len(sources)) + field(2, len(launches))
    header += field(3, details) if details else b""
    header += field(4, table) if table else b""
    header += field(5, len(content)) + field(6, PROCESS) + field(7, len(ranges)) + more
    return struct.pack("<I", len(header)) + header + content


def head(version: int = 7, more: bytes = b"") -> bytes:
    """What a file begins with."""
    header = field(1, version) + more
    return b"NVR\0" + struct.pack("<I", len(header)) + header


def report(
    first: bytes | None = None, code: bytes | None = None, details: bytes | None = None
) -> bytes:
    """A whole report: two launches of the kernel and a range, in two blocks."""
    one = block(
        (source() if code is None else code,),
        (launch() if first is None else first,),
        table=strings(),
        details=session() if details is None else details,
    )
    a_range = field(1, 77) + b"".join(field(4, told) for told in metrics()) + field(17, 1)
    return head() + one + block((), (launch(),), ranges=(a_range,))
