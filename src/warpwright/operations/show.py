"""The verb `show`: one place of a report, and what lies one step deeper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpwright.operations.opened import open_report
from warpwright.operations.place import place_of

if TYPE_CHECKING:  # each kind of place is imported when asked for: it costs start-up time
    from warpwright.model.finding_view import FindingView
    from warpwright.model.launch_view import LaunchView
    from warpwright.model.metric_view import MetricView
    from warpwright.model.report_view import ReportView
    from warpwright.model.section_view import SectionView
    from warpwright.model.source_view import SourceView

    View = ReportView | LaunchView | SectionView | MetricView | FindingView | SourceView


def show(address: str, limit: int = 10, absent: bool = False) -> View:
    """What the report says of the place that is named.

    Args:
        address: of a report, a launch, a section, a metric, a source line or a finding.
        limit: how many rows of each list.
        absent: list a section's metrics that the launch has not, too.

    Raises:
        BadInput: no such place; the hint has the nearest names.
        BadReport: the report cannot be read.
    """
    place = place_of(address)
    if place.kind == "finding":
        from warpwright.operations.show_finding import show_finding

        return show_finding(address)
    if place.kind == "line":
        from warpwright.operations.source import show_source

        return show_source(address, limit=limit)
    opened = open_report(address)
    report = opened.report
    if place.launch is None:
        from warpwright.operations.show_report import show_report

        return show_report(report, limit)
    if place.kind == "section" and place.name:
        from warpwright.operations.show_section import show_section

        return show_section(report, opened.launch, place.name, limit, absent)
    if place.kind == "metric" and place.name:
        from warpwright.operations.show_metric import show_metric

        return show_metric(report, opened.launch, place.name, limit)
    from warpwright.operations.show_launch import show_launch

    return show_launch(report, opened.launch, limit)
