"""occupancy.registers and occupancy.shared_memory: what keeps warps out, and latency is exposed."""

from __future__ import annotations

import math

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts, headroom
from warpwright.advice.residency import residency_gain
from warpwright.hardware import MAX_REGISTERS, SCHEDULERS_PER_SM, WARP, occupancy
from warpwright.model.digest import Confidence

_FEW_REGISTERS = 32  # what hardly any kernel goes below
_VISIBLE = 1.03


def registers(facts: Facts) -> Draft | None:
    """Registers limit resident blocks, more are waiting, and latency is exposed.

    Low occupancy alone costs nothing: R = resident blocks after / before (never more than the grid
    has) gives `residency_gain`, and no more than the waiting for latency (all of the warps' time
    but that in which they issue or queue for a slot or a pipe) vanishes.
    expected: as many blocks as the next limit, or 32 registers a thread, allow; high: throughput
    grows by R; low: 1 (fewer registers may cost as many instructions as they give warps).
    """
    now = facts.blocks_by.get("registers")
    used = facts.launch.number("launch__registers_per_thread")
    if not now or not used or used > MAX_REGISTERS or not _limits(facts, now):
        return None
    steps = _steps(facts, now, int(used))
    if not steps:
        return None
    factor = steps[-1][1] / now
    expected, high = _gains(facts, now, factor)
    if expected < _VISIBLE:
        return None
    return Draft(
        id="occupancy.registers",
        title=f"{int(used)} registers a thread hold {now} blocks per SM",
        speedup=speedup(1.0, expected, high),
        evidence=(
            evidence("launch__registers_per_thread", int(used), "register", "of each thread"),
            evidence("launch__occupancy_limit_registers", now, "block/SM", "the lowest limit"),
            evidence("launch__grid_size", facts.blocks, "block", _waiting(facts)),
        ),
        actions=tuple(
            f"at most {count} registers a thread allow {fitting} blocks per SM: "
            f"__launch_bounds__({facts.block_threads}, {fitting}); look for spills in the build "
            "report, which cost more than occupancy gives"
            for count, fitting in dict.fromkeys((steps[0], steps[-1]))
        ),
        confidence=_confidence(factor),
    )


def shared_memory(facts: Facts) -> Draft | None:
    """Shared memory limits resident blocks, more are waiting, and latency is exposed.

    As `occupancy.registers`: expected: as many blocks as the next limit allows; low: 1, since a
    smaller tile may load more.
    """
    now = facts.blocks_by.get("shared memory")
    others = [count for name, count in facts.blocks_by.items() if name != "shared memory"]
    if not now or not others or not _limits(facts, now):
        return None
    most = min(*others, math.ceil(facts.blocks / facts.sm_count))
    if most <= now:
        return None
    expected, high = _gains(facts, now, most / now)
    if expected < _VISIBLE:
        return None
    bytes_now = facts.launch.number("launch__shared_mem_per_block_allocated")
    sizes = [
        f"{bytes_now * now / count:,.0f} bytes a block allow {count} blocks per SM"
        for count in dict.fromkeys((now + 1, most))
        if bytes_now
    ]
    return Draft(
        id="occupancy.shared_memory",
        title=f"shared memory holds {now} blocks per SM",
        speedup=speedup(1.0, expected, high),
        evidence=(
            evidence("launch__shared_mem_per_block_allocated", bytes_now, "byte", "of each block"),
            evidence("launch__occupancy_limit_shared_mem", now, "block/SM", "the lowest limit"),
            evidence("launch__grid_size", facts.blocks, "block", _waiting(facts)),
        ),
        actions=(
            f"{'; '.join(sizes) or 'less shared memory a block'}: a smaller tile, a narrower type, "
            "a buffer that is used twice, or registers for what one thread alone reads",
        ),
        confidence=_confidence(most / now),
    )


def _limits(facts: Facts, now: int) -> bool:
    """It is the lowest limit, and blocks wait because of it."""
    capacity = facts.capacity
    waiting = capacity is not None and facts.blocks > capacity
    return waiting and now <= min(facts.blocks_by.values())


def _gains(facts: Facts, now: int, factor: float) -> tuple[float, float]:
    """T / T', expected and high, of so many times as many resident warps."""
    resident = now * facts.warps_per_block / SCHEDULERS_PER_SM
    latency = facts.stalls.latency if facts.stalls is not None else 1.0
    gain = residency_gain(headroom(facts), resident, factor)
    return (
        facts.after(min(1 - 1 / gain, latency)),
        facts.after(min(1 - 1 / factor, latency)),
    )


def _waiting(facts: Facts) -> str:
    return f"{facts.blocks - (facts.capacity or 0)} wait for their turn"


def _confidence(factor: float) -> Confidence:
    """At less than a quarter of what fits, occupancy is the first thing to doubt."""
    return "medium" if factor >= 4 else "low"


def _steps(facts: Facts, now: int, used: int) -> list[tuple[int, int]]:
    """(registers a thread, blocks per SM) of each step up."""
    limits = facts.limits
    others = [count for name, count in facts.blocks_by.items() if name != "registers"]
    if limits is None or not others:
        return []
    most = min(min(others), math.ceil(facts.blocks / facts.sm_count))
    unit = limits.register_unit // WARP
    steps: list[tuple[int, int]] = []
    for count in range(used // unit * unit, _FEW_REGISTERS - 1, -unit):
        fitting = min(occupancy(limits, facts.block_threads, count, 0).by_registers, most)
        if fitting > (steps[-1][1] if steps else now):
            steps.append((count, fitting))
    return steps
