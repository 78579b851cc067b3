"""memory.bank_conflicts: shared-memory accesses that serialize on banks."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.pipes import DATA_PIPE, SHARED_WAVEFRONTS, data_pipe_part

_WAVEFRONTS = "memory_l1_wavefronts_shared"
_ELAPSED = "pct_of_peak_sustained_elapsed"


def bank_conflicts(facts: Facts) -> Draft | None:
    """Shared-memory wavefronts beyond the ideal.

    Waste w = 1 - ideal / actual wavefronts. Without it the L1 data pipe keeps 1 - w of its shared
    wavefronts, and the waiting for it (`waits`: short scoreboard, MIO throttle, and as much of the
    waiting at barriers and for global data as the pipe is busy) shrinks by w. low: half of that
    (in factors); high: all of the warps' time shrinks by w.
    """
    actual, ideal = facts.launch.per_pc(_WAVEFRONTS), facts.launch.per_pc(_WAVEFRONTS + "_ideal")
    total = sum(actual.values())
    excess = {pc: count - ideal.get(pc, count) for pc, count in actual.items()}
    wasted = sum(excess.values())
    if not total or not ideal or wasted / total < 0.05:
        return None
    waste = min(wasted / total, 0.999)
    stalls = facts.stalls
    waits = None
    if stalls is not None:
        behind = stalls.share("barrier") + stalls.share("long_scoreboard") + stalls.share("drain")
        own = stalls.share("short_scoreboard") + stalls.share("mio_throttle")
        waits = min(1.0, own + behind * _busy(facts))
    left = {"L1 data pipe": 1 - waste * _shared_part(facts)}
    expected = facts.after(waste * (1.0 if waits is None else waits), left=left)
    if expected < 1.03:
        return None
    where = facts.places(excess)
    at = facts.quote(where[0]) if where else "the accesses with most excess wavefronts"
    ways = total / (total - wasted)
    return Draft(
        id="memory.bank_conflicts",
        title=f"shared-memory accesses take {ways:.1f} times the wavefronts they need",
        speedup=speedup(expected**0.5, expected, facts.after(waste, left=left)),
        evidence=(
            evidence(_WAVEFRONTS, total, "wavefront", "of shared-memory accesses"),
            evidence(_WAVEFRONTS + "_ideal", total - wasted, "wavefront", "without conflicts"),
            evidence(
                f"{DATA_PIPE}.avg.{_ELAPSED}",
                facts.launch.number(f"{DATA_PIPE}.avg.{_ELAPSED}"),
                "%",
                "of the L1 data pipe's peak in use",
            ),
        ),
        where=where,
        actions=(
            f"{at}: let the lanes of a warp touch different banks: pad each row of the tile by one "
            "element, or swizzle the column by the row (column ^ row)",
        ),
        confidence="high" if stalls is not None else "medium",
    )


def _busy(facts: Facts) -> float:
    return next((one.fullest for one in facts.busy if one.name == "L1 data pipe"), 0.0)


def _shared_part(facts: Facts) -> float:
    """The share of the L1 data pipe's wavefronts that are of shared memory, 0..1."""
    part = data_pipe_part(facts, SHARED_WAVEFRONTS)
    return part or 1.0
