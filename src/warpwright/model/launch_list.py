"""The launches of a report, as `ncu launches` lists them (schema warpwright.launches/1).

Plain dataclasses: pydantic takes longer to import than a report takes to read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from warpwright.model.report import Workload

Dimensions = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchRow:
    """One launch. `grid` and `block` are None of a range or graph, or where the report has none.

    `share_of_time` is of all launches in the report, 0..1. `nvtx` is the innermost NVTX range
    that was open.
    """

    index: int
    address: str
    kernel: str
    workload: Workload
    grid: Dimensions | None
    block: Dimensions | None
    duration_ns: float | None
    share_of_time: float | None
    stream: int | None
    nvtx: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelRow:
    """All launches of one kernel. Times are None where no launch of it has one.

    `share_of_time` is of all launches in the report, 0..1. `longest` is the address of its
    longest launch.
    """

    kernel: str
    launches: int
    total_ns: float | None
    share_of_time: float | None
    median_ns: float | None
    longest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchList:
    """The launches that were asked for, and the kernels that they are launches of.

    Both lists are cut by `--limit` (`truncated` says whether one was); the counts and `total_ns`
    are of all. The kernel with the most time comes first. `cautions` tell what of the report
    could not be read.
    """

    schema: Literal["warpwright.launches/1"] = "warpwright.launches/1"
    report: str
    launch_count: int
    kernel_count: int
    total_ns: float | None
    kernels: tuple[KernelRow, ...]
    launches: tuple[LaunchRow, ...]
    truncated: bool
    cautions: tuple[str, ...]
