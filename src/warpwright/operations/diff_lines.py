"""Source lines of a pair of launches, compared, with text, places and shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from warpwright.model.difference import Cut, LineChange
from warpwright.model.source_view import LineRow
from warpwright.operations.diff_options import DiffOptions, Side
from warpwright.operations.source_rows import Rows
from warpwright.operations.source_text import SourceText
from warpwright.query.hotspots import LineCost
from warpwright.query.line_changes import LineComparison
from warpwright.query.noise import Noise

_BY_NUMBER = (
    "the reports do not hold the source: lines are matched by number, so lines that only shifted "
    "show as changed (profile with --import-source yes)"
)


def compare_lines(
    before: Side, after: Side, noise: Noise, options: DiffOptions
) -> tuple[Cut[LineChange] | None, tuple[str, ...]]:
    """The lines that changed, and why to doubt them; None: not measured on both sides."""
    sides = before, after
    texts = _texts(before.report.sources), _texts(after.report.sources)
    comparison = LineComparison(before.launch, after.launch, texts, noise)
    moves = comparison.changes()
    if moves is None:
        return None, ()
    rows = [Rows(s.report.path, s.launch, SourceText(s.report, s.launch, None)) for s in sides]
    shown = options.cut(moves)
    lines = tuple(
        LineChange(
            move=move.move,
            before=_line_row(rows[0], move.before),
            after=_line_row(rows[1], move.after),
            before_ns=move.before_ns,
            after_ns=move.after_ns,
        )
        for move in shown.rows
    )
    cautions = (_BY_NUMBER,) if comparison.unmatched_text else ()
    return Cut(rows=lines, count=shown.count), cautions


def _texts(sources: Mapping[str, str]) -> Callable[[str], Sequence[str] | None]:
    return lambda file: sources[file].split("\n") if file in sources else None


def _line_row(rows: Rows, cost: LineCost | None) -> LineRow | None:
    return rows.lines([cost])[0] if cost else None
