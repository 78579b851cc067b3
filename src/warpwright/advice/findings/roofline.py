"""roofline.memory and roofline.compute: already at the device's limit."""

from __future__ import annotations

from warpwright.advice.draft import Draft, evidence, speedup
from warpwright.advice.facts import ATTAINABLE, Facts
from warpwright.advice.pipes import issue_metric, issue_share, pipe_metric, pipe_shares

_DRAM = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
_SLOTS = "issue slots"
_HALF = 0.5  # a unit that is less busy is no roof, however short the launch
_NEAR = 1.12  # at most this much faster, and a launch is at its roof
_TURNS = 0.9  # of the warps' time is issuing or queueing for it: nothing is waited for


def memory_roof(facts: Facts) -> Draft | None:
    """DRAM's busy share, over what the best kernels reach, leaves less than 12 %.

    The launch itself (`Facts.fixed`) does not count. T' = T * (fixed + busy / attainable).
    """
    busy = facts.launch.number(_DRAM)
    if busy is None:
        return None
    gain = 1 / min(1.0, facts.fixed + busy / 100 / ATTAINABLE)
    if gain > _NEAR or busy / 100 < _HALF:
        return None
    rows = [evidence(_DRAM, busy, "%", f"of DRAM's peak; the best kernels reach {ATTAINABLE:.0%}")]
    for op in ("read", "write"):
        moved = facts.launch.number(f"dram__bytes_{op}.sum")
        if moved is not None:
            rows.append(evidence(f"dram__bytes_{op}.sum", moved, "byte", f"{op} in all"))
    return Draft(
        id="roofline.memory",
        title="this launch runs at the speed of device memory",
        speedup=speedup(1.0, 1.0, gain),
        evidence=tuple(rows),
        actions=(
            "only fewer bytes help: fuse it with the kernels before and after, keep data in a "
            "narrower type, or reuse what is loaded; no launch or instruction change will",
        ),
        confidence="high",
    )


def compute_roof(facts: Facts) -> Draft | None:
    """A pipe, or the issue slots, are as busy as the best kernels keep them.

    Either the busiest pipe of an SM leaves less than 12 % (as `memory_roof`), or its warps spend
    nine tenths of their time issuing and queueing for a slot or a pipe: nothing else is waited for,
    and what keeps the pipe below its peak are conflicts in dispatch. All SMs must have work.
    """
    shares = pipe_shares(facts)
    stalls, issue = facts.stalls, issue_share(facts)
    mean = next((one.mean for one in facts.busy if one.name == "SM pipes"), None)
    fullest = next((one.fullest for one in facts.busy if one.name == "SM pipes"), None)
    if not shares or mean is None or fullest is None or mean < 0.9 * fullest:
        return None
    name, busy = max(shares.items(), key=lambda item: item[1])
    if issue is not None and issue > busy:
        name, busy = _SLOTS, issue
    gain = 1 / min(1.0, facts.fixed + busy / ATTAINABLE)
    full = stalls is not None and 1 - stalls.latency >= _TURNS and (issue or 0.0) > 0.5
    if (gain > _NEAR and not full) or busy < _HALF:
        return None
    rows = []
    if name != _SLOTS:
        text = f"of the {name} pipe's peak in use"
        rows.append(evidence(pipe_metric(facts, name), 100 * busy, "%", text))
    if issue is not None:
        rows.append(evidence(issue_metric(facts), 100 * issue, "%", "of the issue slots used"))
    if stalls is not None:
        share = 100 * (1 - stalls.latency)
        text = "of the warps' time they issue or queue for a slot or a pipe"
        rows.append(evidence("smsp__pcsamp_sample_count", share, "%", text))
    return Draft(
        id="roofline.compute",
        title=f"this launch runs at the speed of its {name if name == _SLOTS else name + ' pipe'}",
        speedup=speedup(1.0, 1.0, max(1.0, min(gain, 1 / (1 - (stalls.latency if stalls else 0))))),
        evidence=tuple(rows),
        actions=(
            "only fewer operations help: another algorithm, a cheaper approximation, values that "
            "are computed once and kept, or a narrower type with twice the rate; more warps, "
            "wider loads or another launch will not",
        ),
        confidence="high",
    )
