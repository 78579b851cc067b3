"""The digest: what limits each launch of a report, ranked (schema warpwright.digest/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model

Bound = Literal[
    "launch", "latency", "memory", "compute", "roofline.memory", "roofline.compute", "unknown"
]
Confidence = Literal["high", "medium", "low"]


class Speedup(Model):
    """Predicted whole-kernel speedup factors if this cause alone were removed (1.0 = none)."""

    low: float
    expected: float
    high: float


class Evidence(Model):
    """One measured fact. `value` None means not measured."""

    metric: str
    value: float | int | str | None
    unit: str | None = None
    meaning: str


class Place(Model):
    """Where in the source; `share` is the part (0..1) of this finding's cost spent there."""

    file: str
    line: int
    sass_pc: int | None = Field(default=None, description="Offset in the function, in bytes.")
    share: float


class Finding(Model):
    """One cause that costs time."""

    rank: int
    id: str
    address: str
    title: str
    speedup: Speedup
    evidence: tuple[Evidence, ...]
    where: tuple[Place, ...] = ()
    actions: tuple[str, ...]
    confidence: Confidence


class Caution(Model):
    """Why the numbers of a launch deserve less trust."""

    id: str
    text: str


class DigestLaunch(Model):
    """One launch's findings, the most promising first."""

    index: int
    address: str
    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    duration_ns: float | None
    share_of_time: float | None = Field(description="Of all launches in the report, 0..1.")
    bound: Bound
    findings: tuple[Finding, ...]
    cautions: tuple[Caution, ...]
    truncated: bool = False


class DigestReport(Model):
    """Facts of the report the digest was made from."""

    path: str
    tool_version: str | None
    device: str | None
    compute_capability: str | None
    sm_count: int | None


class Digest(Model):
    """The ranked findings of every launch. A pure function of the report and this version."""

    schema_name: Literal["warpwright.digest/1"] = Field(
        default="warpwright.digest/1", alias="schema"
    )
    report: DigestReport
    first: tuple[str, ...] = Field(description="What to do first over all launches.")
    missing: tuple[str, ...] = Field(description="What to collect to know more.")
    launches: tuple[DigestLaunch, ...]
    launches_left_out: int = Field(
        default=0, description="Launches that an explicit --budget left no room for."
    )
