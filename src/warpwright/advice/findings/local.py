"""memory.local: arrays or spills that live in local memory."""

from __future__ import annotations

from collections.abc import Iterable

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import Facts
from warpwright.advice.pipes import LOCAL_WAVEFRONTS, data_pipe_part
from warpwright.advice.stalls import GLOBAL, LOCAL, SHARED
from warpwright.model.digest import Evidence, Place

_ADDRESSING = ("IADD3", "LEA", "ISETP", "BRA", "IMAD", "UIADD3", "UISETP", "VIADD")


def local_memory(facts: Facts) -> Draft | None:
    """Local loads and stores, and what vanishes with them.

    The warps' time spent (by samples) at local accesses and waiting for local data is `direct`.
    A run-time index keeps its loop rolled. Unrolling also removes addressing and loop control
    (`control`: their share of executed instructions, in issue and fixed-latency time, and the
    branch-resolving time), and lets the shared loads of all iterations be asked for ahead, where
    a rolled loop waits at each turn and its loads queue behind local wavefronts in the same data
    pipe (`shared`: the short-scoreboard time). Global accesses queue behind local sectors and
    wavefronts (`queue`: the waiting for global data, times the local part of the L2 sectors, times
    the busy share of L2 or of the data pipe). What is removed of the warps' time is
    low: direct; expected: direct + control + queue + 3/4 shared; high: all four; and T' is not
    below the busiest resource once local wavefronts, sectors and instructions are gone.
    Spills have no loop to unroll: no `control`, and the local share of the pipe of `shared`.
    """
    launch = facts.launch
    loads = _count(facts, "loads")
    stores = _count(facts, "stores")
    stalls = facts.stalls
    if not loads + stores:
        return None
    spilled = launch.number("sass__inst_executed_register_spilling") or 0.0
    spills = spilled >= 0.5 * (loads + stores)
    pipe = data_pipe_part(facts, *LOCAL_WAVEFRONTS) or 0.0
    left = _left(facts, pipe, loads + stores)
    if stalls is None:
        executed = launch.number("smsp__inst_executed.sum") or 0.0
        share = (loads + stores) / executed if executed else 0.0
        gains = [facts.after(part, left=left) for part in (0.0, share, 2 * share)]
        cost: dict[int, float] = {}
    else:
        at_local = {
            pc: stalls.samples.get(pc, 0.0) - stalls.by_pc("long_scoreboard").get(pc, 0.0)
            for pc, kind in stalls.memory_type.items()
            if kind == LOCAL
        }
        cost = _added(at_local, stalls.data_waits[LOCAL])
        direct = sum(cost.values()) / stalls.total
        issue = stalls.share("selected") + stalls.share("wait")
        control = issue * _addressing_share(facts) + stalls.share("branch_resolving")
        control = 0.0 if spills else control
        shared = stalls.share("short_scoreboard") * (pipe if spills else 1.0)
        most = direct + control + _queue(facts) + shared
        gains = [facts.after(part, left=left) for part in (direct, most - 0.25 * shared, most)]
    if gains[1] < 1.02:
        return None
    where = facts.places(cost)
    return Draft(
        id="memory.local",
        title=("registers spill to local memory" if spills else "an array lives in local memory"),
        speedup=speedup(gains[0], gains[1], gains[2]),
        evidence=_evidence(facts, loads, stores, spilled, sum(cost.values())),
        where=where,
        actions=_spill_actions(facts) if spills else _array_actions(facts, where),
        confidence="high" if stalls is not None else "low",
    )


def _queue(facts: Facts) -> float:
    """The part (0..1) of the warps' time that global accesses wait behind local ones."""
    stalls = facts.stalls
    local, others = _sectors(facts)
    if stalls is None or not local:
        return 0.0
    at_global = {pc for pc, kind in stalls.memory_type.items() if kind == GLOBAL}
    queued = sum(n for pc, n in stalls.by_pc("lg_throttle").items() if pc in at_global)
    waits = (queued + sum(stalls.data_waits[GLOBAL].values())) / stalls.total
    busy = max((one.mean for one in facts.busy if one.name in ("L2", "L1 data pipe")), default=0.0)
    return waits * local / (local + others) * busy


def _sectors(facts: Facts) -> tuple[float, float]:
    """L2 sectors of local and of global accesses."""
    local, others = (
        facts.launch.number(f"memory_l2_theoretical_sectors_{kind}") or 0.0
        for kind in ("local", "global")
    )
    return local, others


def _count(facts: Facts, what: str) -> float:
    return facts.launch.number(f"sass__inst_executed_local_{what}") or 0.0


def _added(first: dict[int, float], second: dict[int, float]) -> dict[int, float]:
    return {pc: first.get(pc, 0.0) + second.get(pc, 0.0) for pc in first.keys() | second.keys()}


def _left(facts: Facts, pipe: float, accesses: float) -> dict[str, float]:
    """What remains of each resource's work without local accesses."""
    executed = facts.launch.number("smsp__inst_executed.sum")
    sectors, others = _sectors(facts)
    return {
        "L1 data pipe": 1 - pipe,
        "SM pipes": 1 - min(0.9, accesses / executed + _addressing_share(facts))
        if executed
        else 1.0,
        "L2": others / (others + sectors) if sectors else 1.0,
        "DRAM": others / (others + sectors) if sectors else 1.0,
    }


def _addressing_share(facts: Facts) -> float:
    """Addressing and loop control in all executed instructions, 0..1."""
    opcodes = facts.launch.metrics.get("sass__inst_executed_per_opcode")
    if opcodes is None:
        return 0.0
    counts = {str(k): float(v) for k, v in opcodes.instances.items() if not isinstance(v, str)}
    total = sum(counts.values())
    return sum(_of(counts, _ADDRESSING)) / total if total else 0.0


def _of(counts: dict[str, float], names: Iterable[str]) -> list[float]:
    return [counts.get(name, 0.0) for name in names]


def _evidence(
    facts: Facts, loads: float, stores: float, spilled: float, cost: float
) -> tuple[Evidence, ...]:
    stalls = facts.stalls
    rows = [
        evidence("sass__inst_executed_local_loads", loads, "inst", "local loads (warp level)"),
        evidence("sass__inst_executed_local_stores", stores, "inst", "local stores"),
    ]
    if facts.launch.code.frame_bytes:
        rows.append(
            evidence(
                "stack frame", facts.launch.code.frame_bytes, "byte", "of each thread, in the cubin"
            )
        )
    if facts.launch.metrics.get("sass__inst_executed_register_spilling") is not None:
        rows.append(
            evidence(
                "sass__inst_executed_register_spilling",
                spilled,
                "inst",
                "of these are spills" if spilled else "none of them is a spill: it is an array",
            )
        )
    if stalls is not None:
        share = 100 * cost / stalls.total
        rows.append(
            evidence(
                "smsp__pcsamp_sample_count",
                share,
                "%",
                "of the warps' time at local accesses or waiting for local data",
            )
        )
        shared = sum(1 for kind in stalls.memory_type.values() if kind == SHARED)
        if shared and stalls.share("short_scoreboard") > 0.05:
            rows.append(
                evidence(
                    "smsp__pcsamp_warps_issue_stalled_short_scoreboard",
                    100 * stalls.share("short_scoreboard"),
                    "%",
                    "waiting for shared memory, which shares its data pipe with local memory",
                )
            )
    return tuple(rows)


def _array_actions(facts: Facts, where: tuple[Place, ...]) -> tuple[str, ...]:
    place = f"{facts.quote(where[0])}: " if where else ""
    registers = int(facts.launch.number("launch__registers_per_thread") or 0)
    frame = facts.launch.code.frame_bytes
    size = f"{frame} B a thread = {frame // 4} registers" if frame else "the array's size"
    actions = [
        f"{place}index the array with compile-time constants only: unroll its loops fully "
        f"(`#pragma unroll`, no number), or hold it as separate float4 values",
    ]
    if registers and frame:
        need = registers + frame // 4
        fits = "fits" if need <= 255 else "does not fit 255: split the array over threads too"
        actions.append(
            f"the state ({size}) then lives in registers: {registers} -> ~{need}; {fits}"
        )
    return tuple(actions)


def _spill_actions(facts: Facts) -> tuple[str, ...]:
    registers = int(facts.launch.number("launch__registers_per_thread") or 0)
    return (
        f"lower what a thread holds at once ({registers} registers are all in use): spread the "
        f"values over 2 or 4 threads, or shorten live ranges (load later, unroll less)",
        "if __launch_bounds__ or -maxrregcount caps the registers, raise the cap",
    )
