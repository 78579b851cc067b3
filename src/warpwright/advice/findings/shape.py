"""launch.block_size and balance.blocks: how work is cut and spread."""

from __future__ import annotations

import math

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts, headroom
from warpwright.advice.residency import residency_gain
from warpwright.hardware import SCHEDULERS_PER_SM, WARP

_ACTIVE = "sm__cycles_active"


def block_size(facts: Facts) -> Draft | None:
    """Blocks that end in a part of a warp, or are so small that their number limits residency.

    Of w lanes in a block's warps, t have a thread: T' = T * t / w by that alone. Where the number
    of blocks on an SM is the limit, warps for all of its places give `residency_gain` besides.
    low: half of both, in factors; expected: both; high: both, with the residency in full.
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
    expected = facts.after(1 - lanes / more, left={"SM pipes": lanes})
    if expected < 1.05:
        return None
    return Draft(
        id="launch.block_size",
        title=f"blocks of {facts.block_threads} threads leave places of warps or lanes empty",
        speedup=speedup(expected**0.5, expected, factor / lanes),
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


def balance(facts: Facts) -> Draft | None:
    """Some SMs work much longer than others, more than the number of blocks explains.

    r = max / mean of the SMs' active cycles. Equal blocks give q of it: those of the fullest SM
    over the mean, or whole waves over waves (that is the grid's and the tail's part). With blocks
    of equal work T' = T * q / r, not below the busiest resource of the whole device. low: half of
    that, in factors; high: r / q, since no SM can do less than its share.
    """
    mean = facts.launch.number(f"{_ACTIVE}.avg")
    most = facts.launch.number(f"{_ACTIVE}.max")
    if not mean or not most or not facts.capacity:
        return None
    uneven = most / mean / _quantized(facts)
    expected = facts.after(1 - 1 / uneven, spread=True)
    if expected < 1.05:
        return None
    deep = facts.blocks >= 4 * facts.capacity
    return Draft(
        id="balance.blocks",
        title=f"the busiest SM works {most / mean:.2f} times as long as the mean",
        speedup=speedup(expected**0.5, expected, uneven),
        evidence=(
            evidence(f"{_ACTIVE}.avg", mean, "cycle", "an SM works in the mean"),
            evidence(f"{_ACTIVE}.max", most, "cycle", "the busiest one works"),
            evidence(
                "launch__grid_size",
                facts.blocks,
                "block",
                f"of equal work would make that {_quantized(facts):.2f} times the mean",
            ),
        ),
        actions=(
            "give each block the same work: sort or split the long items, start them first, or let "
            "persistent blocks take the next item from a counter (atomicAdd)",
        ),
        confidence="high" if deep else "medium",
    )


def _quantized(facts: Facts) -> float:
    """Active cycles of the fullest SM over the mean, had all blocks equal work."""
    per_sm = facts.blocks / facts.sm_count
    if facts.blocks <= (facts.capacity or 0):
        return math.ceil(per_sm) / per_sm
    waves = facts.blocks / (facts.capacity or 1)
    return math.ceil(waves) / waves
