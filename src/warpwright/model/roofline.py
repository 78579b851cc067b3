"""Where a launch stands under the roofs of its device (schema warpwright.roofline/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.calibration import Rate
from warpwright.model.deeper import Deeper

Source = Literal["calibrated", "data sheet", "report", "derived"]
Side = Literal["memory", "compute"]
Memory = Literal["dram", "l2", "l1"]


class Ceiling(Model):
    """A rate that cannot be passed, in bytes or operations a second.

    `report`: Nsight Compute's peak, at this launch's clocks. `derived`: from the device's
    attributes; `detail` says which, and what was assumed.
    """

    value: float
    source: Source
    detail: str


class Traffic(Model):
    """Bytes that one level of memory moved. `headroom`: ceiling / achieved."""

    level: Memory
    bytes: float
    bytes_per_s: float
    metric: str = Field(description="What the bytes were counted with.")
    ceiling: Ceiling | None = Field(description="None: not known.")
    at_clock: Ceiling | None = Field(description="The report's own, where that is another.")
    headroom: float | None


class Work(Model):
    """Operations of one kind.

    `intensity`: operations a byte of each level that was measured. `ridge`: the intensity from
    which on the DRAM's roof is no longer the lower one; `side` tells which is, at this launch's.
    `roof_flop_per_s`: the lower one, there; `headroom`: roof / achieved.
    """

    rate: Rate
    flop: float
    flop_per_s: float
    metric: str = Field(description="What the operations were counted with.")
    intensity: dict[Memory, float]
    ceiling: Ceiling | None = Field(description="None: not known.")
    at_clock: Ceiling | None = Field(description="The report's own, where that is another.")
    ridge: float | None
    side: Side | None
    roof_flop_per_s: float | None
    headroom: float | None


class Roofline(Model):
    """One launch under its roofs. `work` has the kind nearest to its ceiling first."""

    schema_name: Literal["warpwright.roofline/1"] = Field(
        default="warpwright.roofline/1", alias="schema"
    )
    address: str
    kernel: str
    device: str | None
    compute_capability: str | None
    sm_count: int | None
    duration_ns: float
    sm_hz: float | None = Field(description="SM clock of this launch, cycles a second.")
    traffic: tuple[Traffic, ...]
    work: tuple[Work, ...]
    side: Side | None = Field(description="Which roof is nearest; None: not known.")
    headroom: float | None = Field(description="How far it is, as a factor of speed.")
    meaning: str
    notes: tuple[str, ...] = Field(description="What was assumed, or counted with reserve.")
    missing: tuple[str, ...] = Field(description="What the report has not, and what collects it.")
    deeper: tuple[Deeper, ...]
