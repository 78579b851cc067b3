"""memory.uncoalesced: global accesses that use few bytes of each 32-byte sector."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts, headroom
from warpwright.advice.stalls import GLOBAL

_SECTORS = "memory_l2_theoretical_sectors_global"


def uncoalesced(facts: Facts) -> Draft | None:
    """Sectors moved beyond the ideal.

    Waste w = 1 - ideal / theoretical sectors. Without it L2 and DRAM move (1 - w) of
    their global work and L1 as many fewer wavefronts; the time warps wait for global data or
    for a free queue (long scoreboard behind global loads, lg throttle) shrinks alike.
    expected: T' = T * max(1 - waits * w, busiest remaining). high: everything in T beyond the
    remaining work was queueing behind the waste. low: halfway between 1 and expected (for
    data-dependent addresses the ideal may be out of reach).
    """
    moved, ideal = facts.launch.per_pc(_SECTORS), facts.launch.per_pc(_SECTORS + "_ideal")
    total = sum(moved.values())
    excess = {pc: count - ideal.get(pc, count) for pc, count in moved.items()}
    wasted = sum(excess.values())
    if not total or wasted / total < 0.05:
        return None
    waste = wasted / total
    left = {"L1 data pipe": 1 - waste, "L2": 1 - waste, "DRAM": 1 - waste}
    floor, busiest = headroom(facts, left=left), headroom(facts)
    waits = 0.0
    if facts.stalls is not None:
        behind = sum(facts.stalls.data_waits[GLOBAL].values()) / facts.stalls.total
        waits = min(1.0, behind + facts.stalls.share("lg_throttle"))
    expected = 1 / max(1 - waits * waste, floor, 0.02)
    if busiest > 0.6:  # the waste itself saturates a unit: time follows what that unit must do
        expected = max(expected, min(busiest / max(floor, 0.02), 1 / (1 - waste)))
    high = min(1 / max(floor, 1 - waste, 0.02), 1 / (1 - waste))
    if expected < 1.03:
        return None
    where = facts.places(excess)
    at = facts.quote(where[0]) if where else "the accesses with most excess sectors"
    per_request = _per_request(facts, excess)
    return Draft(
        id="memory.uncoalesced",
        title=f"{waste:.0%} of the global sectors carry bytes nobody asked for",
        speedup=speedup((1 + expected) / 2, expected, max(high, expected)),
        evidence=(
            evidence(_SECTORS, total, "sector", "moved between L1 and L2 for global accesses"),
            evidence(_SECTORS + "_ideal", total - wasted, "sector", "would do if coalesced"),
            evidence(
                "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
                100 * waits,
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


def _per_request(facts: Facts, excess: dict[int, float]) -> str:
    worst = max(excess, key=lambda pc: excess[pc])
    requests = facts.launch.per_pc("memory_l1_tag_requests_global").get(worst)
    moved = facts.launch.per_pc(_SECTORS)[worst]
    return f" (now {moved / requests:.0f} sectors a request)" if requests else ""
