"""memory.constant_divergence: lanes that read different constant addresses."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts

_CYCLES = "idc__request_cycles_active.avg.pct_of_peak_sustained_elapsed"
_OTHERS = {
    "L1 data pipe": "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "L2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "DRAM": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "issue": "sm__inst_executed.avg.pct_of_peak_sustained_elapsed",
}


def constant_divergence(facts: Facts) -> Draft | None:
    """The constant cache replays an access for each different address of a warp.

    R = cycles in which the constant cache worked / constant loads that were executed (LDC,
    ULDC): one access of a warp to one address takes one. Without divergence the cache is busy
    for 1 / R of b, its busy share now. T' = T * max(b / R + 1 - b, busiest other resource) is
    expected: what the cache did not work for stays. low: halfway between 1 and expected.
    high: the exposed part vanishes too.
    """
    launch = facts.launch
    busy = launch.number(_CYCLES)
    cycles = launch.number("sm__cycles_elapsed.avg") or launch.number("sm__cycles_elapsed.max")
    opcodes = launch.metrics.get("sass__inst_executed_per_opcode")
    counts = opcodes.instances if opcodes is not None else {}
    loads = sum(float(counts.get(name, 0)) for name in ("LDC", "ULDC"))
    if not busy or not cycles or not loads:
        return None
    share = min(busy / 100, 1.0)
    replays = share * cycles * facts.sm_count / loads
    if replays < 2 or share < 0.05:
        return None
    known = (launch.number(name) for name in _OTHERS.values())
    floor = max((value / 100 for value in known if value is not None), default=0.0)
    expected = 1 / max(share / replays + 1 - share, floor, 0.01)
    if expected < 1.05:
        return None
    stalls = facts.stalls
    where = facts.places(stalls.by_pc("mio_throttle") if stalls is not None else {})
    at = f"{facts.quote(where[0])}: " if where else ""
    return Draft(
        id="memory.constant_divergence",
        title=f"each constant load of a warp is replayed {replays:.0f} times",
        speedup=speedup((1 + expected) / 2, expected, 1 / max(share / replays, floor, 0.01)),
        evidence=(
            evidence(_CYCLES, busy, "%", "of the time the constant cache serves requests"),
            evidence("sass__inst_executed_per_opcode", loads, "inst", "constant loads (LDC, ULDC)"),
        ),
        where=where,
        actions=(
            f"{at}index the table from shared memory (or registers and shuffles): a warp's lanes "
            "read different entries, and constant memory serves one address at a time",
        ),
        confidence="high" if share > 0.5 else "medium",
    )
