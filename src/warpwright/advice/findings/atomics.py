"""memory.atomics: atomic operations that serialize on few addresses."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts, headroom
from warpwright.advice.stalls import GLOBAL, Stalls

_SHARED_LANES = 4  # lanes a cycle that an SM adds to shared memory with some conflicts: assumed
_SERIAL = 0.1  # of a lane a cycle and L2 slice: less means that lanes wait for each other


def atomics(facts: Facts) -> Draft | None:
    """Atomic operations to global memory fill the queues while the L2 hardly works.

    An atomic is a global access that is neither load nor store. Few addresses are the cause
    where it executes less than a tenth of a lane a cycle and L2 slice, and warps queue for it
    (lg throttle at an atomic). Then everything behind the queue waits with it, and with a
    sum for each block first, kept in shared memory, the time of waiting becomes that of those:
    T' = T * (1 - waits) + lanes / (4 a cycle and SM), not below the rest's busiest resource.
    low: the square root of expected (half of the way, as factors go); high: the sums cost nothing.
    """
    stalls = facts.stalls
    launch = facts.launch
    cycles = launch.number("sm__cycles_elapsed.avg") or launch.number("sm__cycles_elapsed.max")
    slices = launch.number("device__attribute_l2s_count")
    if stalls is None or not cycles or not slices:
        return None
    places = _atomics(stalls)
    lanes = sum(launch.per_pc("thread_inst_executed").get(pc, 0.0) for pc in places)
    queued = {pc: n for pc, n in stalls.by_pc("lg_throttle").items() if pc in places}
    share = sum(queued.values()) / stalls.total
    rate = lanes / cycles / slices
    if share < 0.05 or not 0 < rate < _SERIAL:
        return None
    waits = min(1.0, sum(map(stalls.share, ("lg_throttle", "long_scoreboard", "drain"))))
    others = headroom(facts, left={"L2": 0.0, "L1 data pipe": 0.0})
    sums = lanes / (_SHARED_LANES * facts.sm_count * cycles)
    expected = 1 / max(1 - waits + sums, others, 1e-3)
    if expected < 1.03:
        return None
    where = facts.places(queued)
    at = f"{facts.quote(where[0])}: " if where else ""
    return Draft(
        id="memory.atomics",
        title="atomics wait for each other on few addresses",
        speedup=speedup(expected**0.5, expected, 1 / max(1 - waits, others, 1e-3)),
        evidence=(
            evidence("thread_inst_executed", lanes, "thread", "atomic operations, lane by lane"),
            evidence(
                "device__attribute_l2s_count",
                rate,
                "lane",
                f"a cycle and L2 slice: {int(slices)} slices could do about one each",
            ),
            evidence(
                "smsp__pcsamp_warps_issue_stalled_lg_throttle",
                100 * stalls.share("lg_throttle"),
                "%",
                "of the warps' time queueing for global memory",
            ),
        ),
        where=where,
        actions=(
            f"{at}add up within the warp (__reduce_add_sync) or the block (shared memory) first, "
            "and let one lane of each block do the global atomic",
        ),
        confidence="medium",
    )


def _atomics(stalls: Stalls) -> set[int]:
    """PC offsets of global accesses that are neither loads nor stores."""
    access = stalls.launch.per_pc("memory_access_type")
    return {pc for pc, kind in stalls.memory_type.items() if kind == GLOBAL and not access.get(pc)}
