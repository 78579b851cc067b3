"""One launch out of the pages that show it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from warpwright.model.annotations import NoAnnotations
from warpwright.model.report import Launch, Metric, NoCode
from warpwright.report.csv_join import WORKLOADS
from warpwright.report.csv_part import Part, dimensions, function_name, merged

_AXES = ("x", "y", "z")
_CAPABILITY = "device__attribute_compute_capability_"


def launch_of(index: int, parts: Sequence[Part]) -> Launch:
    """The launch that these parts, one for a page, are about."""
    columns: dict[str, str] = {}
    metrics: dict[str, Metric] = {}
    for part in parts:
        columns = {**columns, **part.columns}
        metrics = merged(metrics, part.metrics.values())
    shown = replace(parts[0], columns=columns)
    workload = WORKLOADS.get(shown.kernel, "kernel")
    kernel = workload == "kernel"
    name = parts[-1].kernel if kernel else f"{workload} {index}"  # the source page's is not cut
    return Launch(
        index=index,
        kernel=function_name(name) if kernel else name,
        demangled=name,
        mangled=name if name.startswith("_Z") else "",
        grid=_shape(columns.get("Grid Size", ""), "grid", metrics) if kernel else (0, 0, 0),
        block=_shape(columns.get("Block Size", ""), "block", metrics) if kernel else (0, 0, 0),
        compute_capability=_capability(columns.get("CC", ""), metrics),
        metrics=metrics,
        code=next((part.code for part in parts if part.code), NoCode()),
        annotations=NoAnnotations(
            sections=[section for part in parts for section in part.sections],
            rules=[rule for part in parts for rule in part.rules],
            nvtx=next((part.nvtx for part in parts if part.nvtx), ()),
        ),
        workload=workload,
        context=shown.integer("Context"),
        stream=shown.integer("Stream"),
        process=shown.integer("Process ID"),
    )


def _shape(cell: str, kind: str, metrics: Mapping[str, Metric]) -> tuple[int, int, int]:
    """A grid's or block's shape; all of its size in x where only that is known."""
    if shape := dimensions(cell):
        return shape
    x, y, z = (_integer(metrics, f"launch__{kind}_dim_{axis}") for axis in _AXES)
    if x and y and z:
        return x, y, z
    size = _integer(metrics, f"launch__{kind}_size")
    return (size, 1, 1) if size else (0, 0, 0)


def _integer(metrics: Mapping[str, Metric], name: str) -> int | None:
    metric = metrics.get(name)
    value = metric.value if metric else None
    return int(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _capability(cell: str, metrics: Mapping[str, Metric]) -> tuple[int, int] | None:
    if found := re.fullmatch(r"(\d+)[.,](\d+)", cell):
        return int(found[1]), int(found[2])
    major, minor = (_integer(metrics, _CAPABILITY + part) for part in ("major", "minor"))
    return (major, minor) if major is not None and minor is not None else None
