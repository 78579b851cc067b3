"""Values of metrics as documents hold them."""

from __future__ import annotations

import math
from typing import TypeVar

from warpwright.glossary import describe
from warpwright.model.address import Address
from warpwright.model.annotations import SectionMetric
from warpwright.model.report import Launch, SourceLine, Value
from warpwright.model.value_row import ValueRow
from warpwright.query.line_names import short_names, source_files

V = TypeVar("V", Value, Value | None)


def told(value: V) -> V | str:
    """The value; a float that JSON cannot write becomes its name: `nan`, `inf`."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def value_row(
    report: str, launch: Launch, name: str, shown: SectionMetric | None = None
) -> ValueRow:
    """A metric with its label and unit: those that a section shows it by, else the glossary's."""
    metric = launch.metrics.get(name)
    said = describe(name)
    label = shown.label if shown and shown.label and "{" not in shown.label else said.label
    return ValueRow(
        metric=name,
        address=str(Address(report, launch.index, "metric", name)),
        label=label or name,
        value=told(metric.value) if metric else None,
        unit=(shown.unit if shown else None) or said.unit,
    )


def breakdown_rows(report: str, launch: Launch, name: str) -> list[ValueRow]:
    """The counters that the breakdown metric `name` lists, the largest first."""
    metric = launch.metrics.get(name)
    if metric is None or not isinstance(metric.value, str):
        return []
    names = [part for part in metric.value.split(",") if part in launch.metrics]
    names.sort(key=lambda part: -(launch.number(part) or 0.0))
    return [value_row(report, launch, part) for part in names]


def line_address(report: str, launch: Launch, line: SourceLine) -> str:
    """The address of a source line, by the shortest name that tells its file from the others."""
    name = short_names({*source_files(launch), line.file})[line.file]
    return str(Address(report, launch.index, "line", f"{name}:{line.line}"))
