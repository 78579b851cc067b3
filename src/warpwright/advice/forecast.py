"""How long a changed launch would take. Pure functions of facts and plans.

The model is that of the findings about the launch. Work is conserved: the grid's blocks share it
evenly. Blocks run in waves of as many as the device holds at once. A wave's rate is that of the
SMs that have blocks, times what one of them gets done with the threads it then holds, relative to
today's (`_laws`): the last, partial wave has fewer of both. Splitting a block's work repeats a part
of it (`repeated_part`), once for all pieces that run side by side. Nothing takes less time than the
busiest resource needs (`headroom`).

For a grid below the device's capacity that is split k ways this gives what `SplitModel.gains(k)`
does; for a change of resident warps alone, `residency_gain`.
"""

from __future__ import annotations

from collections.abc import Callable

from warpwright.advice.facts import Facts, headroom
from warpwright.advice.findings.launch import most_repeated_part, repeated_part
from warpwright.advice.residency import residency_gain
from warpwright.hardware import SCHEDULERS_PER_SM
from warpwright.model.digest import Speedup
from warpwright.model.what_if import DurationRange, Forecast, Plan

Law = Callable[[float], float]


def forecast(facts: Facts, today: Plan, kept: Plan, changed: Plan) -> Forecast | None:
    """The change's speedup and duration; None where the report has no utilization of any resource.

    expected: warps share an SM as `residency_gain` says, and the repeated part is paid once.
    low and high: the least and the most of all that a report leaves open: more warps help not at
    all or in full proportion (fewer: cost in proportion or nothing), and the repeated part is
    nothing, is paid once, or is paid in every wave.

    Args:
        facts: of the launch that was measured.
        today: how it ran.
        kept: the changed launch with as many threads in all as today's.
        changed: the changed launch.
    """
    if not facts.busy:
        return None
    floor = headroom(facts, spread=changed.grid_blocks != today.grid_blocks)
    part, most = repeated_part(facts), most_repeated_part(facts)
    waves = max(1.0, changed.waves) / max(1.0, kept.waves)
    found = []
    for law in _laws(facts, today):
        before, between, after = (
            _time(plan, facts.sm_count, today, law) for plan in (today, kept, changed)
        )
        for repeated, times in ((part, 1.0), (0.0, 1.0), (most, 1.0), (most, waves)):
            time = (repeated * times * between + (1 - repeated) * after) / before
            found.append(1 / (facts.fixed + max((1 - facts.fixed) * time, floor)))
    speedup = Speedup(
        low=round(min(found), 3), expected=round(found[0], 3), high=round(max(found), 3)
    )
    return Forecast(speedup=speedup, duration=_duration(facts.duration_ns, speedup))


def last_wave_time_share(facts: Facts, today: Plan, plan: Plan) -> float | None:
    """The last wave's part (0..1) of a plan's expected time; None where `forecast` is None."""
    if not facts.busy:
        return None
    law = _laws(facts, today)[0]
    return _wave_time(plan, plan.last_wave_blocks, facts.sm_count, today, law) / _time(
        plan, facts.sm_count, today, law
    )


def _laws(facts: Facts, today: Plan) -> tuple[Law, Law, Law]:
    """Throughput of an SM over its threads, relative to today's: expected, flat, in proportion."""
    busy = headroom(facts)
    blocks = _first_wave(today)
    warps = blocks / min(blocks, facts.sm_count) * facts.warps_per_block / SCHEDULERS_PER_SM
    return (
        (lambda ratio: residency_gain(busy, warps, ratio)),
        (lambda _: 1.0),
        (lambda ratio: ratio),
    )


def _time(plan: Plan, sm_count: int, today: Plan, law: Law) -> float:
    """Of the whole launch, in units of its work over what one SM gets done today."""
    full = -(-plan.grid_blocks // plan.capacity_blocks) - 1
    whole = _wave_time(plan, plan.capacity_blocks, sm_count, today, law) if full else 0.0
    return full * whole + _wave_time(plan, plan.last_wave_blocks, sm_count, today, law)


def _wave_time(plan: Plan, blocks: int, sm_count: int, today: Plan, law: Law) -> float:
    now = _threads_of_sm(today, _first_wave(today), sm_count)
    rate = min(blocks, sm_count) * law(_threads_of_sm(plan, blocks, sm_count) / now)
    return blocks / plan.grid_blocks / rate


def _first_wave(plan: Plan) -> int:
    return min(plan.grid_blocks, plan.capacity_blocks)


def _threads_of_sm(plan: Plan, blocks: int, sm_count: int) -> float:
    """Threads of an SM that has any, when so many blocks are on the device."""
    return blocks / min(blocks, sm_count) * plan.block_threads


def _duration(now_ns: float | None, speedup: Speedup) -> DurationRange | None:
    if now_ns is None:
        return None
    return DurationRange(
        low_ns=now_ns / speedup.high,
        expected_ns=now_ns / speedup.expected,
        high_ns=now_ns / speedup.low,
    )
