"""sync.barrier, latency.instruction_cache, latency.no_overlap: what warps wait for together."""

from __future__ import annotations

from collections.abc import Mapping

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.pipes import opcode_counts
from warpwright.advice.stalls import SHARED, Stalls
from warpwright.hardware import WARP
from warpwright.model.digest import Evidence

_REASON = "smsp__pcsamp_warps_issue_stalled_"
_STORE = 4  # code of the source metric memory_access_type
_ASYNC = ("LDGSTS", "UTMALDG", "UBLKCP")  # copies to shared memory that nobody waits in line for
_VISIBLE = 1.05


def barrier(facts: Facts) -> Draft | None:
    """Warps of a block wait at barriers for the slowest of them.

    That time returns as far as other work fills it: T' = T * (1 - share), not below the fullest
    SM's busiest resource; of its pipes the part stays that all 32 lanes of a warp would need for
    what the active ones did, since others wait while a few lanes work alone.
    low: half of the waiting stays; expected: a quarter; high: none.
    """
    stalls = facts.stalls
    if stalls is None:
        return None
    return _waiting(
        facts,
        "sync.barrier",
        "warps wait for each other at barriers",
        stalls.share("barrier"),
        stalls.by_pc("barrier"),
        (_fact("barrier", stalls, "at barriers"),),
        (
            "give the warps even work between barriers, or let fewer of them meet: warp "
            "shuffles and __syncwarp instead of __syncthreads, smaller blocks, one barrier for "
            "several steps (two buffers)",
        ),
        left={"SM pipes": _lanes(facts)},
    )


def _lanes(facts: Facts) -> float:
    """Active lanes over all lanes, in the mean over executed instructions, 0..1."""
    lanes = facts.launch.number("smsp__thread_inst_executed_per_inst_executed.ratio")
    return min(1.0, lanes / WARP) if lanes else 1.0


def instruction_cache(facts: Facts) -> Draft | None:
    """Warps wait for their next instruction: the code that is executed exceeds the cache.

    T' = T * (1 - share of the stall `no instructions`), not below the fullest SM's busiest
    resource. low: half of it stays; expected: an eighth (the first time through); high: none.
    """
    stalls = facts.stalls
    if stalls is None:
        return None
    executed = facts.launch.per_pc("inst_executed")
    code = 16.0 * sum(1 for count in executed.values() if count)
    return _waiting(
        facts,
        "latency.instruction_cache",
        "warps wait for instructions",
        stalls.share("no_instructions"),
        stalls.by_pc("no_instructions"),
        (
            _fact("no_instructions", stalls, "for the next instruction"),
            evidence("inst_executed", code, "byte", "of machine code that was executed"),
        ),
        (
            "make the code that runs shorter: unroll less (#pragma unroll 4), keep rare paths "
            "in functions that are not inlined, loop over cases instead of writing each out",
        ),
        stays=0.125,
    )


def no_overlap(facts: Facts) -> Draft | None:
    """Load, store to shared memory, wait, compute, in turn: nothing is asked for in advance.

    Seen where most of the waiting for global data stands at the stores to shared memory that
    pass it on, without asynchronous copies. That waiting, and that at the barriers behind it, is
    hidden behind the computing once the next tile is on its way: T' = T * (1 - both), not below
    the fullest SM's busiest resource. low: half of it stays; expected: a quarter; high: none.
    """
    stalls = facts.stalls
    if stalls is None or any(opcode_counts(facts).get(name) for name in _ASYNC):
        return None
    waits = stalls.by_pc("long_scoreboard")
    access = facts.launch.per_pc("memory_access_type")
    passing = {
        pc: count
        for pc, count in waits.items()
        if stalls.memory_type.get(pc) == SHARED and access.get(pc) == _STORE
    }
    if not passing or sum(passing.values()) < 0.5 * sum(waits.values()):
        return None
    cost = dict(passing)
    for pc, count in stalls.by_pc("barrier").items():
        cost[pc] = cost.get(pc, 0.0) + count
    return _waiting(
        facts,
        "latency.no_overlap",
        "each tile is loaded, waited for and computed in turn",
        sum(cost.values()) / stalls.total,
        cost,
        (
            _fact("long_scoreboard", stalls, "for global data, mostly to store it to shared"),
            _fact("barrier", stalls, "at the barriers behind"),
        ),
        (
            "copy the next tile into a second buffer while this one is computed: cp.async "
            "(__pipeline_memcpy_async) or TMA, or load it into registers before the computing",
        ),
    )


def _waiting(
    facts: Facts,
    name: str,
    title: str,
    share: float,
    cost: Mapping[int, float],
    rows: tuple[Evidence, ...],
    actions: tuple[str, ...],
    *,
    stays: float = 0.25,
    left: Mapping[str, float] | None = None,
) -> Draft | None:
    gains = [facts.after(share * part, left=left) for part in (0.5, 1 - stays, 1.0)]
    if gains[1] < _VISIBLE:
        return None
    where = facts.places(cost)
    at = f"{facts.quote(where[0])}: " if where else ""
    return Draft(
        id=name,
        title=title,
        speedup=speedup(*gains),
        evidence=rows,
        where=where,
        actions=tuple(at + action for action in actions),
        confidence="medium",
    )


def _fact(reason: str, stalls: Stalls, what: str) -> Evidence:
    share = 100 * stalls.share(reason)
    return evidence(_REASON + reason, share, "%", f"of the warps' time waiting {what}")
