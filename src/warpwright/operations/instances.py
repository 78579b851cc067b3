"""Instances of metrics as documents hold them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import islice

from warpwright.model.metric_list import InstanceRow
from warpwright.model.report import Launch, Metric, Value
from warpwright.operations.values import told
from warpwright.query.places import pc_offset


def instance_rows(launch: Launch, metric: Metric, limit: int) -> tuple[InstanceRow, ...]:
    """Instances by PC or by a name, such as an opcode, with the largest first.

    Other ids are positions, sizes or times: a curve, which keeps its order.
    """
    items: Iterable[tuple[Value, Value]] = metric.instances.items()
    first = next(iter(metric.instances), None)
    if isinstance(first, str) or (
        first is not None and pc_offset(launch, metric.name, first) is not None
    ):
        items = sorted(items, key=lambda item: -_size(item[1]))
    return tuple(
        _instance(launch, metric.name, identity, value) for identity, value in islice(items, limit)
    )


def _size(value: Value) -> float:
    return -math.inf if isinstance(value, str) or value != value else value


def _instance(launch: Launch, metric: str, identity: Value, value: Value) -> InstanceRow:
    offset = pc_offset(launch, metric, identity)
    line = launch.code.lines.get(offset) if offset is not None else None
    return InstanceRow(
        id=told(identity),
        value=told(value),
        offset=offset,
        file=line.file if line else None,
        line=line.line if line else None,
    )
