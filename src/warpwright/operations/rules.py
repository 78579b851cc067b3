"""The verb `rules`: what Nsight Compute's own rules say, of every launch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from warpwright.errors import BadInput
from warpwright.model.address import Address
from warpwright.model.annotations import (
    FocusMetric,
    RuleKind,
    RuleResult,
    RuleTable,
    SourceMarker,
    Speedup,
    SpeedupScope,
)
from warpwright.model.report import Launch, Report
from warpwright.model.rule_list import FocusRow, Marker, Mention, RuleEstimate, RuleList, RuleRow
from warpwright.operations.opened import open_report
from warpwright.operations.sections import find_section
from warpwright.operations.values import line_address, told
from warpwright.query.advice import advice_kinds
from warpwright.query.markup import RawMention, plain_text
from warpwright.query.places import pc_offset

_OF: dict[SpeedupScope, str] = {
    "global": "of the kernel",
    "local": "of one unit: not the kernel's gain",
    "unknown": "of an unknown part",
}


def list_rules(address: str, limit: int = 20) -> RuleList:
    """The rule results of all launches, of one (REPORT#L0), or of one section of it.

    First comes advice that the tool expects to speed up the kernel, by how much; an estimate for
    one unit of the hardware ranks nothing.

    Args:
        address: REPORT, REPORT#L0 or REPORT#L0/section/NAME.
        limit: how many results, and how many source markers of each.

    Raises:
        BadInput: no such launch or section, or the address names something else.
        BadReport: the report cannot be read.
    """
    opened = open_report(address)
    place = opened.place
    section = None
    if place.kind == "section" and place.name:
        section = find_section(opened.launch, place.report, place.name).id
    elif place.kind is not None:
        raise BadInput(
            f"'{address}' names a {place.kind}; rules takes a report, a launch or a section",
            hint=f"warpwright ncu rules {Address(place.report, place.launch)}",
        )
    rows = [
        row
        for launch in opened.launches
        for row in rule_rows(opened.report, launch, section, limit)
    ]
    rows.sort(key=_rank)
    return RuleList(
        report=place.report,
        rule_count=len(rows),
        rules=tuple(rows[:limit]),
        truncated=len(rows) > limit or any(row.marker_count > limit for row in rows[:limit]),
    )


def rule_rows(
    report: Report, launch: Launch, section: str | None = None, markers: int = 20
) -> Iterator[RuleRow]:
    """The rule results of a launch in file order; of one section (its id), if one is given."""
    advice = advice_kinds(report.tool_version, launch.annotations.rules)
    for rule in launch.annotations.rules:
        if section is None or rule.section == section:
            yield _row(launch, report.path, rule, advice, markers)


def _row(
    launch: Launch, report: str, rule: RuleResult, advice: tuple[RuleKind, ...], most: int
) -> RuleRow:
    text, mentions = plain_text(rule.message)
    section = Address(report, launch.index, "section", rule.section) if rule.section else None
    return RuleRow(
        launch=launch.index,
        rule=rule.rule,
        name=rule.name,
        section=str(section) if section else None,
        kind=rule.kind,
        advice=rule.kind in advice,
        title=rule.title,
        text=text,
        mentions=tuple(_mention(launch, report, mention) for mention in mentions),
        estimate=_estimate(rule.speedup),
        focus=tuple(_focus(launch, report, metric) for metric in rule.focus),
        tables=tuple(map(_table, rule.tables)),
        marker_count=len(rule.markers),
        markers=tuple(_marker(launch, marker) for marker in rule.markers[:most]),
    )


def _estimate(speedup: Speedup | None) -> RuleEstimate | None:
    if speedup is None or not math.isfinite(speedup.pct):
        return None
    return RuleEstimate(scope=speedup.scope, pct=speedup.pct, of=_OF[speedup.scope])


def _mention(launch: Launch, report: str, mention: RawMention) -> Mention:
    target = mention.target
    if mention.kind in ("section", "line"):
        target = str(Address(report, launch.index, mention.kind, target))
    elif mention.kind == "pc":
        target = _place(launch, report, target)
    return Mention(label=mention.label, target=target)


def _place(launch: Launch, report: str, pc: str) -> str:
    """The line of a PC in hexadecimal; without line information its offset in the function."""
    try:
        offset = pc_offset(launch, "inst_executed", int(pc, 16))
    except ValueError:
        return pc
    if offset is None:
        return pc
    line = launch.code.lines.get(offset)
    return f"+{offset:#x}" if line is None else line_address(report, launch, line)


def _focus(launch: Launch, report: str, focus: FocusMetric) -> FocusRow:
    return FocusRow(
        metric=focus.name,
        address=str(Address(report, launch.index, "metric", focus.name))
        if focus.name in launch.metrics
        else None,
        value=told(focus.value),
        severity=focus.severity,
        info=focus.info,
    )


def _table(table: RuleTable) -> RuleTable:
    """The table with the mentions in its cells replaced by their labels."""
    columns = tuple(
        tuple(plain_text(cell)[0] if isinstance(cell, str) else cell for cell in column)
        for column in table.columns
    )
    return replace(table, columns=columns)


def _marker(launch: Launch, marker: SourceMarker) -> Marker:
    offset = None if marker.pc is None else marker.pc - launch.code.base
    line = None if offset is None else launch.code.lines.get(offset)
    return Marker(
        text=plain_text(marker.text)[0],
        severity=marker.severity,
        offset=offset,
        file=line.file if line else marker.file,
        line=line.line if line else marker.line,
    )


def _rank(row: RuleRow) -> tuple[int, float]:
    """Only a global estimate of advice orders; all else keeps the order of the report."""
    if row.advice and row.estimate is not None and row.estimate.scope == "global":
        return (0, -row.estimate.pct)
    if row.advice:
        return (1, 0.0)
    return (2 if row.kind in ("error", "warning") else 3, 0.0)
