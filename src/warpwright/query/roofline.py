"""Where a launch stands under its roofs: pure arithmetic on what was counted and on ceilings.

Of F operations a second and B bytes a second, with ceilings C and M: the intensity is F / B, the
ridge C / M, the roof at that intensity min(C, M * F / B), and the headroom roof / F, which is
min(C / F, M / B). A launch of several kinds of operations stands nearest to the ceiling of which it
reaches the largest share; that kind decides.
"""

from __future__ import annotations

from collections.abc import Mapping

from warpwright.model.calibration import Rate
from warpwright.model.roofline import Ceiling, Memory, Side, Traffic, Work
from warpwright.query.achieved import Achieved, Counted

Ceilings = Mapping[Rate, tuple[Ceiling | None, Ceiling | None]]
"""By rate: the ceiling that counts, and the report's own beside it (None: the same, or none)."""

_ROOFS: dict[Memory, Rate] = {"dram": "dram", "l2": "l2"}


def traffic_rows(found: Achieved, ceilings: Ceilings, seconds: float) -> tuple[Traffic, ...]:
    """The bytes of each level that was counted."""
    return tuple(_traffic(level, count, ceilings, seconds) for level, count in found.moved.items())


def work_rows(found: Achieved, ceilings: Ceilings, seconds: float) -> tuple[Work, ...]:
    """The operations of each kind, the one nearest to its ceiling first."""
    rows = [_work(rate, count, found, ceilings, seconds) for rate, count in found.work.items()]
    return tuple(sorted(rows, key=_share, reverse=True))


def nearest_roof(
    found: Achieved, traffic: tuple[Traffic, ...], work: tuple[Work, ...]
) -> tuple[Side | None, float | None]:
    """The side of the nearest roof and the factor up to it.

    Only the DRAM's roof and the kinds of operations count. None where that cannot be told: bytes or
    operations not counted, or a ceiling not known. Memory is the side of a launch that is known
    to have no such operations.
    """
    if work:
        known = all(row.ceiling is not None for row in work)
        return (work[0].side, work[0].headroom) if known else (None, None)
    dram = next((row.headroom for row in traffic if row.level == "dram"), None)
    if dram is None or not (found.scalars_known and found.tensors_known):
        return None, None
    return "memory", dram


def _traffic(level: Memory, count: Counted, ceilings: Ceilings, seconds: float) -> Traffic:
    rate = _ROOFS.get(level)
    ceiling, at_clock = ceilings.get(rate, (None, None)) if rate else (None, None)
    achieved = count.amount / seconds
    return Traffic(
        level=level,
        bytes=count.amount,
        bytes_per_s=achieved,
        metric=count.metric,
        ceiling=ceiling,
        at_clock=at_clock,
        headroom=ceiling.value / achieved if ceiling and achieved else None,
    )


def _work(rate: Rate, count: Counted, found: Achieved, ceilings: Ceilings, seconds: float) -> Work:
    ceiling, at_clock = ceilings.get(rate, (None, None))
    memory, _ = ceilings.get("dram", (None, None))
    achieved = count.amount / seconds
    intensity = {
        level: count.amount / moved.amount for level, moved in found.moved.items() if moved.amount
    }
    ridge = ceiling.value / memory.value if ceiling and memory else None
    roof = side = None
    if ceiling and memory and ridge is not None and "dram" in found.moved:
        here = intensity.get("dram")  # without a byte, no memory roof is near
        side = _side(here, ridge)
        roof = ceiling.value if here is None else min(ceiling.value, memory.value * here)
    return Work(
        rate=rate,
        flop=count.amount,
        flop_per_s=achieved,
        metric=count.metric,
        intensity=intensity,
        ceiling=ceiling,
        at_clock=at_clock,
        ridge=ridge,
        side=side,
        roof_flop_per_s=roof,
        headroom=roof / achieved if roof is not None else None,
    )


def _side(intensity: float | None, ridge: float) -> Side:
    return "memory" if intensity is not None and intensity < ridge else "compute"


def _share(row: Work) -> float:
    return row.flop_per_s / row.ceiling.value if row.ceiling else 0.0
