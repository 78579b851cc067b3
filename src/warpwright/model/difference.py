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
Toward = Literal["gone", "fewer", "more", "some", "other"]
EffectVerdict = Literal[
    "took effect", "took effect in part", "did not take effect", "cannot be seen here"
]


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


class TimeMove(Model):
    """Time that warps spent in one way, or that a resource was busy. None: not measured.

    Of `stall` the time is the duration times the share of warp samples: these add up to the
    duration. Of `resource` it is the duration times the busy share of the peak; resources are busy
    at the same time.
    """

    kind: Literal["stall", "resource"]
    name: str
    metric: str
    before_ns: float | None
    after_ns: float | None


class NextLimit(Model):
    """What holds AFTER back: its first finding, and its busiest resource."""

    finding: str | None = Field(description="Its address; None: the digest has none.")
    title: str | None
    expected: float | None = Field(description="The predicted speedup factor.")
    resource: str | None = Field(description="The busiest; None: not measured.")
    busy_share: float | None = Field(description="Of its peak, 0..1, over the whole device.")


class Sighting(Model):
    """One number that must move when a cause is removed, before and after."""

    what: str
    toward: Toward = Field(
        description="gone: to none; fewer, more; some: from none to some; other: it differs."
    )
    metric: str
    unit: str | None
    counted: str | None = Field(
        description="Of opcodes: executed, executed without modifiers, or written in the code."
    )
    before: float | None
    after: float | None
    decisive: bool
    moved: bool | None = Field(description="As it must; None: not to be seen on both sides.")


class Effect(Model):
    """Whether the change that a finding asks for is there in AFTER."""

    id: str
    title: str | None = Field(description="Of BEFORE's finding; None: BEFORE does not have it.")
    before_address: str
    claimed: bool = Field(description="It was named by --claim; else the finding vanished.")
    verdict: EffectVerdict
    why: str
    sightings: tuple[Sighting, ...]


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
    times: tuple[TimeMove, ...] | None = Field(
        default=None, description="Where the time went, the largest change first."
    )
    causes: Cut[CauseChange] | None = None
    effects: tuple[Effect, ...] = Field(
        default=(), description="Of causes that were claimed, or that vanished."
    )
    next_limit: NextLimit | None = None
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
