"""What the machine code, and the counters at its instructions, tell of a launch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from warpwright.advice.machine import Machine, machine_of
from warpwright.advice.stalls import Stalls
from warpwright.model.digest import Confidence
from warpwright.model.report import Launch

_WIDE = (8, 16)  # bytes of an access that is wider than a register


@dataclass(frozen=True)
class CodeFacts:
    """One launch's instructions with what was counted and sampled at them."""

    launch: Launch
    stalls: Stalls | None

    @cached_property
    def machine(self) -> Machine | None:
        """The kernel's instructions; None where the report does not hold them."""
        return machine_of(self.launch)

    @cached_property
    def sampled(self) -> bool:
        """Stalls were sampled by instruction."""
        return self.stalls is not None and bool(self.stalls.samples)

    @cached_property
    def executed(self) -> Mapping[int, float]:
        """How often each instruction ran (inst_executed), or a guess from the loops of the code."""
        counted = self.launch.per_pc("inst_executed")
        return counted or (self.machine.weights if self.machine is not None else {})

    @cached_property
    def spent(self) -> Mapping[int, float]:
        """The part (0..1) of the warps' time at each instruction, but for waiting for data.

        Where stalls were not sampled, each execution counts alike.
        """
        if self.stalls is not None and self.sampled:
            return {pc: n / self.stalls.total for pc, n in self.stalls.at_work.items()}
        total = sum(self.executed.values())
        return {pc: count / total for pc, count in self.executed.items()} if total else {}

    @cached_property
    def mergeable(self) -> Mapping[int, int]:
        """Offset -> bytes (8 or 16) of one wide access that could do what several do now.

        By the machine code a thread moves that many bytes side by side, and by the sectors of a
        request (a byte of stride between lanes each) its neighbours go on where it ends.
        """
        if self.machine is None:
            return {}
        sectors = self.launch.per_pc("memory_l2_theoretical_sectors_global")
        requests = self.launch.per_pc("memory_l1_tag_requests_global")
        return {
            pc: run
            for pc, run in self.machine.runs.items()
            if run in _WIDE
            and requests.get(pc)
            and sectors.get(pc, 0.0) <= 1.1 * run * requests[pc]
        }

    def confidence(self, share: float) -> Confidence:
        """In a cause that takes a share (0..1) of the warps' time, by the machine code."""
        if not self.sampled:
            return "low"
        return "high" if share > 0.3 else "medium"
