"""launch.tail: the last, partial wave."""

from __future__ import annotations

import math

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts

_FEW_WAVES = 8  # beyond this many, a last partial wave is below a few percent


def tail(facts: Facts) -> Draft | None:
    """The last, partial wave.

    With w waves, full ones take equal time: T = ceil(w) of them where w would do, so the
    gain is at most ceil(w) / w. Blocks that end at different times blur waves,
    so the gain is also at most elapsed / active cycles, as measured per SM; low is 1.
    """
    capacity = facts.capacity
    if capacity is None or facts.blocks <= capacity:
        return None
    waves = facts.blocks / capacity
    whole = math.ceil(waves)
    ideal = whole / waves
    active = facts.launch.number("sm__cycles_active.avg")
    elapsed = facts.launch.number("sm__cycles_elapsed.max") or facts.launch.number(
        "gpc__cycles_elapsed.max"
    )
    measured = elapsed / active if active and elapsed else None
    expected = ideal if measured is None else min(ideal, measured)
    if waves > _FEW_WAVES or expected < 1.02:
        return None
    last = facts.blocks - (whole - 1) * capacity
    rows = [
        evidence("launch__waves_per_multiprocessor", waves, "wave", f"{whole} must be run"),
        evidence("launch__grid_size", facts.blocks, "block", f"{last} are in the last wave"),
    ]
    if measured is not None:
        rows.append(
            evidence("sm__cycles_active.avg", 100 / measured, "%", "of the time an SM had work")
        )
    return Draft(
        id="launch.tail",
        title=f"the last of {whole} waves is {last / capacity:.0%} full",
        speedup=speedup(1.0, expected, expected),
        evidence=tuple(rows),
        actions=(
            f"choose a grid near a multiple of {capacity} blocks, e.g. {(whole - 1) * capacity} "
            f"blocks that loop over the work (persistent), or smaller blocks",
        ),
        confidence="medium" if measured is not None else "low",
    )
