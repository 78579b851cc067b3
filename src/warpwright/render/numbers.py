"""How numbers are written in every text."""

from __future__ import annotations

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
