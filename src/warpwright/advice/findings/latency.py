"""latency.dependency and latency.memory: what each warp waits for while nothing is saturated."""

from __future__ import annotations

from collections.abc import Mapping

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.stalls import GLOBAL


def dependency(facts: Facts) -> Draft | None:
    """Each warp waits on its own fixed-latency chain.

    The stall `wait` is the fixed latency of the instruction before. C independent chains
    hide it behind each other: T' = T * (1 - wait * (1 - 1 / C)), not below the fullest SM's
    busiest resource. low: C = 2, expected: C = 4, high: no wait left.
    """
    stalls = facts.stalls
    if stalls is None:
        return None
    wait = stalls.share("wait")
    gains = [facts.after(wait * part) for part in (0.5, 0.75, 1.0)]
    warps = facts.launch.number("smsp__warps_active.avg.per_cycle_active")
    if gains[1] < 1.03:
        return None
    where = facts.places(stalls.by_pc("wait"))
    rows = [
        evidence(
            "smsp__pcsamp_warps_issue_stalled_wait",
            100 * wait,
            "%",
            "of the warps' time waiting for the instruction before (fixed latency)",
        )
    ]
    issued = facts.launch.number("smsp__issue_active.avg.pct_of_peak_sustained_active")
    if issued is not None:
        rows.append(
            evidence(
                "smsp__issue_active.avg.pct_of_peak_sustained_active",
                issued,
                "%",
                "of the issue slots used, mean over all schedulers that count as active",
            )
        )
    if warps is not None:
        rows.append(
            evidence(
                "smsp__warps_active.avg.per_cycle_active",
                warps,
                "warp",
                "per scheduler: no other warp hides the wait" if warps < 2 else "per scheduler",
            )
        )
    at = f" at {facts.quote(where[0])}" if where else ""
    return Draft(
        id="latency.dependency",
        title="each warp waits on its own dependency chain",
        speedup=speedup(*gains),
        evidence=tuple(rows),
        where=where,
        actions=(
            f"break the chain{at}: accumulate in 4 independent registers and add them at the end",
            "or give each thread several independent rows, so that their chains interleave",
        ),
        confidence="high" if warps is not None and warps < 2 else "medium",
    )


def memory_latency(facts: Facts) -> Draft | None:
    """Loads from global memory are waited for, with too few bytes in flight.

    The long-scoreboard time behind global loads vanishes if data is asked for early
    enough: T' = T * (1 - g), not below the fullest SM's busiest resource. low: half of it stays;
    expected: a quarter stays; high: all is hidden.
    """
    stalls = facts.stalls
    if stalls is None:
        return None
    cost = stalls.data_waits[GLOBAL]
    share = stalls.global_latency
    gains = [facts.after(share * part) for part in (0.5, 0.75, 1.0)]
    if gains[1] < 1.03:
        return None
    where = facts.places(cost)
    dram = facts.launch.number("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed")
    rows = [
        evidence(
            "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
            100 * share,
            "%",
            "of the warps' time waiting for global memory",
        )
    ]
    if dram is not None:
        rows.append(
            evidence(
                "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                dram,
                "%",
                "of DRAM's peak in use: latency, not bandwidth",
            )
        )
    return Draft(
        id="latency.memory",
        title="loads are waited for with too few bytes in flight",
        speedup=speedup(*gains),
        evidence=tuple(rows),
        where=where,
        actions=_more_in_flight(facts, cost),
        confidence="medium",
    )


def _more_in_flight(facts: Facts, cost: Mapping[int, float]) -> tuple[str, ...]:
    """What to change, in a loop or without one, with how much is in flight now."""
    where = facts.places(cost)
    at = f" ({facts.quote(where[0])} waits)" if where else ""
    warps = facts.launch.number("smsp__warps_active.avg.per_cycle_active")
    now = f" (now {warps:.1f} warps a scheduler wait, each for its own)" if warps else ""
    machine = facts.code.machine
    inside = machine is None or not cost or machine.in_loop(max(cost, key=lambda pc: cost[pc]))
    if inside:
        return (
            f"ask for the next iteration's data before computing this one{at}{now}: prefetch into "
            "registers, or cp.async into a second shared-memory buffer",
            "unroll by 4 and load all four values before the first is used; stage several steps "
            "per barrier, so that one wait serves them all",
        )
    return (
        f"let each thread load 4 elements before it uses the first{at}{now}: 16-byte loads, or "
        "as many independent ones a block apart",
        "start loads of what does not depend on others at the top, in particular the second level "
        "of an indirection",
    )
