"""Metrics with their values, in a column."""

from __future__ import annotations

from collections.abc import Sequence

from warpwright.model.value_row import ValueRow
from warpwright.render.layout import shortened, table
from warpwright.render.numbers import time_text, value_text


def value_lines(rows: Sequence[ValueRow], names: bool) -> list[str]:
    """Label and value; with `names` the metric too, which may be longer than the line."""
    if not names:
        return table([("", ""), *((row.label, short_value(row)) for row in rows)], (1,), "  ")[1:]
    lines = []
    for row in rows:
        lines.append(f"  {short_value(row):>16}  {row.label}")
        if row.label != row.metric:
            lines.append(f"  {'':16}    {row.metric}")
    return lines


def short_value(row: ValueRow) -> str:
    """The value with its unit, in at most 30 characters."""
    if row.unit == "ns" and isinstance(row.value, int | float):
        return time_text(row.value, 4)
    unit = None if isinstance(row.value, str) else row.unit
    return shortened(value_text(row.value, unit), 30)
