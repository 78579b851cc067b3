"""launch.block_size, occupancy.shared_memory, balance.blocks: how work is cut and spread."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts, headroom
from warpwright.advice.residency import residency_gain
from warpwright.hardware import SCHEDULERS_PER_SM, WARP

_ACTIVE = "sm__cycles_active"


def block_size(facts: Facts) -> Draft | None:
    """Blocks that end in a part of a warp, or are so small that their number limits residency.

    Of w lanes in a block's warps, t have a thread: T' = T * t / w by that alone. Where the number
    of blocks on an SM is the limit, warps for all of its places give `residency_gain` besides.
    low: half of each; expected: both; high: both, with the residency in full.
    """
    limits = facts.limits
    if limits is None or not facts.blocks_per_sm or facts.blocks < facts.sm_count:
        return None
    lanes = facts.block_threads / (WARP * facts.warps_per_block)
    resident = facts.blocks_per_sm * facts.warps_per_block
    factor = 1.0
    if facts.blocks_by.get("blocks") == facts.blocks_per_sm:
        rest = [count for name, count in facts.blocks_by.items() if name in ("registers",)]
        most = min([*(count * facts.warps_per_block for count in rest), limits.max_warps])
        enough = facts.blocks * facts.warps_per_block / facts.sm_count
        factor = max(1.0, min(most, enough) / resident)
    busy = headroom(facts)
    more = residency_gain(busy, resident / SCHEDULERS_PER_SM, factor)
    expected = more / lanes if lanes < 1 else more
    expected = min(expected, 1 / max(busy * lanes, 0.02))
    if expected < 1.05:
        return None
    return Draft(
        id="launch.block_size",
        title=f"blocks of {facts.block_threads} threads leave places of warps or lanes empty",
        speedup=speedup((1 + expected) / 2, expected, factor / lanes),
        evidence=(
            evidence("launch__block_size", facts.block_threads, "thread", "in a block"),
            evidence(
                "launch__occupancy_limit_blocks",
                facts.blocks_by.get("blocks"),
                "block/SM",
                f"an SM can hold: {resident} of its {limits.max_warps} places for warps",
            ),
        ),
        actions=(
            f"use blocks of 128 or 256 threads, a multiple of {WARP}: as many elements in fewer, "
            "larger blocks",
        ),
        confidence="medium",
    )


def shared_memory(facts: Facts) -> Draft | None:
    """Shared memory limits resident blocks, more are waiting, and issue slots are free.

    As `occupancy.registers`: with R = resident blocks after / before, throughput grows by at
    most R. expected: `residency_gain` of one more block; high: min(R of twice as many, 1 / busiest
    share); low: 1, since a smaller tile may load more.
    """
    now = facts.blocks_by.get("shared memory")
    others = [count for name, count in facts.blocks_by.items() if name != "shared memory"]
    bytes_now = facts.launch.number("launch__shared_mem_per_block_allocated")
    capacity = facts.capacity
    if not now or not others or not capacity or now >= min(others) or facts.blocks <= capacity:
        return None
    busy = headroom(facts)
    resident = now * facts.warps_per_block / SCHEDULERS_PER_SM
    steps = [min(count, *others) / now for count in (now + 1, 2 * now)]
    expected = residency_gain(busy, resident, steps[0])
    high = min(residency_gain(busy, resident, steps[1]) * 1.1, 1 / max(busy, 0.02))
    if expected < 1.03:
        return None
    less = f" ({bytes_now * now / (now + 1):,.0f} bytes)" if bytes_now else ""
    return Draft(
        id="occupancy.shared_memory",
        title=f"shared memory holds {now} blocks per SM",
        speedup=speedup(1.0, expected, max(high, expected)),
        evidence=(
            evidence("launch__shared_mem_per_block_allocated", bytes_now, "byte", "of each block"),
            evidence("launch__occupancy_limit_shared_mem", now, "block/SM", "the lowest limit"),
            evidence("launch__grid_size", facts.blocks, "block", "in the grid"),
        ),
        actions=(
            f"{now / (now + 1):.0%} of today's shared memory a block{less} would allow {now + 1} "
            "blocks per SM: a smaller tile, a narrower type, or a buffer that is used twice",
        ),
        confidence="low",
    )


def balance(facts: Facts) -> Draft | None:
    """Some SMs work much longer than others although each gets as many blocks.

    T' = T * mean / max of the SMs' active cycles: all work as long as the mean. Where the grid is
    no multiple of the SMs and only a few blocks deep, that is the tail's and no finding here. low:
    halfway; high: as expected, since no SM can do less than its share.
    """
    mean = facts.launch.number(f"{_ACTIVE}.avg")
    most = facts.launch.number(f"{_ACTIVE}.max")
    capacity = facts.capacity
    if not mean or not most or not capacity:
        return None
    deep = facts.blocks >= 4 * capacity
    if not deep and facts.blocks % facts.sm_count:
        return None
    expected = most / mean
    if expected < 1.05:
        return None
    return Draft(
        id="balance.blocks",
        title=f"the busiest SM works {expected:.2f} times as long as the mean",
        speedup=speedup((1 + expected) / 2, expected, expected),
        evidence=(
            evidence(f"{_ACTIVE}.avg", mean, "cycle", "an SM works in the mean"),
            evidence(f"{_ACTIVE}.max", most, "cycle", "the busiest one works"),
        ),
        actions=(
            "give each block the same work: sort or split the long items, start them first, or let "
            "persistent blocks take the next item from a counter (atomicAdd)",
        ),
        confidence="high" if deep else "medium",
    )
