"""A build report as text: what an engineer wants to know of each kernel in ten seconds."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from warpwright.model.build import Access, BuildReport, KernelBuild

WIDTH = 80
_MOST_OPCODES = 8
_MOST_LINES = 8
_SPACES = ("local", "global", "shared", "generic")  # constants are parameters: not shown


def build_text(report: BuildReport) -> str:
    """The report for a terminal, 80 columns, no colour."""
    made = "from an earlier build" if report.cached else f"{report.seconds:.1f} s"
    facts = [report.language, report.target, report.compiler, made if report.compiler else None]
    lines = [report.candidate, *_wrap(", ".join(fact for fact in facts if fact), "  ")]
    for kernel in report.kernels:
        lines += ["", *_kernel(kernel)]
    notes = [f"caution: {text}" for text in report.cautions]
    notes += [f"compiler: {text}" for text in report.warnings]
    if notes:
        lines += ["", *(line for note in notes for line in _wrap(note, "", "  "))]
    return "\n".join(lines) + "\n"


def _kernel(kernel: KernelBuild) -> Iterator[str]:
    yield from _wrap(short_name(kernel.demangled), "", "    ")
    facts = [
        f"{kernel.registers} registers",
        f"stack {kernel.stack_bytes} B",
        _spills(kernel),
        f"shared {kernel.shared_static_bytes} B",
    ]
    if kernel.instructions is not None:
        facts.append(f"{kernel.instructions} instructions")
    yield from _wrap(", ".join(facts), "  ", "    ")
    for limit in kernel.occupancy:
        fits = (
            f"{limit.blocks_per_sm} blocks an SM, {limit.warps_per_sm} warps,"
            f" {limit.occupancy_pct:.0f} % occupancy, limit: {limit.limiter}"
            if limit.blocks_per_sm
            else f"does not fit on an SM: {limit.limiter}"
        )
        yield f"  block of {limit.block_threads}: {fits}"
    for text in local_memory(kernel):
        yield from _wrap(text, "  ", "    ")
    if kernel.opcodes:
        top = list(kernel.opcodes.items())[:_MOST_OPCODES]
        yield from _wrap("most: " + ", ".join(f"{o} {n}" for o, n in top), "  ", "    ")
    for space in _SPACES:
        yield from _space(space, [a for a in kernel.accesses if a.space == space])


def local_memory(kernel: KernelBuild) -> list[str]:
    """What lies in local memory, and why: spilled registers, an array, or both.

    ptxas counts what its spills store; local stores beyond that are of a variable that the
    program itself keeps in memory.
    """
    local = [a for a in kernel.accesses if a.space == "local"]
    spilled = kernel.spill_store_bytes or 0
    stored = sum(a.count * (a.width_bits or 0) // 8 for a in local if a.op == "store")
    texts = []
    if spilled:
        texts.append(
            f"Registers spill: {spilled} B stored and {kernel.spill_load_bytes} B loaded in the"
            " code (static)."
        )
    if kernel.stack_bytes and (stored > spilled if local else not spilled):
        told = "" if kernel.spill_store_bytes is None or spilled else ", and nothing is spilled"
        lines = sorted({a.line for a in local if a.line is not None})
        where = f" Lines {', '.join(map(str, lines))}." if lines and not spilled else ""
        texts.append(
            "An array lives in local memory: it is indexed by a run-time value or too large"
            f" ({kernel.stack_bytes} B of stack a thread{told}).{where}"
        )
    return texts


def _spills(kernel: KernelBuild) -> str:
    if kernel.spill_store_bytes is None:
        return "spills unknown"
    if not kernel.spill_store_bytes and not kernel.spill_load_bytes:
        return "no spills"
    return f"spills {kernel.spill_store_bytes} B out, {kernel.spill_load_bytes} B in"


def _space(space: str, found: list[Access]) -> Iterator[str]:
    """Accesses of one space by source line, the lines with most first."""
    lines: dict[tuple[str, int], list[Access]] = {}
    for access in found:
        lines.setdefault((access.file or "?", access.line or 0), []).append(access)
    busiest = sorted(lines, key=lambda place: -sum(a.count for a in lines[place]))
    for place in sorted(busiest[:_MOST_LINES]):
        where = f"{place[0]}:{place[1]}" if place[1] else place[0]
        what = ", ".join(_accesses(lines[place]))
        yield from _wrap(f"{space:<6} {where:<18} {what}", "  ", " " * 28)
    if (more := len(busiest) - _MOST_LINES) > 0:
        yield f"  {space:<6} ... and {more} more line{'s' if more > 1 else ''}"


def _accesses(at_line: Iterable[Access]) -> Iterator[str]:
    for access in sorted(at_line, key=lambda a: (a.op, -(a.width_bits or 0))):
        width = "bulk" if access.width_bits is None else f"{access.width_bits} bit"
        yield f"{access.op} {access.count} x {width}"


def short_name(demangled: str) -> str:
    """A function's name without its return type and parameters."""
    depth = 0
    for at in range(len(demangled) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(demangled[at], 0)
        if depth == 0:
            name = demangled[:at] if demangled.endswith(")") else demangled
            return name.removeprefix("void ")
    return demangled


def _wrap(text: str, first: str, rest: str | None = None) -> list[str]:
    indent = first if rest is None else rest
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=indent) or [""]
