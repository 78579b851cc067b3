"""Metrics that match a pattern, over launches (schema warpwright.metrics/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model

Told = float | int | str | None


class InstanceRow(Model):
    """One instance of a metric. `id` is its PC, opcode, size ... or its position.

    Of a PC `offset` counts bytes from the function's start.
    """

    id: float | int | str
    value: float | int | str
    offset: int | None = None
    file: str | None = None
    line: int | None = None


class MetricRow(Model):
    """A metric's value in one launch. None: the launch has none; "nan": it could not be read."""

    launch: int
    address: str
    metric: str
    value: Told
    instance_count: int
    instances: tuple[InstanceRow, ...] = ()


class MetricMeaning(Model):
    """What a metric measures."""

    metric: str
    unit: str | None
    meaning: str


class MetricList(Model):
    """Values of metrics, one row for each metric and launch.

    `rows`, and the instances of each, are cut by `--limit`; `row_count` is of all.
    """

    schema_name: Literal["warpwright.metrics/1"] = Field(
        default="warpwright.metrics/1", alias="schema"
    )
    report: str
    patterns: tuple[str, ...]
    metrics: tuple[MetricMeaning, ...]
    row_count: int
    rows: tuple[MetricRow, ...]
    truncated: bool
