"""memory.uncoalesced: global accesses that use few bytes of each 32-byte sector."""

from __future__ import annotations

from dataclasses import dataclass

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import ATTAINABLE, Facts
from warpwright.advice.pipes import LOCAL_WAVEFRONTS, SHARED_WAVEFRONTS, data_pipe_part
from warpwright.model.digest import Evidence

_SECTORS = "memory_l2_theoretical_sectors_global"
_SECTOR = 32  # bytes
_BEHIND = ("mio_throttle", "short_scoreboard", "drain", "barrier")  # wait in the same queues
_VISIBLE = 1.03


def uncoalesced(facts: Facts) -> Draft | None:
    """Sectors asked for beyond the ideal.

    Waste w = 1 - ideal / theoretical sectors. Where an address is itself loaded (a gather or
    scatter by the machine code), its ideal is out of reach without sorting the data: w counts the
    other accesses only. Accesses that one wide one could do are `memory.narrow`, and not here.
    Without the waste the L1 data pipe is left with (1 - w) of its global wavefronts, and L2 and
    DRAM with ideal / actual of their sectors, never less than 1 - w (what caches caught already
    costs them nothing). The waiting for global data and its queue (long scoreboard behind global
    loads, lg throttle; all time where stalls were not sampled) shrinks by w, and so does what else
    waits for memory, as far as the waste keeps one of these busy. low: half of that (in factors);
    high: w counts every access.
    """
    waste = _waste(facts)
    if waste is None:
        return None
    expected, high = (_gain(facts, waste, part) for part in (waste.avoidable, waste.share))
    if high < _VISIBLE:
        return None
    where = facts.places(waste.excess)
    at = facts.quote(where[0]) if where else "the accesses with most excess sectors"
    waits = None if facts.stalls is None else 100 * facts.stalls.global_waits
    gather = waste.avoidable < 0.5 * waste.share
    return Draft(
        id="memory.uncoalesced",
        title=f"{waste.share:.0%} of the global sectors carry bytes nobody asked for"
        + (": a gather" if gather else ""),
        speedup=speedup(expected**0.5, expected, high),
        evidence=(
            evidence(_SECTORS, waste.total, "sector", "asked for by global accesses"),
            evidence(
                _SECTORS + "_ideal",
                waste.total * (1 - waste.share),
                "sector",
                "would do if coalesced",
            ),
            evidence(
                "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
                waits,
                "%",
                "of the warps' time waiting for global data or its queue",
            ),
            *_gathered(waste),
        ),
        where=where,
        actions=_actions(facts, at, waste, gather),
        confidence="low" if facts.stalls is None or gather else "medium",
    )


@dataclass(frozen=True)
class _Waste:
    """Sectors in all, the share (0..1) beyond the ideal, and how much of it is no gather's."""

    total: float
    excess: dict[int, float]
    share: float
    avoidable: float


def _waste(facts: Facts) -> _Waste | None:
    moved, ideal = facts.launch.per_pc(_SECTORS), facts.launch.per_pc(_SECTORS + "_ideal")
    total = sum(moved.values())
    excess = {
        pc: max(0.0, count - ideal.get(pc, count))
        for pc, count in moved.items()
        if pc not in facts.code.mergeable
    }
    wasted = sum(excess.values())
    if not total or wasted / total < 0.05:
        return None
    machine = facts.code.machine
    gathered = 0.0
    if machine is not None:
        gathered = sum(n for pc, n in excess.items() if n and machine.loaded_address(pc))
    return _Waste(total, excess, min(wasted / total, 0.99), (wasted - gathered) / total)


def _gain(facts: Facts, waste: _Waste, part: float) -> float:
    """T / T' with a part (0..1) of the theoretical sectors gone."""
    needed = waste.total * (1 - waste.share) * _SECTOR
    launch = facts.launch
    tex = launch.number("lts__t_sectors_srcunit_tex.sum")
    dram = [launch.number(f"dram__bytes_{op}.sum") for op in ("read", "write")]
    stored = sum(one for one in dram if one is not None)
    left = {
        "L1 data pipe": 1 - part * _global_share(facts),
        "L2": max(1 - part, _over(needed, tex * _SECTOR if tex else None)),
        "DRAM": max(1 - part, _over(needed, stored or None)),
    }
    waits = 1.0
    if facts.stalls is not None:
        filled = max((one.fullest * (1 - left.get(one.name, 1.0)) for one in facts.busy), default=0)
        behind = sum(map(facts.stalls.share, _BEHIND)) * min(1.0, filled / ATTAINABLE)
        waits = min(1.0, facts.stalls.global_waits + behind)
    return facts.after(part * waits, left=left)


def _over(needed: float, actual: float | None) -> float:
    return min(1.0, needed / actual) if actual else 0.0


def _global_share(facts: Facts) -> float:
    """The share of the L1 data pipe's wavefronts that are not of shared or local memory, 0..1."""
    others = data_pipe_part(facts, SHARED_WAVEFRONTS, *LOCAL_WAVEFRONTS)
    return 1.0 if others is None else 1 - others


def _gathered(waste: _Waste) -> tuple[Evidence, ...]:
    share = 100 * (1 - waste.avoidable / waste.share)
    if share < 1:
        return ()
    text = "of the excess at addresses that were loaded: a gather or scatter, by the machine code"
    return (evidence(_SECTORS, share, "%", text),)


def _actions(facts: Facts, at: str, waste: _Waste, gather: bool) -> tuple[str, ...]:
    if gather:
        return (
            f"{at}: addresses come from data, so only its order can help: sort or bin the indices "
            "first, store what is fetched together side by side, or move more bytes at each",
        )
    per_request = _per_request(facts, waste.excess)
    return (
        f"{at}: let consecutive lanes touch consecutive addresses{per_request}; swap the "
        "loop or index order, or load tiles coalesced and transpose them in shared memory",
    )


def _per_request(facts: Facts, excess: dict[int, float]) -> str:
    worst = max(excess, key=lambda pc: excess[pc])
    requests = facts.launch.per_pc("memory_l1_tag_requests_global").get(worst)
    moved = facts.launch.per_pc(_SECTORS)[worst]
    return f" (now {moved / requests:.0f} sectors a request)" if requests else ""
