"""What a what-if takes for granted, where to doubt it, and what to ask next."""

from __future__ import annotations

import math

from warpwright.advice.facts import Facts
from warpwright.advice.what_if import cluster_part
from warpwright.hardware import WARP
from warpwright.model.deeper import Deeper
from warpwright.model.digest import Caution
from warpwright.model.report import Launch
from warpwright.model.what_if import Change, Plan
from warpwright.operations.deeper import deeper

_FREE_SHARED = 48 * 1024  # what a kernel may have without opting in
_PORTABLE_CLUSTER = 8


def assumptions_of(launch: Launch, asked: Change, today: Plan, changed: Plan) -> tuple[str, ...]:
    """What the answer takes for granted."""
    found = []
    if asked.grid is not None:
        found.append(
            "the same work is split evenly over the blocks of --grid; combining partial results "
            "is not counted"
        )
    if asked.block is not None and asked.grid is None:
        found.append("as many threads in all as today; each does what it does today")
    if asked.block is not None:
        kept = [
            name
            for name, value in (
                ("registers of a thread", asked.registers),
                ("shared memory of a block", asked.shared_bytes),
            )
            if value is None
        ]
        if kept:
            found.append(f"unchanged: {', '.join(kept)}")
        if asked.block % WARP:
            found.append(f"{-asked.block % WARP} lanes of each block's last warp stay idle")
    if asked.registers is not None or asked.shared_bytes is not None:
        found.append(
            "the instructions stay the same: only how many blocks are resident changes "
            "(spills and smaller tiles are not counted)"
        )
    if changed.carveout_bytes != today.carveout_bytes:
        found.append(
            f"the driver sets aside {changed.carveout_bytes // 1024} KiB of each SM's L1 for "
            f"shared memory (today {today.carveout_bytes // 1024} KiB)"
        )
    if changed.shared_bytes > max(_FREE_SHARED, today.shared_bytes):
        found.append(
            "the kernel opts in to more than 48 KiB (cudaFuncAttributeMaxDynamicSharedMemorySize)"
        )
    if changed.cluster > _PORTABLE_CLUSTER:
        found.append(
            f"the kernel opts in to clusters of more than {_PORTABLE_CLUSTER} blocks "
            "(cudaFuncAttributeNonPortableClusterSizeAllowed)"
        )
    if cluster_part(launch, changed.cluster) is None:
        found.append(
            f"clusters of {changed.cluster} can use every SM (the report does not say how many "
            "the GPCs leave over)"
        )
    return tuple(found)


def cautions_of(facts: Facts, asked: Change, today: Plan) -> tuple[Caution, ...]:
    """Why the prediction deserves less trust."""
    found = []
    if not facts.busy:
        text = "no utilization was collected (--section SpeedOfLight): time is not predicted"
        found.append(Caution(id="what_if.no_utilization", text=text))
    elif asked.grid is not None and facts.stalls is None:
        text = (
            "stalls were not sampled (--section SourceCounters): half of a block's time is taken "
            "to be repeated when its work is split"
        )
        found.append(Caution(id="what_if.no_stalls", text=text))
    stored = facts.blocks_per_sm
    if stored is not None and stored != today.blocks_per_sm:
        text = f"the report says that {stored} blocks fit an SM, not {today.blocks_per_sm}"
        found.append(Caution(id="what_if.disagrees", text=text))
    return tuple(found)


def steps_from(here: str, asked: Change, today: Plan, with_curves: bool) -> tuple[Deeper, ...]:
    """What to ask next."""
    steps = []
    if asked == Change():
        full = today.capacity_blocks
        if today.grid_blocks < full:
            steps.append(deeper("fill the device once", "what-if", here, "--grid", str(full)))
        elif today.last_wave_blocks < full:
            whole = (math.ceil(today.waves) - 1) * full
            steps.append(deeper("full waves only", "what-if", here, "--grid", str(whole)))
    if not with_curves:
        steps.append(
            deeper("what each block size, register count gives", "what-if", here, "--sweep")
        )
    steps.append(deeper("what limits this launch", "digest", here))
    return tuple(steps)
