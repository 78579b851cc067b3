"""Where the time of launches went: what warps did, by samples, and how busy resources were."""

from __future__ import annotations

from warpwright.advice.stalls import GLOBAL, LOCAL, read_stalls
from warpwright.model.difference import TimeMove
from warpwright.model.report import Launch
from warpwright.query.hotspots import launch_cost

_DURATION = "gpu__time_duration.sum"
_STALLED = "smsp__pcsamp_warps_issue_stalled_"
_ELAPSED = "avg.pct_of_peak_sustained_elapsed"
_DATA = "long_scoreboard"

# What a warp does that has this state, in few words; others go by their own name.
_WORDS = {
    "selected": "issuing instructions",
    "wait": "waiting for a fixed latency",
    f"{_DATA} global": "stalls on global loads",
    f"{_DATA} local": "stalls on local loads",
    _DATA: "stalls on data of L1 and beyond",
    "short_scoreboard": "stalls on shared memory and special functions",
    "barrier": "waiting at barriers",
    "membar": "waiting at memory fences",
    "lg_throttle": "queueing for global and local memory",
    "mio_throttle": "queueing for shared memory and special functions",
    "tex_throttle": "queueing for textures",
    "math_pipe_throttle": "queueing for a math pipe",
    "no_instructions": "waiting for instructions",
    "no_instruction": "waiting for instructions",
    "imc_miss": "waiting for constants",
    "branch_resolving": "waiting for branches",
    "drain": "waiting for last stores",
    "dispatch_stall": "held back at dispatch",
    "not_selected": "ready, another warp was issued",
    "sleeping": "asleep",
    "gmma": "waiting for wgmma",
    "misc": "other stalls",
}
_RESOURCES = {
    "SM pipes": f"sm__throughput.{_ELAPSED}",
    "L1 data pipe": f"l1tex__data_pipe_lsu_wavefronts.{_ELAPSED}",
    "L2": f"lts__throughput.{_ELAPSED}",
    "DRAM": f"gpu__dram_throughput.{_ELAPSED}",
}


def stall_words(reason: str) -> str:
    """What warps do that were sampled with this reason."""
    return _WORDS.get(reason, reason)


def time_moves(before: Launch, after: Launch) -> list[TimeMove]:
    """Stalls and resources of both launches in time, each kind by the largest change first.

    Empty where the duration of either is not known.
    """
    times = before.number(_DURATION), after.number(_DURATION)
    if times[0] is None or times[1] is None:
        return []
    pairs = stall_shares(before), stall_shares(after)
    names = {**pairs[0], **pairs[1]} if pairs[0] and pairs[1] else {}
    found = [
        TimeMove(
            kind="stall",
            name=stall_words(name),
            metric=_STALLED + name.partition(" ")[0],
            before_ns=pairs[0].get(name, 0.0) * times[0],
            after_ns=pairs[1].get(name, 0.0) * times[1],
        )
        for name in names
    ]
    busy = resource_shares(before), resource_shares(after)
    found += [
        TimeMove(
            kind="resource",
            name=name,
            metric=_RESOURCES[name],
            before_ns=busy[0][name] * times[0] if name in busy[0] else None,
            after_ns=busy[1][name] * times[1] if name in busy[1] else None,
        )
        for name in {**busy[0], **busy[1]}
    ]
    return sorted(found, key=lambda move: (move.kind != "stall", -_size(move)))


def stall_shares(launch: Launch) -> dict[str, float]:
    """Reason -> share (0..1) of all warp samples; waiting for data is told apart by its kind.

    Empty where warps were not sampled.
    """
    cost = launch_cost(launch)
    if not cost.samples or not cost.stalls:
        return {}
    counts: dict[str, float] = dict(cost.stalls)
    stalls = read_stalls(launch)
    if stalls is not None and counts.get(_DATA):
        waits = {kind: sum(stalls.data_waits[kind].values()) for kind in (GLOBAL, LOCAL)}
        if sum(waits.values()) == counts[_DATA]:
            del counts[_DATA]
            named = ((GLOBAL, f"{_DATA} global"), (LOCAL, f"{_DATA} local"))
            counts.update((name, waits[kind]) for kind, name in named if waits[kind])
    return {name: count / cost.samples for name, count in counts.items()}


def resource_shares(launch: Launch) -> dict[str, float]:
    """Resource -> busy share (0..1) of its peak over the device; only those that were measured."""
    told = {name: launch.number(metric) for name, metric in _RESOURCES.items()}
    return {name: value / 100 for name, value in told.items() if value is not None}


def _size(move: TimeMove) -> float:
    """How much it changed; what one side did not measure, not at all."""
    one, other = move.before_ns, move.after_ns
    return abs(other - one) if one is not None and other is not None else 0.0
