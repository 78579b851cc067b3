"""What Nsight Compute wrote about a launch beside its metrics: sections, rule results, NVTX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

RuleKind = Literal["ok", "optimization", "warning", "error", "none"]
SpeedupScope = Literal["global", "local", "unknown"]
Severity = Literal["default", "low", "high"]
MarkerKind = Literal["sass", "source"]
NvtxKind = Literal["push_pop", "start_end"]


@dataclass(frozen=True, slots=True)
class SectionMetric:
    """One row of a section: a metric's name, and the label and unit that the section gives it."""

    name: str
    label: str | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A section as its definition file had it. `header` is the table at its top.

    `parent` is the section that it extends. `body` holds the metrics of its tables and charts,
    in their order.
    """

    id: str
    name: str
    order: int
    description: str | None = None
    parent: str | None = None
    header: tuple[SectionMetric, ...] = ()
    body: tuple[SectionMetric, ...] = ()


@dataclass(frozen=True, slots=True)
class Speedup:
    """A rule's estimate in percent. Only a `global` one speaks of the kernel's own time;
    a `local` one speaks of one unit of the hardware."""  # noqa: D209

    scope: SpeedupScope
    pct: float


@dataclass(frozen=True, slots=True)
class FocusMetric:
    """A metric that a rule points at. `value` is None where the rule left it out."""

    name: str
    value: float | None
    severity: Severity
    info: str | None


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table of a rule: one tuple for every column, beside the columns' names."""

    title: str | None
    description: str | None
    headers: tuple[str, ...]
    columns: tuple[tuple[str | float | int, ...], ...]


@dataclass(frozen=True, slots=True)
class SourceMarker:
    """A rule's remark on one instruction (`pc`) or one source line (`file`, `line`)."""

    kind: MarkerKind
    text: str
    severity: RuleKind
    pc: int | None = None
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One message of one rule. `message` carries the tool's markup: `@section:ID:Label@`,
    `@url:Label:ADDRESS@`, `@source:...@`.

    `speedup` is what the tool estimates, since 2023.2. `markers` are those of the whole rule.
    """

    rule: str
    name: str
    section: str | None
    kind: RuleKind
    title: str | None
    message: str
    speedup: Speedup | None = None
    focus: tuple[FocusMetric, ...] = ()
    tables: tuple[RuleTable, ...] = ()
    markers: tuple[SourceMarker, ...] = ()


@dataclass(frozen=True, slots=True)
class NvtxRange:
    """One NVTX range that was open when the launch was issued; the outermost push comes first."""

    name: str
    domain: str
    kind: NvtxKind
    thread: int | None = None


class Annotations(Protocol):
    """Decoded from the report at the first look."""

    @property
    def sections(self) -> Sequence[Section]:
        """In the order in which the tool shows them: by `order`, then by id."""

    @property
    def rules(self) -> Sequence[RuleResult]:
        """All messages of rules, in file order; an empty one of a rule that only marks lines."""

    @property
    def nvtx(self) -> Sequence[NvtxRange]:
        """Open NVTX ranges, if the report was made with --nvtx."""


@dataclass(frozen=True, slots=True)
class NoAnnotations:
    """A launch of which only metrics are known."""

    sections: Sequence[Section] = ()
    rules: Sequence[RuleResult] = ()
    nvtx: Sequence[NvtxRange] = ()
