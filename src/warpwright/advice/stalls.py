"""Stall sampling: what the resident warps spent their time on, and at which instruction."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from warpwright.model.report import Launch

GLOBAL, LOCAL, SHARED = 4, 8, 16  # codes of the source metric memory_type
_LOAD = 2  # code of the source metric memory_access_type
_TOTAL = "smsp__pcsamp_sample_count"
_REASON = "smsp__pcsamp_warps_issue_stalled_"


@dataclass(frozen=True)
class Stalls:
    """Warp samples of one launch. A sample is one warp at one instruction at one moment, so a share
    of the samples is a share of the warps' time."""  # noqa: D209

    launch: Launch
    total: float

    @cached_property
    def samples(self) -> dict[int, float]:
        """All samples by PC offset."""
        return self.launch.per_pc(_TOTAL)

    def by_pc(self, reason: str) -> dict[int, float]:
        """Samples of one stall reason (`long_scoreboard`, `wait`, ...) by PC offset."""
        return self.launch.per_pc(_REASON + reason)

    def share(self, reason: str) -> float:
        """The part (0..1) of the warps' time stalled for this reason."""
        count = self.launch.number(_REASON + reason)
        return count / self.total if count else 0.0

    @cached_property
    def memory_type(self) -> dict[int, int]:
        """PC offset -> GLOBAL, LOCAL, SHARED (or another code) of its memory instruction."""
        return {pc: int(code) for pc, code in self.launch.per_pc("memory_type").items()}

    @cached_property
    def data_waits(self) -> Mapping[int, dict[int, float]]:
        """Long-scoreboard samples by what they wait for: GLOBAL or LOCAL -> PC offset -> samples.

        A stalled instruction waits for a load before it. Which one is not in the report, so the
        nearest preceding global or local load in program order is taken.
        """
        access = self.launch.per_pc("memory_access_type")
        loads = sorted(
            pc
            for pc, kind in self.memory_type.items()
            if kind in (GLOBAL, LOCAL) and access.get(pc) == _LOAD
        )
        waits: dict[int, dict[int, float]] = {GLOBAL: {}, LOCAL: {}}
        for pc, count in self.by_pc("long_scoreboard").items():
            position = bisect_left(loads, pc)
            kind = self.memory_type[loads[position - 1]] if position else GLOBAL
            waits[kind][pc] = count
        return waits


def read_stalls(launch: Launch) -> Stalls | None:
    """Stall samples of a launch; None where sampling was not collected or saw nothing."""
    total = launch.number(_TOTAL)
    return Stalls(launch, total) if total else None
