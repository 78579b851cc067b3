"""roofline.memory: already at the speed of device memory."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts

# A plain copy reaches about 90 % of the datasheet rate: 4.26 of 4.80 TB/s measured on an H200.
ACHIEVABLE = 0.90
_NEAR = 0.80
_DRAM = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"


def memory_roof(facts: Facts) -> Draft | None:
    """DRAM is busy at 80 % of its peak or more: only fewer bytes help.

    T' = T * busy / achievable at best, with achievable 0.90 of the peak (what a copy reaches).
    """
    busy = facts.launch.number(_DRAM)
    if busy is None or busy / 100 < _NEAR:
        return None
    gain = max(1.0, ACHIEVABLE / (busy / 100))
    rows = [evidence(_DRAM, busy, "%", f"of DRAM's peak; a copy reaches {ACHIEVABLE:.0%}")]
    for op in ("read", "write"):
        moved = facts.launch.number(f"dram__bytes_{op}.sum")
        if moved is not None:
            rows.append(evidence(f"dram__bytes_{op}.sum", moved, "byte", f"{op} in all"))
    return Draft(
        id="roofline.memory",
        title="this launch runs at the speed of device memory",
        speedup=speedup(1.0, (1 + gain) / 2, gain),
        evidence=tuple(rows),
        actions=(
            "only fewer bytes help: fuse it with the kernels before and after, keep data in a "
            "narrower type, or reuse what is loaded; no launch or instruction change will",
        ),
        confidence="high",
    )
