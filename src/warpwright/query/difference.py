"""Metrics of two launches, compared. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping

from warpwright.glossary import describe
from warpwright.model.difference import MetricChange
from warpwright.model.report import Launch, Value
from warpwright.query.hotspots import launch_cost
from warpwright.query.kinds import kind_of, kind_rank, size_of
from warpwright.query.noise import Noise

_STALLS = ("smsp__pcsamp_warps_issue_stalled_", "smsp__pcsamp_warp_stall_")
_SAME = 1e-9  # relative: two sums of the same floats may differ by their order


def explaining_changes(before: Launch, after: Launch, noise: Noise) -> list[MetricChange]:
    """The metrics that explain time and moved: by kind, the largest change first.

    Stall reasons are compared as shares of all samples where both launches were sampled, else by
    how many warps wait for each issued instruction.
    """
    stalls = list(_stall_shares(before, after, noise))
    left_out = ("stall", None) if stalls else (None,)
    found = [
        _change(name, one, other, noise)
        for name, one, other in _common(before, after)
        if kind_of(name) not in left_out
    ]
    return _told_once(ranked(change for change in (*stalls, *found) if change.moved))


def all_changes(
    before: Launch, after: Launch, noise: Noise, wanted: Callable[[str], bool]
) -> list[MetricChange]:
    """Every metric of a wanted name that has a value in both launches, whether it moved or not."""
    both = _common(before, after)
    return ranked(_change(*found, noise) for found in both if wanted(found[0]))


def moved_names(before: Launch, after: Launch, noise: Noise) -> set[str]:
    """The metrics that moved, of any kind."""
    return {
        name
        for name, one, other in _common(before, after)
        if _differs(one, other, _floor(name, one, other, noise))
    }


def _told_once(changes: Iterable[MetricChange]) -> list[MetricChange]:
    """Without metrics that say what another of their kind says; one with a label is kept."""
    told: dict[object, MetricChange] = {}
    for change in changes:
        says = change.kind, f"{change.before:.6g} {change.after:.6g}"
        if says not in told or (change.label and not told[says].label):
            told[says] = change
    return list(told.values())


def ranked(changes: Iterable[MetricChange]) -> list[MetricChange]:
    """What explains time first; of a kind, the largest change first."""
    return sorted(changes, key=lambda c: (kind_rank(c.kind), -_size(c), c.metric))


def unreadable_names(launch: Launch) -> list[str]:
    """Metrics whose counters could not be read (NaN), without ratios of them that are 0 / 0."""
    return [
        name
        for name, metric in launch.metrics.items()
        if metric.value != metric.value and not name.startswith("derived_")
    ]


def only_in(launch: Launch, other: Launch) -> list[str]:
    """Metrics with a value in this launch that the other does not have."""
    return sorted(name for name in launch.metrics if _has(launch, name) and not _has(other, name))


def _has(launch: Launch, name: str) -> bool:
    metric = launch.metrics.get(name)
    return metric is not None and (metric.value is not None or bool(metric.instances))


def _common(before: Launch, after: Launch) -> Iterator[tuple[str, Value, Value]]:
    """Metrics that have a readable value in both launches: name, value before, value after."""
    for name, metric in before.metrics.items():
        one = metric.value
        other = after.metrics[name].value if name in after.metrics else None
        if one is not None and other is not None and _readable(one) and _readable(other):
            yield name, one, other


def _readable(value: Value) -> bool:
    return isinstance(value, str) or math.isfinite(value)


def _change(name: str, one: Value, other: Value, noise: Noise) -> MetricChange:
    said = describe(name)
    floor = _floor(name, one, other, noise)
    return MetricChange(
        metric=name,
        kind=kind_of(name),
        label=said.label,
        unit=said.unit,
        before=one,
        after=other,
        factor=_factor(one, other),
        noise=floor,
        moved=_differs(one, other, floor),
    )


def _floor(name: str, one: Value, other: Value, noise: Noise) -> float | None:
    return None if isinstance(one, str) or isinstance(other, str) else noise.of(name, one, other)


def _stall_shares(before: Launch, after: Launch, noise: Noise) -> Iterator[MetricChange]:
    costs = launch_cost(before), launch_cost(after)
    samples = costs[0].samples or 0, costs[1].samples or 0
    if not all(samples) or costs[0].stalls is None or costs[1].stalls is None:
        return
    for reason in dict.fromkeys((*costs[0].stalls, *costs[1].stalls)):
        one, other = (
            100 * (cost.stalls or {}).get(reason, 0) / count
            for cost, count in zip(costs, samples, strict=True)
        )
        floor = noise.of_share(one, other, samples)
        yield MetricChange(
            metric=_stall_name(before.metrics, after.metrics, reason),
            kind="stall",
            label=f"stall: {reason}",
            unit="% of samples",
            before=one,
            after=other,
            factor=_factor(one, other),
            noise=floor,
            moved=_differs(one, other, floor),
        )


def _stall_name(before: Mapping[str, object], after: Mapping[str, object], reason: str) -> str:
    names = (prefix + reason for prefix in _STALLS)
    return next(name for name in names if name in before or name in after)


def _differs(one: Value, other: Value, floor: float | None) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one != other
    same = _SAME * max(abs(one), abs(other))
    return abs(other - one) > max(floor or 0.0, same)


def _factor(one: Value, other: Value) -> float | None:
    if isinstance(one, str) or isinstance(other, str) or not one or not math.isfinite(other / one):
        return None
    return other / one


def _size(change: MetricChange) -> float:
    if isinstance(change.before, str) or isinstance(change.after, str):
        return 0.0
    return size_of(change.metric, change.kind, change.before, change.after)
