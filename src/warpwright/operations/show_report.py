"""A report at a glance."""

from __future__ import annotations

from warpwright.model.report import Report
from warpwright.model.report_view import ReportView
from warpwright.operations.deeper import deeper
from warpwright.operations.launches import launch_rows, longest_first, total_ns
from warpwright.operations.moment import moment


def show_report(report: Report, limit: int) -> ReportView:
    """A report at a glance, its costliest launches first."""
    rows = launch_rows(report)
    first = longest_first(rows)
    path = report.path
    return ReportView(
        address=path,
        device=report.device,
        compute_capability=report.capability_text,
        sm_count=report.sm_count,
        tool_version=report.tool_version,
        created=moment(report.session.created_s),
        launch_count=len(rows),
        total_ns=total_ns(rows),
        launches=tuple(first[:limit]),
        truncated=len(rows) > limit,
        cautions=report.cautions,
        deeper=(
            deeper("a launch", "show", first[0].address),
            deeper("what limits it", "digest", path),
            *(
                (deeper("sums by kernel", "launches", path, "--by", "kernel"),)
                if len(rows) > 1
                else ()
            ),
            deeper("what the tool's rules say", "rules", path),
            deeper("how it was made", "session", path),
        ),
    )
