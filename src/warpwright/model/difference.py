"""What changed between two reports, launch by launch (schema warpwright.difference/1)."""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper
from warpwright.model.digest import Bound, Confidence, DigestReport
from warpwright.model.launch_list import LaunchRow
from warpwright.model.source_view import LineRow

T = TypeVar("T")
MatchedBy = Literal["address", "mangled name", "demangled name", "base name", "order"]
CauseState = Literal["solved", "new", "changed", "same", "not measured"]
MetricKind = Literal["time", "stall", "throughput", "traffic", "occupancy", "instructions"]
Move = Literal["appeared", "vanished", "moved"]


class Cut(Model, Generic[T]):
    """The first rows of a list, and how many it has in all."""

    rows: tuple[T, ...]
    count: int


class CauseChange(Model):
    """A finding of the digest, before and after. `expected` is the predicted speedup factor."""

    state: CauseState
    id: str
    title: str = Field(description="As it is after; of a solved one, as it was.")
    confidence: Confidence
    before_expected: float | None
    after_expected: float | None
    before_address: str | None
    after_address: str | None


class MetricChange(Model):
    """A metric that both launches have. `kind` None: none of those that explain time."""

    metric: str
    kind: MetricKind | None
    label: str | None
    unit: str | None
    before: float | int | str
    after: float | int | str
    factor: float | None = Field(description="After / before; None where that has no meaning.")
    noise: float | None = Field(
        description="What this metric may differ by without any change, in its unit."
    )
    moved: bool = Field(description="It differs by more than its noise.")


class LineChange(Model):
    """A source line, matched by its text where both reports hold it, else by its number."""

    move: Move
    before: LineRow | None
    after: LineRow | None
    before_ns: float | None = Field(description="The part of the duration that samples give it.")
    after_ns: float | None


class OpcodeChange(Model):
    """An opcode and how often warps executed it; None: no instruction has it."""

    move: Move
    opcode: str
    before: float | None
    after: float | None


class OnlyIn(Model):
    """Names that one side has and the other lacks: not measured there, which is not zero."""

    before: Cut[str]
    after: Cut[str]


class LaunchPair(Model):
    """Two launches of the same work. A part is None where one side or both did not measure it,
    or where the numbers alone were asked for."""  # noqa: D209

    before: LaunchRow
    after: LaunchRow
    matched_by: MatchedBy
    speedup: float | None = Field(description="Duration before / after; above 1 is faster.")
    time_noise_pct: float | None = Field(description="The noise of the duration, of the longer.")
    cautions: tuple[str, ...]
    before_bound: Bound | None = None
    after_bound: Bound | None = None
    causes: Cut[CauseChange] | None = None
    metrics: Cut[MetricChange] = Field(
        description="Those that explain time, ranked; the limit holds for each kind, the count is "
        "of all that moved. With --raw or --metric: all that were asked for."
    )
    lines: Cut[LineChange] | None = None
    opcodes: Cut[OpcodeChange] | None = None
    only_in: OnlyIn


class Difference(Model):
    """Two reports, or two launches of one, compared: the pair that changed most comes first."""

    schema_name: Literal["warpwright.difference/1"] = Field(
        default="warpwright.difference/1", alias="schema"
    )
    before: DigestReport
    after: DigestReport
    raw: bool = Field(description="The numbers alone were asked for.")
    before_total_ns: float | None = Field(description="Of all launches that are meant.")
    after_total_ns: float | None
    pairs: Cut[LaunchPair]
    only_before: Cut[LaunchRow] = Field(description="Launches without a counterpart.")
    only_after: Cut[LaunchRow]
    cautions: tuple[str, ...]
    deeper: tuple[Deeper, ...]
