"""The verb `metrics`: values by name, over launches."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from functools import cache
from itertools import islice, product

from warpwright.errors import BadInput
from warpwright.glossary import describe
from warpwright.model.address import Address
from warpwright.model.metric_list import MetricList, MetricMeaning, MetricRow
from warpwright.model.report import Launch, Report
from warpwright.operations.instances import instance_rows
from warpwright.operations.nearest import nearest
from warpwright.operations.opened import Opened, open_report
from warpwright.operations.sections import find_section, metrics_of
from warpwright.operations.values import told


def list_metrics(
    address: str, patterns: Sequence[str] = (), instances: bool = False, limit: int = 50
) -> MetricList:
    """Values of the metrics that match any pattern, for every launch that is meant.

    A metric that only some launches have gets a row without value for the others.

    Args:
        address: REPORT, REPORT#L0, or REPORT#L0/metric/NAME or REPORT#L0/section/NAME, which
            stand for patterns.
        patterns: globs as in a shell, or regular expressions behind `re:`.
        instances: list every instance too (see `instance_rows` for their order).
        limit: how many rows, and how many instances of each.

    Raises:
        BadInput: no pattern, no metric that matches, no such launch.
        BadReport: the report cannot be read.
    """
    opened = open_report(address)
    wanted = tuple(patterns) or _implied(opened)
    matches = _matcher(wanted)
    names: set[str] = set()
    indexes: list[int] = []
    for launch in opened.launches:
        indexes.append(launch.index)
        names.update(filter(matches, launch.metrics))
    if not names:
        raise _unknown(opened, wanted)
    shown = list(islice(product(sorted(names), indexes), limit))
    rows = _rows(opened.report, shown, limit if instances else 0)
    row_count = len(names) * len(indexes)
    return MetricList(
        report=opened.place.report,
        patterns=wanted,
        metrics=tuple(_meaning(name) for name in dict.fromkeys(name for name, _ in shown)),
        row_count=row_count,
        rows=rows,
        truncated=row_count > limit
        or (instances and any(row.instance_count > limit for row in rows)),
    )


def _rows(report: Report, shown: Sequence[tuple[str, int]], most: int) -> tuple[MetricRow, ...]:
    """Rows in the order of `shown`, with every launch visited once."""
    rows: dict[tuple[str, int], MetricRow] = {}
    names: dict[int, list[str]] = {}
    for name, index in shown:
        names.setdefault(index, []).append(name)
    for index, of_launch in names.items():
        launch = report.launches[index]
        rows |= {(name, index): _row(report, launch, name, most) for name in of_launch}
    return tuple(rows[key] for key in shown)


def _row(report: Report, launch: Launch, name: str, most: int) -> MetricRow:
    metric = launch.metrics.get(name)
    return MetricRow(
        launch=launch.index,
        address=str(Address(report.path, launch.index, "metric", name)),
        metric=name,
        value=told(metric.value) if metric else None,
        instance_count=len(metric.instances) if metric else 0,
        instances=instance_rows(launch, metric, most) if metric else (),
    )


def _meaning(name: str) -> MetricMeaning:
    said = describe(name)
    return MetricMeaning(metric=name, unit=said.unit, meaning=said.meaning)


def _implied(opened: Opened) -> tuple[str, ...]:
    """The patterns that an address stands for."""
    place = opened.place
    if place.kind == "metric" and place.name:
        return (place.name,)
    if place.kind == "section" and place.name:
        return metrics_of(find_section(opened.launch, place.report, place.name))
    raise BadInput(
        "which metrics? give names or globs",
        hint=f"warpwright ncu metrics {place.report} 'gpu__time*' 're:throughput.*pct'",
    )


def _matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a name matches any of the patterns as a whole (`re:`: contains it)."""
    globs = [re.compile(translate(text)) for text in patterns if not text.startswith("re:")]
    found = [_expression(text[3:]) for text in patterns if text.startswith("re:")]

    @cache
    def matches(name: str) -> bool:
        return any(one.match(name) for one in globs) or any(one.search(name) for one in found)

    return matches


def _expression(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise BadInput(
            f"'re:{text}' is no regular expression: {error}", hint="for example 're:bytes.*sum'"
        ) from None


def _unknown(opened: Opened, patterns: Sequence[str]) -> BadInput:
    known = dict.fromkeys(name for launch in opened.launches for name in launch.metrics)
    near = patterns[0].removeprefix("re:").strip("*")
    where = Address(opened.place.report, opened.place.launch)
    return BadInput(
        f"{where} has no metric that matches {' or '.join(patterns)}",
        hint=nearest(near, known, f"warpwright ncu metrics {where} '*'"),
    )
