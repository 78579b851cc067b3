"""memory.uncoalesced: global accesses that use few bytes of each 32-byte sector."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts, headroom
from warpwright.advice.stalls import GLOBAL

_ELAPSED = "pct_of_peak_sustained_elapsed"
_SECTORS = "memory_l2_theoretical_sectors_global"


def uncoalesced(facts: Facts) -> Draft | None:
    """Sectors moved beyond the ideal.

    Waste w = 1 - ideal / theoretical sectors. Without it L2 and DRAM move (1 - w) of their
    work, and the L1 data pipe (1 - w) of its global wavefronts; of the time in which the
    busiest resource waits, the part spent waiting for global data (`waits`: long scoreboard
    behind global loads, lg throttle; all of it where stalls were not sampled) shrinks alike:
    T' = T * (busiest left + (1 - busiest now) * (1 - waits * w)) is expected.
    high: 1 / (1 - w), all time in proportion to sectors. low: halfway between 1 and expected
    (for data-dependent addresses the ideal may be out of reach).
    """
    moved, ideal = facts.launch.per_pc(_SECTORS), facts.launch.per_pc(_SECTORS + "_ideal")
    total = sum(moved.values())
    excess = {pc: count - ideal.get(pc, count) for pc, count in moved.items()}
    wasted = sum(excess.values())
    if not total or wasted / total < 0.05:
        return None
    waste = min(wasted / total, 0.99)
    left = {"L1 data pipe": 1 - waste * _global_share(facts), "L2": 1 - waste, "DRAM": 1 - waste}
    waits = _waits(facts)
    remaining = headroom(facts, left=left)
    exposed = (1 - headroom(facts)) * (1 - waste * (1.0 if waits is None else waits))
    expected = 1 / (remaining + exposed)
    if expected < 1.03:
        return None
    where = facts.places(excess)
    at = facts.quote(where[0]) if where else "the accesses with most excess sectors"
    per_request = _per_request(facts, excess)
    return Draft(
        id="memory.uncoalesced",
        title=f"{waste:.0%} of the global sectors carry bytes nobody asked for",
        speedup=speedup((1 + expected) / 2, expected, 1 / (1 - waste)),
        evidence=(
            evidence(_SECTORS, total, "sector", "moved between L1 and L2 for global accesses"),
            evidence(_SECTORS + "_ideal", total - wasted, "sector", "would do if coalesced"),
            evidence(
                "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
                None if waits is None else 100 * waits,
                "%",
                "of the warps' time waiting for global data or its queue",
            ),
        ),
        where=where,
        actions=(
            f"{at}: let consecutive lanes touch consecutive addresses{per_request}; swap the "
            "loop or index order, or load tiles coalesced and transpose them in shared memory",
        ),
        confidence="medium" if facts.stalls is not None else "low",
    )


def _waits(facts: Facts) -> float | None:
    """Share of the warps' time that waits for global data or for its queue; None: not sampled."""
    if facts.stalls is None:
        return None
    behind = sum(facts.stalls.data_waits[GLOBAL].values()) / facts.stalls.total
    return min(1.0, behind + facts.stalls.share("lg_throttle"))


def _global_share(facts: Facts) -> float:
    """The share of the L1 data pipe's wavefronts that are not of shared or local memory, 0..1."""
    pipe = facts.launch.number(f"l1tex__data_pipe_lsu_wavefronts.avg.{_ELAPSED}")
    if not pipe:
        return 1.0
    others = [f"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.{_ELAPSED}"]
    others += [
        f"l1tex__t_output_wavefronts_pipe_lsu_mem_local_op_{op}.sum.{_ELAPSED}"
        for op in ("ld", "st")
    ]
    taken = sum(facts.launch.number(name) or 0.0 for name in others)
    return max(0.0, 1 - taken / pipe)


def _per_request(facts: Facts, excess: dict[int, float]) -> str:
    worst = max(excess, key=lambda pc: excess[pc])
    requests = facts.launch.per_pc("memory_l1_tag_requests_global").get(worst)
    moved = facts.launch.per_pc(_SECTORS)[worst]
    return f" (now {moved / requests:.0f} sectors a request)" if requests else ""
