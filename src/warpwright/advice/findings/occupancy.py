"""occupancy.registers: registers keep warps out, and latency is exposed because of it."""

from __future__ import annotations

import math

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts, headroom
from warpwright.advice.residency import residency_gain
from warpwright.hardware import SCHEDULERS_PER_SM, WARP, occupancy

_MOST_REGISTERS = 255  # of a thread, on every architecture


def registers(facts: Facts) -> Draft | None:
    """Registers limit resident blocks, more are waiting, and issue slots are free.

    Low occupancy alone costs nothing. With R = resident blocks after / before (never more than
    the grid has), warps in flight grow by R and, by Little's law, throughput by at most R.
    expected: `residency_gain` of the next step up; high: min(R, 1 / busiest share) of the last
    step that at least half of today's registers allow; low = 1 (fewer registers may cost as
    many instructions as they give warps).
    """
    now = facts.blocks_by.get("registers")
    used = facts.launch.number("launch__registers_per_thread")
    capacity = facts.capacity
    if not (now and used and capacity) or used > _MOST_REGISTERS:
        return None
    if now > min(facts.blocks_by.values()):
        return None
    steps = _steps(facts, now, int(used))
    if not steps:
        return None
    busy = headroom(facts)
    resident = now * facts.warps_per_block / SCHEDULERS_PER_SM
    expected = residency_gain(busy, resident, steps[0][1] / now)
    high = min(steps[-1][1] / now, 1 / max(busy, 0.02))
    if expected < 1.03:
        return None
    return Draft(
        id="occupancy.registers",
        title=f"{int(used)} registers a thread hold {now} blocks per SM",
        speedup=speedup(1.0, expected, high),
        evidence=(
            evidence("launch__registers_per_thread", int(used), "register", "of each thread"),
            evidence("launch__occupancy_limit_registers", now, "block/SM", "the lowest limit"),
            evidence(
                "launch__grid_size",
                facts.blocks,
                "block",
                f"{facts.blocks - capacity} wait for their turn",
            ),
        ),
        actions=tuple(
            f"at most {count} registers a thread allow {fitting} blocks per SM: "
            f"__launch_bounds__({facts.block_threads}, {fitting}); look for spills in the build "
            "report, which cost more than occupancy gives"
            for count, fitting in dict.fromkeys((steps[0], steps[-1]))
        ),
        confidence="low",
    )


def _steps(facts: Facts, now: int, used: int) -> list[tuple[int, int]]:
    """(registers a thread, blocks per SM) of each step up, down to half of today's registers."""
    limits = facts.limits
    others = [count for name, count in facts.blocks_by.items() if name != "registers"]
    if limits is None or not others:
        return []
    most = min(min(others), math.ceil(facts.blocks / facts.sm_count))
    unit = limits.register_unit // WARP
    steps: list[tuple[int, int]] = []
    for count in range(used // unit * unit, max(used // 2, 2 * unit) - 1, -unit):
        fitting = min(occupancy(limits, facts.block_threads, count, 0).by_registers, most)
        if fitting > (steps[-1][1] if steps else now):
            steps.append((count, fitting))
    return steps
