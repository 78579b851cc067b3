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
_REASONS = (
    "selected", "not_selected", "wait", "long_scoreboard", "short_scoreboard", "mio_throttle",
    "lg_throttle", "math_pipe_throttle", "tex_throttle", "barrier", "no_instructions",
    "branch_resolving", "imc_miss", "membar", "drain", "dispatch_stall",
    "sleeping", "misc", "gmma", "warpgroup_arrive",
)  # fmt: skip
_TURNS = ("selected", "not_selected", "dispatch_stall", "math_pipe_throttle")


@dataclass(frozen=True)
class Stalls:
    """Warp samples of one launch. A sample is one warp at one instruction at one moment, so a share
    of the samples is a share of the warps' time."""  # noqa: D209

    launch: Launch
    total: float
    reasons: Mapping[str, float]

    @cached_property
    def samples(self) -> dict[int, float]:
        """All samples by PC offset; empty where no source counters were collected."""
        told = self.launch.per_pc(_TOTAL)
        if told:
            return told
        found: dict[int, float] = {}
        for reason in self.reasons:
            for pc, count in self.by_pc(reason).items():
                found[pc] = found.get(pc, 0.0) + count
        return found

    @cached_property
    def _by_pc(self) -> dict[str, dict[int, float]]:
        return {}

    def by_pc(self, reason: str) -> dict[int, float]:
        """Samples of one stall reason (`long_scoreboard`, `wait`, ...) by PC offset."""
        if reason not in self._by_pc:
            self._by_pc[reason] = self.launch.per_pc(_REASON + reason)
        return self._by_pc[reason]

    def share(self, reason: str) -> float:
        """The part (0..1) of the warps' time stalled for this reason."""
        return self.reasons.get(reason, 0.0) / self.total

    @cached_property
    def latency(self) -> float:
        """The part (0..1) of the warps' time that they wait for something but a turn.

        The rest is issuing, or waiting for a slot or a pipe: more warps cannot shorten that.
        """
        return max(0.0, 1 - sum(self.share(reason) for reason in _TURNS))

    @cached_property
    def global_waits(self) -> float:
        """The part (0..1) of the warps' time waiting for global data, or in the queue for it."""
        return min(1.0, self.global_latency + self.share("lg_throttle"))

    @cached_property
    def global_latency(self) -> float:
        """The part (0..1) of the warps' time waiting for global data."""
        if self.samples:
            return sum(self.data_waits[GLOBAL].values()) / self.total
        return self.share("long_scoreboard")

    @cached_property
    def at_work(self) -> dict[int, float]:
        """Samples by PC offset, without those that wait for data from memory."""
        waits = self.by_pc("long_scoreboard")
        return {pc: count - waits.get(pc, 0.0) for pc, count in self.samples.items()}

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
    """Stall samples of a launch; where there are none, the means of the warp state statistics.

    Reports before 2022 do not say how many samples there are: it is the sum over the reasons.
    None where neither was collected.
    """
    sampled = _told(launch, _REASON, "")
    total = launch.number(_TOTAL) or sum(sampled.values())
    if total:
        return Stalls(launch, total, sampled)
    means = _told(launch, "smsp__average_warps_issue_stalled_", "_per_issue_active.ratio")
    if any(means.values()):
        return Stalls(launch, sum(means.values()), means)
    return None


def _told(launch: Launch, before: str, after: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for reason in _REASONS:
        for name in (reason, reason.removesuffix("s")):  # the means have no_instruction
            value = launch.number(f"{before}{name}{after}")
            if value is not None:
                found[reason] = value
    return found
