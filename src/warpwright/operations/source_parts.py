"""The parts of a source view: what each way of looking at a launch shows of it.

Every function returns fields of `SourceView`; its `cautions` are those of this way of looking.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from warpwright.errors import BadInput
from warpwright.model.report import Launch, SourceLine
from warpwright.operations.source_cautions import disassembly_of
from warpwright.operations.source_rows import Rows
from warpwright.operations.source_text import SourceText
from warpwright.query.hotspots import (
    InstructionCost,
    LineCost,
    by_instruction,
    by_line,
    stall_reasons,
)
from warpwright.query.pc_counters import heat

_NEIGHBOURS = 5  # lines before and after the one that is asked for
_CONTEXT = 2  # instructions before and after a hot one
_MOST_CALL_SITES = 3
_VISIBLE = 0.01


def line_parts(rows: Rows, launch: Launch, limit: int) -> dict[str, Any]:
    """The hottest lines, and those at which the most was inlined."""
    costs = by_line(launch)
    hot = [cost for cost in costs if heat(cost.own, rows.ranked_by)]
    visible = _VISIBLE * heat(rows.total, rows.ranked_by)
    sites = [cost for cost in costs if heat(cost.inlined, rows.ranked_by) > visible]
    sites.sort(key=lambda cost: -heat(cost.inlined, rows.ranked_by))
    return {
        "by": "line",
        "lines": rows.lines(hot[:limit]),
        "call_sites": rows.lines(sites[: min(limit, _MOST_CALL_SITES)]),
        "left_out": max(len(hot) - limit, 0),
        "cautions": _without_line(rows, hot),
    }


def sass_parts(rows: Rows, launch: Launch, limit: int) -> dict[str, Any]:
    """The hottest instructions, each with those before and after it."""
    code, cautions = disassembly_of(launch)
    ranked = by_instruction(launch, code)
    hot = [cost for cost in ranked if heat(cost.cost, rows.ranked_by)]
    order = sorted(ranked, key=lambda cost: cost.offset)
    position = {cost.offset: index for index, cost in enumerate(order)}
    near: dict[int, InstructionCost] = {}
    for cost in hot[:limit]:
        at = position[cost.offset]
        near.update((one.offset, one) for one in order[max(at - _CONTEXT, 0) : at + _CONTEXT + 1])
    return {
        "by": "sass",
        "instructions": rows.instructions(ranked, near.values()),
        "disassembler": code.tool if code else None,
        "left_out": max(len(hot) - limit, 0),
        "cautions": cautions,
    }


def stall_parts(rows: Rows, launch: Launch, limit: int) -> dict[str, Any]:
    """The stall reasons of most samples."""
    reasons = stall_reasons(launch)
    return {
        "by": "stall",
        "stalls": rows.stalls(reasons[:limit]),
        "left_out": max(len(reasons) - limit, 0),
    }


def around_parts(
    rows: Rows, launch: Launch, text: SourceText, line: SourceLine, limit: int
) -> dict[str, Any]:
    """A line, its neighbours, and its hottest instructions with what inlined them.

    Raises:
        BadInput: no instruction comes from the line, and its text is not known either.
    """
    code, cautions = disassembly_of(launch)
    ranked = by_instruction(launch, code)
    found = [cost for cost in ranked if line in cost.chain]
    if not found and text(line.file, line.line) is None:
        raise BadInput(
            f"no instruction of L{launch.index} comes from {line.file}:{line.line}",
            hint=f"the nearest that one comes from is {_nearest(rows, launch, line)}",
        )
    known = {cost.line: cost for cost in by_line(launch)}
    numbers = range(max(line.line - _NEIGHBOURS, 1), line.line + _NEIGHBOURS + 1)
    neighbours = [SourceLine(line.file, number) for number in numbers]
    return {
        "by": "around",
        "around": rows.place(line),
        "lines": rows.lines(
            known.get(one, LineCost(one))
            for one in neighbours
            if one in known or text(one.file, one.line) is not None
        ),
        "instructions": rows.instructions(ranked, found[:limit]),
        "disassembler": code.tool if code else None,
        "left_out": max(len(found) - limit, 0),
        "cautions": cautions,
    }


def _nearest(rows: Rows, launch: Launch, line: SourceLine) -> str:
    """An address; there is one, since the file was found by its instructions."""
    lines = {one for chain in launch.code.chains.values() for one in chain}
    near = min(
        (one for one in lines if one.file == line.file), key=lambda one: abs(one.line - line.line)
    )
    return rows.place(near).address


def _without_line(rows: Rows, hot: Iterable[LineCost]) -> tuple[str, ...]:
    whole = heat(rows.total, rows.ranked_by)
    rest = whole - sum(heat(cost.own, rows.ranked_by) for cost in hot)
    if rest <= _VISIBLE * whole or rest == whole:
        return ()
    return (
        f"{rest / whole:.0%} is of instructions without a line: code that the compiler added, "
        "or functions that are called and not inlined",
    )
