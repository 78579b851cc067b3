"""What the machine code of a launch says of it: how often each opcode ran, or stands in the code.

Three ways to count, the best first: with modifiers as executed (the report's own counts, else its
SASS joined with the executions of each PC), without modifiers as executed, and as written in the
SASS. Counts of two launches compare only if both were made the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from warpwright.cubin.sass import Disassembly
from warpwright.model.report import Launch

Counts = Mapping[str, float]
Way = Literal["executed", "executed, opcodes alone", "written in the code"]
WAYS: tuple[Way, ...] = ("executed", "executed, opcodes alone", "written in the code")

_OPCODES = "sass__inst_executed_per_opcode"
_LANES = "sass__thread_inst_executed_true_per_opcode"


@dataclass(frozen=True)
class MachineFacts:
    """One launch. `disassemble` gives its instructions when they are needed, or None."""

    launch: Launch
    disassemble: Callable[[Launch], Disassembly | None]

    def counts(self, way: Way) -> Counts | None:
        """Opcode -> how often; None where that cannot be told."""
        if way == "executed":
            told = self.instances(f"{_OPCODES}_with_modifier_all")
            return told or self._joined
        if way == "executed, opcodes alone":
            return self.instances(_OPCODES) or None
        return self._written

    def instances(self, metric: str) -> dict[str, float]:
        """The instances of a metric that counts by opcode; empty where it was not collected."""
        held = self.launch.metrics.get(metric)
        pairs = held.instances.items() if held is not None else ()
        return {str(name): float(n) for name, n in pairs if not isinstance(n, str) and n == n}

    def lanes(self, opcodes: str) -> float | None:
        """Lanes that executed these opcodes (a pattern of the opcode alone)."""
        told = self.instances(_LANES)
        return opcode_sum(told, opcodes) if told else None

    @cached_property
    def _code(self) -> Disassembly | None:
        return self.disassemble(self.launch)

    @cached_property
    def _written(self) -> Counts | None:
        return self._tallied(None)

    @cached_property
    def _joined(self) -> Counts | None:
        executed = self.launch.per_pc("inst_executed")
        return self._tallied(executed) if executed else None

    def _tallied(self, executed: Mapping[int, float] | None) -> Counts | None:
        if self._code is None:
            return None
        sums: dict[str, float] = {}
        for one in self._code.functions.get(self.launch.mangled, ()):
            times = 1.0 if executed is None else executed.get(one.offset, 0.0)
            sums[one.opcode] = sums.get(one.opcode, 0.0) + times
        return sums or None


def opcode_sum(counts: Counts, opcodes: str) -> float:
    """How often opcodes ran whose name without modifiers fits the pattern."""
    return sum(n for name, n in counts.items() if re.fullmatch(opcodes, name.partition(".")[0]))


_GLOBAL = r"LDG|STG|LDGSTS|LD|ST"
_BYTES = {"U8": 1.0, "S8": 1.0, "U16": 2.0, "S16": 2.0, "64": 8.0, "128": 16.0, "256": 32.0}


def access_bytes(counts: Counts) -> float | None:
    """Mean bytes that a lane moves by an access to global memory, from the opcodes' widths."""
    moved, accesses = 0.0, 0.0
    for name, n in counts.items():
        base, *modifiers = name.split(".")
        if re.fullmatch(_GLOBAL, base):
            moved += n * next((_BYTES[m] for m in reversed(modifiers) if m in _BYTES), 4.0)
            accesses += n
    return moved / accesses if accesses else None
