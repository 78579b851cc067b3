"""The verb `source`: the hot spots of a launch by line, instruction or stall reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from warpwright.errors import BadInput
from warpwright.model.address import Address
from warpwright.model.report import Launch, Report
from warpwright.model.source_view import SourceView
from warpwright.operations.opened import Opened, launch_address, open_report
from warpwright.operations.place import place_of
from warpwright.operations.source_cautions import cautions_of
from warpwright.operations.source_deeper import deeper_than
from warpwright.operations.source_parts import around_parts, line_parts, sass_parts, stall_parts
from warpwright.operations.source_rows import Rows
from warpwright.operations.source_text import SourceText
from warpwright.query.line_names import find_line

Ranked = Literal["line", "sass", "stall"]

# The most rows when nothing is said: every hot instruction stands with its neighbours.
_LIMITS = {"line": 10, "sass": 5, "stall": 10, "around": 40}


def show_source(
    address: str,
    by: Ranked | None = None,
    around: str | None = None,
    source_root: Path | None = None,
    limit: int | None = None,
) -> SourceView:
    """The hot spots of one launch; of several, when none is named, of the longest.

    Args:
        address: a report, a launch of it, or a source line (which is like `around`).
        by: what to rank: source lines (the default), instructions, or stall reasons.
        around: FILE:LINE, to be shown with its neighbours and all its instructions.
        source_root: the folder that holds sources which the report has not imported.
        limit: the most rows (of instructions the hottest); a few when None.

    Raises:
        BadInput: no such launch or line, both `by` and `around`, or no such folder.
        BadReport: the report cannot be read.
    """
    place = place_of(address)
    wanted = _wanted_line(address, place, around)
    if wanted is not None and by is not None:
        raise BadInput(
            f"--by {by} ranks the whole launch, and {wanted} is one line of it: give one of them",
            hint=f"leave out --by {by}",
        )
    opened = open_report(address)
    launch, notes = _launch_of(opened)
    text = SourceText(opened.report, launch, source_root)
    rows = Rows(opened.report.path, launch, text)
    most = limit or _LIMITS["around" if wanted is not None else by or "line"]
    if wanted is not None:
        parts = around_parts(rows, launch, text, find_line(launch, wanted), most)
    elif by == "sass":
        parts = sass_parts(rows, launch, most)
    elif by == "stall":
        parts = stall_parts(rows, launch, most)
    else:
        parts = line_parts(rows, launch, most)
    return _view(opened.report, launch, rows, text, notes, parts)


def _view(
    report: Report,
    launch: Launch,
    rows: Rows,
    text: SourceText,
    notes: tuple[str, ...],
    parts: dict[str, Any],
) -> SourceView:
    told = (*parts.pop("cautions", ()), *text.cautions)
    view = SourceView(
        launch=launch_address(Address(report.path), launch.index),
        kernel=launch.kernel,
        ranked_by=rows.ranked_by,
        samples=rows.total.samples,
        inst_executed=rows.total.inst_executed,
        notes=notes,
        cautions=(*cautions_of(launch, rows), *told),
        **parts,
    )
    return view.model_copy(update={"deeper": deeper_than(view, report, launch)})


def _wanted_line(address: str, place: Address, around: str | None) -> str | None:
    if place.kind not in (None, "line"):
        raise BadInput(
            f"'{address}' names a {place.kind}; source takes a report, a launch or a line",
            hint=f"warpwright ncu source '{Address(place.report, place.launch)}'",
        )
    if place.kind is not None and around not in (None, place.name):
        raise BadInput(
            f"'{address}' names a line and --around another one: give one of them",
            hint="leave out --around",
        )
    return place.name or around


def _launch_of(opened: Opened) -> tuple[Launch, tuple[str, ...]]:
    """The launch that was named, or the longest one, and a note that says so."""
    launches = opened.report.launches
    if opened.place.launch is not None or len(launches) == 1:
        return opened.launch, ()
    longest = max(launches, key=lambda launch: launch.number("gpu__time_duration.sum") or 0.0)
    address = launch_address(opened.place, longest.index)
    return longest, (f"the longest of {len(launches)} launches: {address}",)
