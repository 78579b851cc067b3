"""Where in the code a finding costs time: lines, instructions, and what warps did there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from warpwright.model.digest import Finding
from warpwright.model.explanation import ExplainedLine, StallShare
from warpwright.model.report import Launch, Report, SourceLine
from warpwright.model.source_view import InstructionRow
from warpwright.operations.source_cautions import cautions_of, disassembly_of
from warpwright.operations.source_rows import Rows
from warpwright.operations.source_text import SourceText
from warpwright.operations.times import stall_words
from warpwright.query.hotspots import by_instruction
from warpwright.query.pc_counters import PcCounters

_CONTEXT = 3  # instructions before and after the most costly one
_VISIBLE = 0.01


def code_parts(
    report: Report, launch: Launch, finding: Finding, source_root: Path | None
) -> dict[str, Any]:
    """The fields of an explanation that lie in the code; a finding without lines has none.

    Raises:
        BadInput: `source_root` is no folder.
    """
    text = SourceText(report, launch, source_root)
    rows = Rows(report.path, launch, text)
    lines = _lines(launch, finding)
    if not lines:
        return {"lines": (), "instructions": (), "hottest": None, "stalls": (), "notes": ()}
    shown = tuple(
        ExplainedLine(place=rows.place(line), text=text(line.file, line.line), share=share)
        for line, share in lines.items()
    )
    hottest = finding.where[0].sass_pc
    instructions, said = _around(rows, launch, hottest)
    return {
        "lines": shown,
        "instructions": instructions,
        "hottest": hottest,
        "stalls": _stalls(launch, set(lines)),
        "notes": (*cautions_of(launch, rows), *said, *text.cautions),
    }


def _lines(launch: Launch, finding: Finding) -> dict[SourceLine, float]:
    """The finding's places with the whole path of their files, and their shares."""
    lines = launch.code.lines
    return {
        lines[place.sass_pc]: place.share
        for place in finding.where
        if place.sass_pc is not None and place.sass_pc in lines
    }


def _around(
    rows: Rows, launch: Launch, hottest: int | None
) -> tuple[tuple[InstructionRow, ...], tuple[str, ...]]:
    code, cautions = disassembly_of(launch)
    ranked = by_instruction(launch, code)
    order = sorted(ranked, key=lambda cost: cost.offset)
    at = next((i for i, cost in enumerate(order) if cost.offset == hottest), None)
    if at is None:
        return (), cautions
    near = order[max(at - _CONTEXT, 0) : at + _CONTEXT + 1]
    return rows.instructions(ranked, near), cautions


def _stalls(launch: Launch, lines: set[SourceLine]) -> tuple[StallShare, ...]:
    """What warps were sampled doing at these lines, beside the whole launch."""
    counters = PcCounters(launch)
    at = [pc for pc, line in launch.code.lines.items() if line in lines]
    here, whole = counters.cost(at), counters.cost(counters.offsets)
    if not here.samples or not whole.samples or not here.stalls:
        return ()
    return tuple(
        StallShare(
            reason=reason,
            words=stall_words(reason),
            here=count / here.samples,
            whole=(whole.stalls or {}).get(reason, 0) / whole.samples,
        )
        for reason, count in here.stalls.items()
        if count >= _VISIBLE * here.samples
    )
