"""The verb `launches`: which kernels ran, and where the time went."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Literal

from warpwright.errors import BadInput
from warpwright.model.address import Address
from warpwright.model.launch_list import KernelRow, LaunchList, LaunchRow
from warpwright.model.report import Launch, Report
from warpwright.operations.opened import open_report

Order = Literal["time", "index"]
Grouping = Literal["launch", "kernel"]

_DURATION = "gpu__time_duration.sum"


def list_launches(
    address: str,
    kernel: str | None = None,
    by: Grouping = "launch",
    sort: Order = "time",
    limit: int = 20,
) -> LaunchList:
    """The launches of a report, or the one that the address names.

    Args:
        address: REPORT or REPORT#L0.
        kernel: a regular expression that the kernel's name must contain.
        by: `kernel` leaves the single launches out.
        sort: launches by their time, the longest first, or as they ran. Launches whose time is
            not known come last.
        limit: how many launches and how many kernels.

    Raises:
        BadInput: no such launch, no launch of such a kernel, or no regular expression.
        BadReport: the report cannot be read.
    """
    opened = open_report(address)
    every = launch_rows(opened.report)
    rows = [row for row in every if opened.place.launch in (None, row.index)]
    if kernel is not None:
        wanted = _pattern(kernel)
        rows = [row for row in rows if wanted.search(row.kernel)]
        if not rows:
            raise BadInput(
                f"no launch of a kernel that matches '{kernel}'",
                hint=f"warpwright ncu launches {opened.place.report} --by kernel",
            )
    kernels = _by_kernel(rows)
    if sort == "time":
        rows = longest_first(rows)
    launches = rows if by == "launch" else []
    return LaunchList(
        report=opened.place.report,
        launch_count=len(rows),
        kernel_count=len(kernels),
        total_ns=total_ns(rows),
        kernels=tuple(kernels[:limit]),
        launches=tuple(launches[:limit]),
        truncated=max(len(kernels), len(launches)) > limit,
        cautions=opened.report.cautions,
    )


def launch_rows(report: Report) -> list[LaunchRow]:
    """One row for each launch, in order. No launch is kept: only these facts of it."""
    rows = [launch_row(report, launch) for launch in report.launches]
    total = total_ns(rows)
    if not total:
        return rows
    return [
        row if row.duration_ns is None else replace(row, share_of_time=row.duration_ns / total)
        for row in rows
    ]


def launch_row(report: Report, launch: Launch) -> LaunchRow:
    """The facts of one launch. Its share of time is not known from it alone."""
    nvtx = launch.annotations.nvtx
    return LaunchRow(
        index=launch.index,
        address=str(Address(report.path, launch.index)),
        kernel=launch.kernel,
        workload=launch.workload,
        grid=launch.grid if any(launch.grid) else None,
        block=launch.block if any(launch.block) else None,
        duration_ns=launch.number(_DURATION),
        share_of_time=None,
        stream=launch.stream,
        nvtx=nvtx[-1].name if nvtx else None,
    )


def total_ns(rows: Sequence[LaunchRow]) -> float | None:
    """The sum of the durations that are known; None if none is."""
    known = [row.duration_ns for row in rows if row.duration_ns is not None]
    return sum(known) if known else None


def longest_first(rows: Sequence[LaunchRow]) -> list[LaunchRow]:
    """By duration; launches without one come last."""
    return sorted(rows, key=lambda row: math.inf if row.duration_ns is None else -row.duration_ns)


def _by_kernel(rows: Sequence[LaunchRow]) -> list[KernelRow]:
    groups: dict[str, list[LaunchRow]] = {}
    for row in rows:
        groups.setdefault(row.kernel, []).append(row)
    kernels = [_kernel(name, group) for name, group in groups.items()]
    return sorted(kernels, key=lambda row: -(row.total_ns or 0.0))


def _kernel(name: str, rows: Sequence[LaunchRow]) -> KernelRow:
    times = [row.duration_ns for row in rows if row.duration_ns is not None]
    shares = [row.share_of_time for row in rows if row.share_of_time is not None]
    return KernelRow(
        kernel=name,
        launches=len(rows),
        total_ns=sum(times) if times else None,
        share_of_time=sum(shares) if shares else None,
        median_ns=median(times) if times else None,
        longest=longest_first(rows)[0].address,
    )


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise BadInput(
            f"'{text}' is no regular expression: {error}", hint="for example 'gemm|softmax'"
        ) from None
