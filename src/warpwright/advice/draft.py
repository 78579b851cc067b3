"""A finding before it is ranked and addressed."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpwright.model.digest import Confidence, Evidence, Place, Speedup


@dataclass(frozen=True)
class Draft:
    """What a finding function returns; None instead of it: the cause does not apply."""

    id: str
    title: str
    speedup: Speedup
    evidence: tuple[Evidence, ...]
    actions: tuple[str, ...]
    confidence: Confidence
    where: tuple[Place, ...] = field(default=())


def speedup(low: float, expected: float, high: float) -> Speedup:
    """A range in order, never below 1, to three decimals."""
    high = max(high, 1.0)
    expected = min(max(expected, 1.0), high)
    low = min(max(low, 1.0), expected)
    return Speedup(low=round(low, 3), expected=round(expected, 3), high=round(high, 3))


def evidence(
    metric: str, value: float | int | str | None, unit: str | None, meaning: str
) -> Evidence:
    """One measured fact, floats to four significant digits."""
    if isinstance(value, float):
        value = float(f"{value:.4g}")
    return Evidence(metric=metric, value=value, unit=unit, meaning=meaning)
