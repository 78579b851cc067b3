"""Metrics over launches as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from warpwright.model.metric_list import InstanceRow, MetricList, MetricRow
from warpwright.operations.deeper import deeper
from warpwright.render.layout import deeper_lines, shortened, table, wrapped
from warpwright.render.numbers import value_text

_LONGEST = 60  # of a value that is a text


def metrics_text(found: MetricList) -> str:
    """Each metric with its meaning, then its value in every launch, and the instances."""
    of_metric: dict[str, list[MetricRow]] = {}
    for row in found.rows:
        of_metric.setdefault(row.metric, []).append(row)
    lines = []
    for said in found.metrics:
        rows = of_metric[said.metric]
        values = [_value(row, said.unit) for row in rows]
        several = len(rows) > 1 or found.row_count > len(of_metric)
        lines.append(said.metric if several else f"{said.metric}  {values[0]}")
        lines += wrapped(said.meaning, "    ")
        for row, value in zip(rows, values, strict=True):
            if several:
                lines.append(f"    L{row.launch}  {value}{_count(row)}")
            lines += instance_table(row.instances, "      ")
            if row.instances and row.instance_count > len(row.instances):
                lines.append(f"      ... of {row.instance_count} instances (--limit N shows more)")
    if found.row_count > len(found.rows):
        lines.append(f"... of {found.row_count} values (--limit N shows more)")
    lines += deeper_lines([deeper("one metric, its sections and relatives", "show", _first(found))])
    return "\n".join(lines) + "\n"


def instance_table(rows: Sequence[InstanceRow], indent: str) -> list[str]:
    """One line for each instance; a PC is told by its offset in the function, and source line."""
    if not rows:
        return []
    head = ("id", "value", "line")
    body = [
        (
            str(row.id) if row.offset is None else f"+{row.offset:#x}",
            value_text(row.value),
            "" if row.file is None else f"{PurePath(row.file).name}:{row.line}",
        )
        for row in rows
    ]
    return table([head, *body], right=(1,), indent=indent)


def _value(row: MetricRow, unit: str | None) -> str:
    return shortened(value_text(row.value, None if isinstance(row.value, str) else unit), _LONGEST)


def _count(row: MetricRow) -> str:
    return f"  ({row.instance_count} instances)" if row.instance_count > len(row.instances) else ""


def _first(found: MetricList) -> str:
    return next((row for row in found.rows if row.value is not None), found.rows[0]).address
