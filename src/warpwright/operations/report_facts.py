"""Facts of a report as documents hold them."""

from __future__ import annotations

from warpwright.model.digest import DigestReport
from warpwright.model.report import Report


def report_facts(report: Report) -> DigestReport:
    """What a report tells of itself."""
    return DigestReport(
        path=report.path,
        tool_version=report.tool_version,
        device=report.device,
        compute_capability=report.capability_text,
        sm_count=report.sm_count,
    )
