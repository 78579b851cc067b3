"""A report at a glance, as text."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.report_view import ReportView
from warpwright.render.launches import launch_table
from warpwright.render.layout import CUT, wrapped
from warpwright.render.numbers import time_text


def report_lines(view: ReportView) -> Iterator[str]:
    """What it is of, and its costliest launches."""
    yield view.address
    facts = (
        view.device,
        view.compute_capability and f"cc {view.compute_capability}",
        view.sm_count and f"{view.sm_count} SMs",
        view.tool_version and f"ncu {view.tool_version}",
        view.created,
    )
    yield from wrapped(", ".join(str(fact) for fact in facts if fact), "  ")
    count = "1 launch" if view.launch_count == 1 else f"{view.launch_count} launches"
    yield f"  {count}, {time_text(view.total_ns)}"
    for caution in view.cautions:
        yield from wrapped(f"caution: {caution}", "  ", 2)
    yield ""
    yield from launch_table(view.launches)
    if view.truncated:
        yield CUT
