"""The raw page: one row for a launch, one column for a metric, units in the second row."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.report.csv_numbers import NumberStyle
from warpwright.report.csv_nvtx import is_nvtx, nvtx_of
from warpwright.report.csv_part import IDENTITY, Part, identity, printed_metric
from warpwright.report.csv_text import Table


def raw_metric_columns(table: Table) -> list[int]:
    """Positions of the columns that hold metrics."""
    return [
        at
        for at, name in enumerate(table.header)
        if name and name not in IDENTITY and not is_nvtx(name)
    ]


def raw_parts(table: Table, style: NumberStyle) -> Iterator[Part]:
    """Every launch of a raw page, its values in base units."""
    columns = raw_metric_columns(table)
    for row in table.rows:
        metrics = {}
        for at in columns:
            name = table.header[at]
            unit = table.units[at] if table.units else ""
            metrics[name], _ = printed_metric(name, row.cells[at], unit, style)
        launch = identity(table, row)
        yield Part("raw", launch["Kernel Name"], launch, metrics, nvtx=tuple(nvtx_of(table, row)))
