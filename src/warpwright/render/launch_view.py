"""One launch as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpwright.model.launch_view import LaunchView, SectionRow
from warpwright.render.launches import size_text
from warpwright.render.layout import CUT, WIDTH, shortened, wrapped
from warpwright.render.values import short_value, value_lines


def launch_lines(view: LaunchView) -> Iterator[str]:
    """Its facts, findings, hottest lines and sections."""
    launch = view.launch
    yield view.address
    yield from wrapped(shortened(view.demangled or launch.kernel, 3 * WIDTH), "  ", 2)
    if launch.grid and launch.block:
        yield f"  grid {size_text(launch.grid)}, block {size_text(launch.block)}"
    elif launch.workload != "kernel":
        yield f"  a {launch.workload}, measured as one"
    if view.nvtx:
        yield from wrapped(f"NVTX: {' > '.join(view.nvtx)}", "  ", 2)
    for caution in view.cautions:
        yield from wrapped(f"caution: {caution}", "  ", 2)
    yield ""
    yield from value_lines(view.facts, names=False)
    if view.findings:
        yield from ("", "findings (predicted speedup of the kernel):")
        for found in view.findings:
            yield from wrapped(f"{found.expected:.2f}x {found.id}: {found.title}", "  ", 6)
    if view.lines:
        yield from ("", "hottest lines:")
        yield from (
            f"  {row.share:6.1%}  {row.address.partition('/line/')[2]}" for row in view.lines
        )
    if view.truncated:
        yield CUT
    if view.sections:
        yield from _sections(view.sections)


def _sections(sections: Sequence[SectionRow]) -> Iterator[str]:
    """Those with a table of their own, or advice."""
    yield from ("", "sections:")
    told = [row for row in sections if row.summary or row.advice]
    for row in told:
        yield from _section_row(row)
    if len(told) < len(sections):
        yield f"  and {len(sections) - len(told)} without a table of their own"


def _section_row(row: SectionRow) -> Iterator[str]:
    advice = f"  [{row.advice} advice]" if row.advice else ""
    summary = ", ".join(f"{one.label} {short_value(one)}" for one in row.summary)
    yield f"  {row.id}{advice}"
    if summary:
        yield f"      {shortened(summary, WIDTH - 6)}"
