"""One metric of a launch (schema warpwright.view-metric/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper
from warpwright.model.metric_list import InstanceRow, Told
from warpwright.model.value_row import ValueRow


class MetricView(Model):
    """One metric. `instances` is cut by `--limit`; `instance_count` is of all."""

    schema_name: Literal["warpwright.view-metric/1"] = Field(
        default="warpwright.view-metric/1", alias="schema"
    )
    address: str
    metric: str
    label: str | None
    value: Told
    unit: str | None
    meaning: str
    instance_count: int
    instances: tuple[InstanceRow, ...]
    truncated: bool
    sections: tuple[str, ...] = Field(description="The addresses of sections that show it.")
    parts: tuple[ValueRow, ...] = Field(
        description="Of a throughput: the counters that it is the largest of, the largest first."
    )
    siblings: tuple[ValueRow, ...] = Field(description="The same counter, otherwise rolled up.")
    deeper: tuple[Deeper, ...]
