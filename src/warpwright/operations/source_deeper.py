"""Where to go on from a source view."""

from __future__ import annotations

from warpwright.model.deeper import Deeper
from warpwright.model.report import Launch, Report
from warpwright.model.source_view import CodePlace, SourceView
from warpwright.operations.deeper import deeper


def deeper_than(view: SourceView, report: Report, launch: Launch) -> tuple[Deeper, ...]:
    """The hottest line, and the other ways to look at the launch that have something to show."""
    place = _hottest(view)
    steps = [deeper("the hottest of these lines", "source", place.address)] if place else []
    if view.by != "line" and launch.code.lines:
        steps.append(deeper("its lines", "source", view.launch))
    if view.by != "sass" and (launch.code.parts or view.ranked_by):
        steps.append(deeper("its instructions", "source", view.launch, "--by", "sass"))
    if view.by != "stall" and view.samples:
        steps.append(deeper("its stall reasons", "source", view.launch, "--by", "stall"))
    if view.notes:
        steps.append(deeper("the other launches", "launches", report.path))
    return (*steps,) if steps else (deeper("the launch", "show", view.launch),)


def _hottest(view: SourceView) -> CodePlace | None:
    """The line to look at next; none where one is being looked at."""
    if view.by == "line" and view.lines:
        return view.lines[0].place
    if view.by == "stall" and view.stalls and view.stalls[0].lines:
        return view.stalls[0].lines[0].place
    if view.by == "sass":
        ranked = [row for row in view.instructions if row.rank is not None]
        return min(ranked, key=lambda row: row.rank or 0).place if ranked else None
    return None
