"""How numbers are written in every text."""

from __future__ import annotations

import math

_SCALES = ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns"))


def time_text(ns: float | None, digits: int = 3) -> str:
    """A time with so many digits and its unit; `-`: not measured."""
    if ns is None:
        return "-"
    nearly = 1.0 - 0.5 * 10.0**-digits  # what rounds to 1000 us is a millisecond
    scale, unit = next((s for s in _SCALES if ns >= s[0] * nearly), _SCALES[-1])
    value = ns / scale
    exponent = int(f"{value:.{digits - 1}e}".partition("e")[2])
    return f"{value:.{max(digits - 1 - max(exponent, 0), 0)}f} {unit}"


def value_text(value: float | int | str | None, unit: str | None = None) -> str:
    """A metric's value with its unit; `-`: not measured; `nan`: the counter could not be read."""
    if value is None:
        return "-"
    return f"{_plain(value)} {unit}" if unit else _plain(value)


def short_count(value: float) -> str:
    """A number in at most 8 characters: 12,345 or 1.23e+09."""
    return value_text(value) if abs(value) < 1e6 else f"{value:.4g}"


def _plain(value: float | int | str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"
