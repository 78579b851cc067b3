"""One metric of a launch: what it measures, its instances, and its relatives."""

from __future__ import annotations

from warpwright.errors import BadInput
from warpwright.glossary import describe
from warpwright.model.address import Address
from warpwright.model.metric_view import MetricView
from warpwright.model.report import Launch, Report
from warpwright.operations.deeper import deeper
from warpwright.operations.instances import instance_rows
from warpwright.operations.nearest import nearest
from warpwright.operations.sections import metrics_of
from warpwright.operations.values import breakdown_rows, line_address, told, value_row


def show_metric(report: Report, launch: Launch, name: str, limit: int) -> MetricView:
    """The metric of that name.

    Args:
        report: where the launch is from.
        launch: where to look.
        name: of the metric, whole.
        limit: how many instances, parts and siblings.

    Raises:
        BadInput: the launch has no such metric.
    """
    metric = launch.metrics.get(name)
    here = Address(report.path, launch.index)
    if metric is None:
        raise BadInput(
            f"{here} has no metric {name}",
            hint=nearest(name, launch.metrics, f"warpwright ncu metrics {here} '*'"),
        )
    said = describe(name)
    parts = breakdown_rows(report.path, launch, f"breakdown:{name.removeprefix('breakdown:')}")
    siblings = [other for other in launch.metrics if other != name and _base(other) == _base(name)]
    sections = tuple(
        str(Address(report.path, launch.index, "section", section.id))
        for section in launch.annotations.sections
        if name in metrics_of(section)
    )
    instances = instance_rows(launch, metric, limit)
    place = next(
        filter(
            None,
            (launch.code.lines.get(-1 if row.offset is None else row.offset) for row in instances),
        ),
        None,
    )
    steps = [deeper("the section that shows it", "show", sections[0])] if sections else []
    if place is not None:
        steps.append(deeper("its first line", "show", line_address(report.path, launch, place)))
    if len(metric.instances) > limit:
        steps.append(deeper("all instances", "metrics", f"{here}/metric/{name}", "--instances"))
    return MetricView(
        address=f"{here}/metric/{name}",
        metric=name,
        label=said.label,
        value=told(metric.value),
        unit=said.unit,
        meaning=said.meaning,
        instance_count=len(metric.instances),
        instances=instances,
        truncated=max(len(metric.instances), len(parts), len(siblings)) > limit,
        sections=sections,
        parts=tuple(parts[:limit]),
        siblings=tuple(value_row(report.path, launch, other) for other in siblings[:limit]),
        deeper=tuple(steps) or (deeper("the launch", "show", str(here)),),
    )


def _base(name: str) -> str:
    """The counter behind a name, without its rollup and submetric."""
    unit, mark, counter = name.partition("__")
    return unit + mark + counter.partition(".")[0].removesuffix("_not_issued")
