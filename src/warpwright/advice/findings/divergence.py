"""control.divergence: lanes of a warp that take different paths."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.hardware import WARP

_RATIO = "smsp__thread_inst_executed_per_inst_executed.ratio"


def divergence(facts: Facts) -> Draft | None:
    """Warps execute both sides of a branch, or wait for their longest lane.

    At an instruction with l active lanes, 1 - l / 32 of its warps' time is that of lanes which
    do nothing. Were all lanes active there, as many fewer warps would have to pass:
    T' = T * (1 - the sum of that time over all instructions), not below the busiest memory.
    low: half of that, in factors (what differs between lanes may lie in the data); high: as
    expected, where no other resource is busy. Blocks of less than a warp are another cause.
    """
    stalls = facts.stalls
    if stalls is None or facts.block_threads < WARP:
        return None
    executed = facts.launch.per_pc("inst_executed")
    lanes = facts.launch.per_pc("thread_inst_executed")
    cost = {
        pc: samples * (1 - lanes[pc] / (WARP * executed[pc]))
        for pc, samples in stalls.samples.items()
        if executed.get(pc) and lanes.get(pc)
    }
    share = min(1.0, sum(cost.values()) / stalls.total)
    expected = facts.after(share, left={"SM pipes": 1 - share, "L1 data pipe": 1 - share})
    if expected < 1.05:
        return None
    where = facts.places(cost)
    at = f"{facts.quote(where[0])}: " if where else ""
    active = facts.launch.number(_RATIO)
    return Draft(
        id="control.divergence",
        title=f"{share:.0%} of the warps' time is that of idle lanes",
        speedup=speedup(expected**0.5, expected, 1 / max(1 - share, 0.03)),
        evidence=(
            evidence(_RATIO, active, "thread", "active in an executed instruction, of 32"),
            evidence("thread_inst_executed", 100 * share, "%", "of the warps' time at idle lanes"),
        ),
        where=where,
        actions=(
            f"{at}let the lanes of a warp do alike: sort or bin the items by path or length "
            "first, give a warp (not a lane) to each long item, replace the branch by a select",
        ),
        confidence="medium",
    )
