"""One place of a report as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from warpwright.model.report_view import ReportView
from warpwright.render.layout import deeper_lines

if TYPE_CHECKING:  # each kind of view is imported when it is there: it costs start-up time
    from warpwright.model.finding_view import FindingView
    from warpwright.model.launch_view import LaunchView
    from warpwright.model.metric_view import MetricView
    from warpwright.model.section_view import SectionView
    from warpwright.operations.show import View


def view_text(view: View) -> str:
    """The text of any view."""
    if not isinstance(view, ReportView) and view.schema_name == "warpwright.source/1":
        from warpwright.render.source import source_text

        return source_text(view)
    return "\n".join([*_lines(view), *deeper_lines(view.deeper)]) + "\n"


def _lines(
    view: ReportView | LaunchView | SectionView | MetricView | FindingView,
) -> Iterable[str]:
    if isinstance(view, ReportView):
        from warpwright.render.report_view import report_lines

        return report_lines(view)
    if view.schema_name == "warpwright.view-launch/1":
        from warpwright.render.launch_view import launch_lines

        return launch_lines(view)
    if view.schema_name == "warpwright.view-section/1":
        from warpwright.render.section_view import section_lines

        return section_lines(view)
    if view.schema_name == "warpwright.view-metric/1":
        from warpwright.render.metric_view import metric_lines

        return metric_lines(view)
    from warpwright.render.digest_finding import finding_lines

    return finding_lines(view.finding, view.ledger)
