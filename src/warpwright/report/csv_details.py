"""The details page: one row for a metric of a section, or for a message of a rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpwright.model.annotations import (
    RuleKind,
    RuleResult,
    Section,
    SectionMetric,
    Speedup,
    SpeedupScope,
)
from warpwright.model.report import Metric
from warpwright.report.csv_labels import SECTION_IDS, Vintage, details_metric, vintage_of
from warpwright.report.csv_numbers import NumberStyle
from warpwright.report.csv_nvtx import nvtx_of
from warpwright.report.csv_part import Part, by_launch, printed_metric
from warpwright.report.csv_text import Row, Table

_KINDS: dict[str, RuleKind] = {
    "OPT": "optimization",
    "WRN": "warning",
    "ERR": "error",
    "INF": "ok",
    "OK": "ok",
}
_SCOPES: dict[str, SpeedupScope] = {"global": "global", "local": "local"}


def details_parts(table: Table, style: NumberStyle) -> Iterator[Part]:
    """Every launch of a details page: metrics in base units, sections, rule results."""
    vintage = vintage_of(
        {table.cell(row, "Metric Name") for row in table.rows},
        {table.cell(row, "Metric Unit") for row in table.rows},
    )
    for launch, rows in by_launch(table):
        metrics: dict[str, Metric] = {}
        sections: dict[str, list[SectionMetric]] = {}
        rules: list[RuleResult] = []
        for row in rows:
            if table.cell(row, "Metric Name"):
                _add_metric(table, row, style, vintage, metrics, sections)
            elif table.cell(row, "Rule Name"):
                rules.append(_rule(table, row, style))
        yield Part(
            page="details",
            kernel=launch["Kernel Name"],
            columns=launch,
            metrics=metrics,
            sections=_sections(sections),
            rules=rules,
            nvtx=tuple(nvtx_of(table, rows[0])),
        )


def _add_metric(
    table: Table,
    row: Row,
    style: NumberStyle,
    vintage: Vintage,
    metrics: dict[str, Metric],
    sections: dict[str, list[SectionMetric]],
) -> None:
    """Add a row's metric to its launch and section.

    Labels are unique only in a section's header: one of a table or chart below (a column of
    `--print-details all`) that is no metric's name is kept beside the name of its table.
    """
    section, label = table.cell(row, "Section Name"), table.cell(row, "Metric Name")
    below = table.cell(row, "Body Item Label")
    name = label if below else details_metric(label, _section_id(section), vintage)
    if below and "__" not in label:
        name = f"{below}: {label}"
    metric, unit = printed_metric(
        name, table.cell(row, "Metric Value"), table.cell(row, "Metric Unit"), style
    )
    if name == label and name in metrics and metrics[name].value != metric.value:
        name = f"{section}: {label}"
        metric = Metric(name, metric.value, metric.instances, metric.has_ids)
    metrics[name] = metric
    if not below:
        shown = SectionMetric(name, None if name == label else label, unit or None)
        sections.setdefault(section, []).append(shown)


def _section_id(name: str) -> str:
    return SECTION_IDS.get(name, name)


def _sections(found: dict[str, list[SectionMetric]]) -> Sequence[Section]:
    return [
        Section(_section_id(name), name, order, header=tuple(metrics))
        for order, (name, metrics) in enumerate(found.items())
    ]


def _rule(table: Table, row: Row, style: NumberStyle) -> RuleResult:
    rule = table.cell(row, "Rule Name")
    pct = style.read(table.cell(row, "Estimated Speedup"))
    scope = _SCOPES.get(table.cell(row, "Estimated Speedup Type").lower(), "unknown")
    return RuleResult(
        rule=rule,
        name=rule,
        section=_section_id(table.cell(row, "Section Name")) or None,
        kind=_KINDS.get(table.cell(row, "Rule Type").upper(), "none"),
        title=None,
        message=table.cell(row, "Rule Description"),
        speedup=Speedup(scope, float(pct)) if isinstance(pct, int | float) else None,
    )
