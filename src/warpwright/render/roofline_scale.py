"""What both plots of a roofline share: which roofs and points, on which logarithmic axes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from warpwright.model.roofline import Roofline, Work
from warpwright.operations.roofline_words import rate_name

_MOST = 3
_LEAST_SHARE = 0.001
_PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


@dataclass(frozen=True, slots=True)
class Mark:
    """One kind of operations that can be drawn: its point, and its ceiling."""

    letter: str
    name: str
    intensity: float
    flop_per_s: float
    ceiling: float
    ridge: float


@dataclass(frozen=True, slots=True)
class Picture:
    """Marks under the slope of `bytes_per_s`; the axes' ends are powers of ten, as exponents."""

    bytes_per_s: float
    marks: tuple[Mark, ...]
    x: tuple[int, int]
    y: tuple[int, int]

    def along(self, intensity: float) -> float:
        """0 (left) .. 1 (right)."""
        return (math.log10(intensity) - self.x[0]) / (self.x[1] - self.x[0])

    def up(self, flop_per_s: float) -> float:
        """0 (bottom) .. 1 (top)."""
        return (math.log10(flop_per_s) - self.y[0]) / (self.y[1] - self.y[0])


def picture_of(found: Roofline) -> Picture | None:
    """What to draw; None where no kind of operations has a point and a roof."""
    dram = next((row.ceiling for row in found.traffic if row.level == "dram"), None)
    marks: list[Mark] = []
    for row in shown_work(found)[:_MOST]:
        intensity = row.intensity.get("dram")
        if intensity and row.ceiling and row.ridge:
            marks.append(
                Mark(
                    letter="ABC"[len(marks)],
                    name=rate_name(row),
                    intensity=intensity,
                    flop_per_s=row.flop_per_s,
                    ceiling=row.ceiling.value,
                    ridge=row.ridge,
                )
            )
    if dram is None or not marks:
        return None
    xs = [value for mark in marks for value in (mark.intensity, mark.ridge)]
    top = max(mark.ceiling for mark in marks)
    x = (math.floor(math.log10(min(xs) / 2)), math.ceil(math.log10(max(xs) * 3)))
    low = min(min(mark.flop_per_s for mark in marks) / 2, top / 1e3)
    return Picture(
        bytes_per_s=dram.value,
        marks=tuple(marks),
        x=x,
        y=(math.floor(math.log10(low)), math.ceil(math.log10(top * 1.2))),
    )


def shown_work(found: Roofline) -> tuple[Work, ...]:
    """The kinds that reach a thousandth of their ceiling, or the first if none does."""
    near = tuple(
        row
        for row in found.work
        if row.ceiling is None or row.flop_per_s >= _LEAST_SHARE * row.ceiling.value
    )
    return near or found.work[:1]


def rate_text(value: float, unit: str, digits: int = 3) -> str:
    """4.26 TB/s; 989 TFLOP/s."""
    scale, prefix = next((s for s in _PREFIXES if value >= s[0]), (1.0, ""))
    text = f"{value / scale:.{digits}g}"
    return f"{float(text):g} {prefix}{unit}"


def plain_text(value: float) -> str:
    """An intensity: 0.174, 14, 1,649."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def power_text(exponent: int) -> str:
    """A power of ten as an axis names it: 100G, 1T, 0.1."""
    if exponent < 3:
        return f"{10.0**exponent:g}"
    return rate_text(10.0**exponent, "").replace(" ", "")
