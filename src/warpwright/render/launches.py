"""The launches of a report as text."""

from __future__ import annotations

from collections.abc import Sequence

from warpwright.model.launch_list import Dimensions, KernelRow, LaunchList, LaunchRow
from warpwright.operations.deeper import deeper
from warpwright.render.layout import deeper_lines, shortened, table, wrapped
from warpwright.render.numbers import time_text

_NAME = 30
_NVTX = 12


def launches_text(found: LaunchList) -> str:
    """The kernels, where they were asked for or not all launches are shown; then the launches."""
    count = "1 launch" if found.launch_count == 1 else f"{found.launch_count} launches"
    lines = [f"{found.report}: {count}, {time_text(found.total_ns)}"]
    for caution in found.cautions:
        lines += wrapped(f"caution: {caution}", "", 2)
    left_out = found.launch_count - len(found.launches)
    if left_out and found.kernels:
        lines += ["", *_kernels(found.kernels)]
        if found.kernel_count > len(found.kernels):
            more = found.kernel_count - len(found.kernels)
            lines.append(f"... and {more} more kernels (--limit N shows more)")
    if found.launches:
        lines += ["", *launch_table(found.launches)]
        if left_out:
            lines.append(f"... and {left_out} more launches (--limit N shows more)")
    first = found.launches[0].address if found.launches else found.kernels[0].longest
    lines += deeper_lines([deeper("a launch", "show", first)])
    return "\n".join(lines) + "\n"


def launch_table(rows: Sequence[LaunchRow]) -> list[str]:
    """One line for each launch."""
    head = ("", "kernel", "grid", "block", "time", "share", "NVTX")
    body = [
        (
            f"L{row.index}",
            shortened(row.kernel, _NAME),
            size_text(row.grid) or ("" if row.workload == "kernel" else row.workload),
            size_text(row.block),
            time_text(row.duration_ns),
            _share(row.share_of_time),
            shortened(row.nvtx or "", _NVTX),
        )
        for row in rows
    ]
    return table([head, *body], right=(4, 5))


def _kernels(rows: Sequence[KernelRow]) -> list[str]:
    head = ("kernel", "launches", "time", "share", "median", "longest")
    body = [
        (
            shortened(row.kernel, _NAME),
            str(row.launches),
            time_text(row.total_ns),
            _share(row.share_of_time),
            time_text(row.median_ns),
            row.longest.rpartition("#")[2],
        )
        for row in rows
    ]
    return table([head, *body], right=(1, 2, 3, 4))


def size_text(size: Dimensions | None) -> str:
    """A grid or block: 64x1x1; nothing of what has none."""
    return "x".join(map(str, size)) if size else ""


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
