"""Hot spots as text: 80 columns, no colour."""

from __future__ import annotations

from warpwright.model.source_view import LineRow, SourceView
from warpwright.render.layout import WIDTH, wrapped
from warpwright.render.source_sass import line_instructions, program_lines
from warpwright.render.source_words import cost_text, count_text, cut, place_text, share_text

_HEADER = "of the header, counted for the line that calls it"
_ROWS = {"line": "lines", "sass": "hot instructions", "stall": "stall reasons"}


def source_text(view: SourceView) -> str:
    """A source view for a terminal."""
    lines = [view.launch, cut(view.kernel, WIDTH), *wrapped(_measured(view), "")]
    for told in (*view.notes, *(f"caution: {caution}" for caution in view.cautions)):
        lines += wrapped(told, "", hang=2)
    bodies = {"line": _by_line, "sass": _by_sass, "stall": _by_stall, "around": _around}
    lines += bodies[view.by](view)
    if view.left_out:
        what = _ROWS.get(view.by, "instructions of the line")
        lines += ["", f"... and {view.left_out} more {what} (--limit N shows more)"]
    if view.deeper:
        lines += ["", "next:"]
        for step in view.deeper:
            lines += [f"  {step.command}", f"      {step.what}"]
    return "\n".join(lines) + "\n"


def _measured(view: SourceView) -> str:
    parts = []
    if view.samples is not None:
        parts.append(f"{count_text(view.samples)} warp samples")
    if view.inst_executed is not None:
        parts.append(f"{count_text(view.inst_executed)} instructions executed by warps")
    if view.ranked_by:
        of = "samples" if view.ranked_by == "samples" else "executed instructions"
        parts.append(f"shares are of {of}")
    return "; ".join(parts) or "nothing measured by instruction"


def _by_line(view: SourceView) -> list[str]:
    lines = []
    if view.lines:
        lines += ["", "    own inlined  line"]
        for row in view.lines:
            lines += [*_line_head(row), *_cost_lines(row)]
    if view.call_sites:
        lines += ["", "where the most was inlined:", "    own inlined  line"]
        for row in view.call_sites:
            lines += _line_head(row)
    return lines


def _line_head(row: LineRow) -> list[str]:
    shares = f"{share_text(row.own_share)} {share_text(row.inlined_share)}  "
    head = f"{shares}{row.place.file}:{row.place.line}"
    text = (row.text or "").strip()
    if not text:
        return [head]
    room = WIDTH - len(head) - 2
    if len(text) <= room:
        return [f"{head}  {text}"]
    return [head, " " * len(shares) + cut(text, WIDTH - len(shares))]


def _cost_lines(row: LineRow) -> list[str]:
    told = cost_text(row.own) if row.own else ""
    return wrapped(told, " " * 17, hang=2) if told else []


def _by_sass(view: SourceView) -> list[str]:
    if not view.instructions:
        return []
    return ["", "   rank  offset   share  instruction", *program_lines(view.instructions)]


def _by_stall(view: SourceView) -> list[str]:
    if not view.stalls:
        return []
    lines = ["", "  share  samples  not issued  reason, and the lines that carry it"]
    for row in view.stalls:
        stuck = "-" if row.not_issued is None else count_text(row.not_issued)
        numbers = f"{share_text(row.share)} {count_text(row.samples):>8}  {stuck:>10}"
        lines.append(f"{numbers}  {_reason(row.reason)}")
        at = ", ".join(f"{place_text(line.place)} ({line.share:.0%})" for line in row.lines)
        lines += wrapped(at, " " * 29) if at else []
    return lines


def _reason(reason: str) -> str:
    return "selected (no stall: it issued)" if reason == "selected" else reason


def _around(view: SourceView) -> list[str]:
    header = any(row.header for row in view.lines)
    title = f"    line     own inlined{'  header' if header else ''}"
    lines = ["", view.around.file if view.around else "", title]
    for row in view.lines:
        mark = ">" if row.place == view.around else " "
        shares = [row.own_share, row.inlined_share, *([row.header_share] if header else [])]
        head = f"  {mark}{row.place.line:>5} {' '.join(map(share_text, shares))}  "
        lines.append((head + cut(row.text or "", WIDTH - len(head))).rstrip())
    for row in view.lines:
        if row.place == view.around:
            parts = (("own", row.own), ("inlined", row.inlined), (_HEADER, row.header))
            for name, cost in parts:
                if cost is not None:
                    lines += ["", *wrapped(f"{name}: {cost_text(cost)}", "  ", hang=2)]
    if not view.instructions:
        return [*lines, "", "  no instruction comes from this line"]
    return [*lines, *line_instructions(view.instructions)]
