"""How much a metric differs between two runs of one program: what is less is no change.

| kind of metric | floor |
|---|---|
| counts that the program determines (executed instructions, `launch__*`, `sass__*`) | none |
| stall shares of sampled warps | 1 percentage point, and 3 standard deviations of the samples |
| everything that is measured: times, cycles, percentages, traffic, ratios | 3 % of the larger |
| ... and at least, by unit | see `_LEAST` |

Unlocked clocks double the floors of what is measured. `--noise PCT` puts PCT in the place of these
3 (or 6) %, and scales the least ones with it. If a report has three or more launches of the same
kernel, grid and block, no change is less than the range of their values: it widens any floor.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from warpwright.glossary import describe
from warpwright.glossary.names import parts_of
from warpwright.model.report import Launch

Spread = Callable[[str], float]

DEFAULT_PCT = 3.0
_UNLOCKED = 2.0
_SIGMAS = 3.0
_LEAST_SHARE = 1.0  # percentage points
_ENOUGH = 3  # launches that tell a range
_EXACT = re.compile(
    r"launch__|sass__|(sm|smsp)__sass_|memory_|((sm|smsp)__)?(thread_)?inst_executed(_|$)"
)
# By unit: two launches of one kernel of a few us differ by so much. A timer ticks every 32 ns.
_LEAST = {"ns": 500.0, "cycle": 500.0, "%": 0.5, "byte": 32768.0, "sector": 1024.0}
_LEAST_RATIO = 0.01  # where a metric has a submetric, but none of these units


def spread_of(launches: Sequence[Launch]) -> Spread:
    """The range (largest - smallest) of a metric over launches of the same work; 0 of too few."""

    @cache
    def spread(metric: str) -> float:
        values = [value for one in launches if (value := one.number(metric)) is not None]
        return max(values) - min(values) if len(values) >= _ENOUGH else 0.0

    return spread


@dataclass(frozen=True, slots=True)
class Noise:
    """The floors of one pair of launches. `spreads` are those of either report (`spread_of`)."""

    unlocked: bool = False
    pct: float | None = None
    spreads: tuple[Spread, ...] = ()

    @property
    def relative_pct(self) -> float:
        """The floor of what is measured, in percent of the larger value."""
        return (
            self.pct
            if self.pct is not None
            else DEFAULT_PCT * (_UNLOCKED if self.unlocked else 1.0)
        )

    def of(self, metric: str, before: float, after: float) -> float:
        """What the metric may differ by, in its own unit."""
        spread = max((spread(metric) for spread in self.spreads), default=0.0)
        if is_exact(metric):
            return spread
        relative = self.relative_pct / 100 * max(abs(before), abs(after))
        least = _least(metric) * self.relative_pct / DEFAULT_PCT
        return max(relative, least, spread)

    def of_share(self, before: float, after: float, samples: tuple[int, int]) -> float:
        """What a share (in percent) of so many samples before and after may differ by."""
        variances = (
            share * (100 - share) / count
            for share, count in zip((before, after), samples, strict=True)
        )
        return max(_LEAST_SHARE * self.relative_pct / DEFAULT_PCT, counting(sum(variances)))


def counting(variance: float) -> float:
    """What a sum of counted samples with this variance may differ by."""
    return _SIGMAS * math.sqrt(variance)


@cache
def is_exact(metric: str) -> bool:
    """Whether the program alone determines the value, whatever the clocks and the caches do."""
    parts = parts_of(metric)
    per_time = parts.submetric not in ("", "ratio", "pct") or parts.rollup in ("min", "max")
    return not per_time and _EXACT.match(parts.counter) is not None


@cache
def _least(metric: str) -> float:
    unit = describe(metric).unit
    if unit in _LEAST:
        return _LEAST[unit]
    return _LEAST_RATIO if parts_of(metric).submetric == "ratio" else 0.0
