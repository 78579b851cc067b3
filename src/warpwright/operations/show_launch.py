"""One launch: its facts, what limits it, its sections and its hottest lines."""

from __future__ import annotations

from collections import Counter

from warpwright.advice.cautions import cautions
from warpwright.advice.digest import digest_launch
from warpwright.advice.facts import Facts
from warpwright.model.address import Address
from warpwright.model.deeper import Deeper
from warpwright.model.launch_view import FindingRow, LaunchView, LineRow, SectionRow
from warpwright.model.report import Launch, Report
from warpwright.operations.deeper import deeper
from warpwright.operations.launches import launch_row
from warpwright.operations.values import value_row
from warpwright.query.advice import advice_kinds

_ELAPSED = "pct_of_peak_sustained_elapsed"
_FACTS = (
    "gpu__time_duration.sum",
    "launch__registers_per_thread",
    "launch__shared_mem_per_block_static",
    "launch__shared_mem_per_block_dynamic",
    "launch__cluster_size",
    "launch__waves_per_multiprocessor",
    "sm__maximum_warps_per_active_cycle_pct",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    f"sm__throughput.avg.{_ELAPSED}",
    f"gpu__compute_memory_throughput.avg.{_ELAPSED}",
    "l1tex__throughput.avg.pct_of_peak_sustained_active",
    f"lts__throughput.avg.{_ELAPSED}",
    f"gpu__dram_throughput.avg.{_ELAPSED}",
    "smsp__issue_active.avg.per_cycle_active",
)
_SUMMARY = 2  # metrics of a section's header that tell what it is about


def show_launch(report: Report, launch: Launch, limit: int) -> LaunchView:
    """Facts, findings, sections and lines of a launch.

    Args:
        report: where the launch is from.
        launch: the launch.
        limit: how many findings, and how many lines.
    """
    here = str(Address(report.path, launch.index))
    findings = _findings(report, launch)
    lines = _lines(report, launch, limit)
    sections = _sections(report, launch)
    shown = {row.name: row for section in launch.annotations.sections for row in section.header}
    return LaunchView(
        address=here,
        demangled=launch.demangled,
        launch=launch_row(report, launch),
        nvtx=tuple(row.name for row in launch.annotations.nvtx),
        metric_count=len(launch.metrics),
        cautions=tuple(caution.text for caution in cautions(launch, report)),
        facts=tuple(
            value_row(report.path, launch, name, shown.get(name))
            for name in _FACTS
            if name in launch.metrics
        ),
        findings=findings[:limit],
        sections=sections,
        lines=lines,
        truncated=len(findings) > limit,
        deeper=_deeper(here, findings, sections, lines),
    )


def _findings(report: Report, launch: Launch) -> tuple[FindingRow, ...]:
    return tuple(
        FindingRow(
            id=finding.id,
            address=finding.address,
            title=finding.title,
            expected=finding.speedup.expected,
            confidence=finding.confidence,
        )
        for finding in digest_launch(report, launch).findings
    )


def _sections(report: Report, launch: Launch) -> tuple[SectionRow, ...]:
    rules = launch.annotations.rules
    kinds = advice_kinds(report.tool_version, rules)
    advice = Counter(rule.section for rule in rules if rule.kind in kinds)
    rows = []
    for section in launch.annotations.sections:
        address = str(Address(report.path, launch.index, "section", section.id))
        measured = [shown for shown in section.header if _has_value(launch, shown.name)]
        summary = [
            value_row(report.path, launch, shown.name, shown) for shown in measured[:_SUMMARY]
        ]
        rows.append(
            SectionRow(
                id=section.id,
                name=section.name,
                address=address,
                advice=advice[section.id],
                summary=tuple(summary),
            )
        )
    return tuple(rows)


def _has_value(launch: Launch, name: str) -> bool:
    metric = launch.metrics.get(name)
    return metric is not None and metric.value is not None


def _lines(report: Report, launch: Launch, limit: int) -> tuple[LineRow, ...]:
    """The lines where warps were sampled most; where they were not, those that ran most."""
    cost = launch.per_pc("smsp__pcsamp_sample_count") or launch.per_pc("inst_executed")
    places = Facts(launch, 1, report.sources).places(cost, limit)
    here = Address(report.path, launch.index)
    return tuple(
        LineRow(address=f"{here}/line/{place.file}:{place.line}", share=place.share)
        for place in places
    )


def _deeper(
    here: str,
    findings: tuple[FindingRow, ...],
    sections: tuple[SectionRow, ...],
    lines: tuple[LineRow, ...],
) -> tuple[Deeper, ...]:
    steps = []
    if findings:
        steps.append(deeper("the first finding, whole", "show", findings[0].address))
    if sections:
        told = next((row for row in sections if row.advice), sections[0])
        steps.append(deeper("a section", "show", told.address))
    if lines:
        steps.append(deeper("the hottest line", "show", lines[0].address))
    steps.append(deeper("what the tool's rules say", "rules", here))
    steps.append(deeper("every metric", "metrics", here, "*"))
    return tuple(steps)
