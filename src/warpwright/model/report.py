"""A report of Nsight Compute, as the rest of Warpwright sees it.

Plain dataclasses, not pydantic: a launch holds thousands of metrics that are decoded when
asked for. The `report` room fills them; `advice` reads them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

from warpwright.model.annotations import Annotations, NoAnnotations
from warpwright.model.session_facts import Session

Value = float | int | str
Workload = Literal["kernel", "range", "graph", "cmdlist"]


class Metric(NamedTuple):
    """One metric of one launch.

    `value` is None where the report has none (absent is never zero) and NaN where the counter
    could not be read. `instances` maps a correlation id (a PC, an opcode, a size) to its value;
    where ids are absent (`has_ids` is False), to its position.
    """

    name: str
    value: Value | None
    instances: Mapping[Value, Value] = MappingProxyType({})
    has_ids: bool = True


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A place in the source. `line` counts from 1."""

    file: str
    line: int


class CodePart(NamedTuple):
    """One function: where it starts (as `Code.lines` counts), its mangled name, its ELF file."""

    start: int
    mangled: str
    cubin: bytes


class Code(Protocol):
    """The machine code behind a launch, as far as the report tells."""

    @property
    def base(self) -> int:
        """The PC that instance ids count from."""

    @property
    def lines(self) -> Mapping[int, SourceLine]:
        """PC offset (bytes from the function's start) -> innermost source line of own code."""

    @property
    def chains(self) -> Mapping[int, tuple[SourceLine, ...]]:
        """PC offset -> the lines that it comes from, innermost first, then what inlined it."""

    @property
    def parts(self) -> Sequence[CodePart]:
        """The functions whose machine code is there: one of a kernel, several of a range."""

    @property
    def sass(self) -> Mapping[int, str]:
        """PC offset -> instruction, where the report itself has the text (an exported page)."""

    @property
    def frame_bytes(self) -> int | None:
        """The function's stack frame per thread; None if the machine code is not there."""

    @property
    def damage(self) -> str | None:
        """Why `lines` are empty although there is machine code: it is damaged."""


@dataclass(frozen=True, slots=True)
class NoCode:
    """A launch without machine code."""

    base: int = 0
    lines: Mapping[int, SourceLine] = field(default_factory=dict)
    chains: Mapping[int, tuple[SourceLine, ...]] = field(default_factory=dict)
    parts: Sequence[CodePart] = ()
    sass: Mapping[int, str] = field(default_factory=dict)
    frame_bytes: int | None = None
    damage: str | None = None


@dataclass(frozen=True, slots=True)
class Launch:
    """One profiled kernel launch, or a range or graph that was measured as one (`workload`).

    A range has no grid and no block: both are (0, 0, 0). `created_s` is seconds since 1970 UTC.
    `clocks_locked`: the GPU's clocks were held at their base; None where the report is silent.
    `damage` says why nothing of it could be read, where that is so.
    """

    index: int
    kernel: str
    demangled: str
    mangled: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    compute_capability: tuple[int, int] | None
    metrics: Mapping[str, Metric]
    code: Code
    annotations: Annotations = field(default_factory=NoAnnotations)
    workload: Workload = "kernel"
    context: int | None = None
    stream: int | None = None
    thread: int | None = None
    process: int | None = None
    created_s: int | None = None
    clocks_locked: bool | None = None
    damage: str | None = None

    def number(self, name: str) -> float | None:
        """The value of a metric as a float; None where absent, not finite, or no number."""
        metric = self.metrics.get(name)
        if metric is None or metric.value is None or isinstance(metric.value, str):
            return None
        value = float(metric.value)
        return value if math.isfinite(value) else None

    def per_pc(self, name: str) -> dict[int, float]:
        """Instances of a source metric by PC offset (bytes from the function's start)."""
        metric = self.metrics.get(name)
        if metric is None:
            return {}
        return {
            pc - self.code.base: float(value)
            for pc, value in metric.instances.items()
            if isinstance(pc, int) and not isinstance(value, str)
        }


@dataclass(frozen=True, slots=True)
class Report:
    """One file of Nsight Compute. `sources` maps a file's path to its imported text.

    `clocks_unlocked`: clocks were free (--clock-control none, or a lock that failed). `cautions`
    say in one line each what of the file could not be read, where the rest is sound.
    """

    path: str
    tool_version: str | None
    device: str | None
    compute_capability: tuple[int, int] | None
    sm_count: int | None
    launches: Sequence[Launch]
    sources: Mapping[str, str] = field(default_factory=dict)
    clocks_unlocked: bool = False
    session: Session = field(default_factory=Session)
    cautions: tuple[str, ...] = ()

    @property
    def capability_text(self) -> str | None:
        """The compute capability as it is written: 9.0."""
        told = self.compute_capability
        return f"{told[0]}.{told[1]}" if told else None
