"""One section of a launch: its tables, what its rules say, and its parts."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.address import Address
from warpwright.model.annotations import SectionMetric
from warpwright.model.report import Launch, Report
from warpwright.model.section_view import SectionView
from warpwright.model.value_row import ValueRow
from warpwright.operations.deeper import deeper
from warpwright.operations.rules import rule_rows
from warpwright.operations.sections import find_section
from warpwright.operations.values import breakdown_rows, value_row


def show_section(
    report: Report, launch: Launch, name: str, limit: int, absent: bool
) -> SectionView:
    """The section of that id or display name.

    Args:
        report: where the launch is from.
        launch: where to look.
        name: of the section; case does not matter.
        limit: how many metrics of its body, and how many rule results.
        absent: also list metrics that the launch has not.

    Raises:
        BadInput: the launch has no such section.
    """
    section = find_section(launch, report.path, name)
    header = list(_rows(report, launch, section.header))
    heads = {row.metric for row in header}
    body = [row for row in _rows(report, launch, section.body) if row.metric not in heads]
    measured = [row for row in (*header, *body) if row.value is not None]
    missing = len(header) + len(body) - len(measured)
    if not absent:
        header = [row for row in header if row.value is not None]
        body = [row for row in body if row.value is not None]
    rules = list(rule_rows(report, launch, section.id, limit))
    first = measured[0].address if measured else None
    here = Address(report.path, launch.index, "section", section.id)
    return SectionView(
        address=str(here),
        id=section.id,
        name=section.name,
        extends=_address(here, section.parent) if section.parent else None,
        extended_by=tuple(
            _address(here, part.id)
            for part in launch.annotations.sections
            if section.id == part.parent
        ),
        header=tuple(header),
        body=tuple(body[:limit]),
        absent=missing,
        rules=tuple(rules[:limit]),
        truncated=max(len(body), len(rules)) > limit,
        deeper=(
            *((deeper("a metric", "show", first),) if first else ()),
            deeper("the launch", "show", str(Address(report.path, launch.index))),
        ),
    )


def _address(here: Address, section: str) -> str:
    return str(Address(here.report, here.launch, "section", section))


def _rows(report: Report, launch: Launch, metrics: tuple[SectionMetric, ...]) -> Iterator[ValueRow]:
    """Each metric once; the counters of a breakdown in its place."""
    seen: set[str] = set()
    for shown in metrics:
        if not shown.name:  # what a table leaves empty
            continue
        parts = breakdown_rows(report.path, launch, shown.name)
        for row in parts or [value_row(report.path, launch, shown.name, shown)]:
            if row.metric not in seen:
                seen.add(row.metric)
                yield row
