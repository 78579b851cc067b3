"""A launch, and what pages of it hold, for the tests of exports."""

from __future__ import annotations

import math

from tests.report.csv_pages import line
from warpwright.model.report import Launch, Metric, NoCode

NOISE = "==PROF== Connected to process 4711\n0,1,2,3\n"
SOL, MEMORY = "GPU Speed Of Light Throughput", "Memory Workload Analysis"
DURATION = "gpu__time_duration.sum"

LAUNCH = Launch(
    index=0,
    kernel="k",
    demangled="void a::k<(int)4, b<c>>(int, float *)",
    mangled="",
    grid=(2048, 3, 1),
    block=(128, 1, 1),
    compute_capability=(9, 0),
    metrics={
        name: Metric(name, value)
        for name, value in (
            (DURATION, 6.97),
            ("dram__bytes.sum", 10.24),
            ("smsp__inst_executed.sum", 3310223),
            ("launch__func_cache_config", "CachePreferNone"),
            ("sm__ctas_launched.sum", None),
            ("dram__throughput.avg.pct_of_peak_sustained_elapsed", math.nan),
        )
    }
    | {
        "inst_executed": Metric("inst_executed", 96, {0x7F00: 64, 0x7F10: 32}),
        "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued": Metric(
            "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued", 5, {0x7F10: 5}
        ),
    },
    code=NoCode(0x7F00),
)
NAMES = (
    (DURATION, "us"),
    ("dram__bytes.sum", "Kbyte"),
    ("smsp__inst_executed.sum", "inst"),
    ("launch__func_cache_config", ""),
    ("sm__ctas_launched.sum", "block"),
    ("dram__throughput.avg.pct_of_peak_sustained_elapsed", "%"),
)
SOURCE = (
    ("inst_executed", "Instructions Executed"),
    (
        "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued",
        "stall_long_sb (Not Issued)",
    ),
)

BOTH = (
    line(["File Path", "dir/k.cu"])
    + line(["Function Name", "k"])
    + line(["Line No", "Source", "Address", "Source", "Instructions Executed"])
    + line(["2", "  y = f(x);", "-", "2 instructions", "96"])
    + line(["", "", "0x7f00", "LDG R1", "64"])
    + line(["", "", "0x7f10", "STG R1", "32"])
    + line(["4", "}", "-", "", ""])
)
