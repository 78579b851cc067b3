"""What another launch configuration would give (schema warpwright.what-if/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper
from warpwright.model.digest import Caution, Speedup

Limit = Literal["registers", "shared memory", "warps", "blocks", "barriers"]


class Change(Model):
    """What is asked to change; None stays as it is."""

    block: int | None = Field(default=None, description="Threads of a block.")
    grid: int | None = Field(default=None, description="Blocks of the grid.")
    registers: int | None = Field(default=None, description="Of a thread.")
    shared_bytes: int | None = Field(default=None, description="Static plus dynamic, of a block.")
    cluster: int | None = Field(default=None, description="Blocks of a cluster.")


class Plan(Model):
    """One launch configuration, and how it fills the device.

    `shared_bytes` is without the driver's reserved part. `carveout_bytes` is the part of an SM's L1
    that serves as shared memory. `waves` are grid blocks / `capacity_blocks`, the blocks that the
    device holds at once; the last wave may be full.
    """

    grid_blocks: int
    block_threads: int
    registers: int
    shared_bytes: int
    cluster: int
    carveout_bytes: int
    limits: dict[Limit, int] = Field(description="Blocks per SM that each would allow.")
    limiters: tuple[Limit, ...]
    blocks_per_sm: int
    warps_per_sm: int
    occupancy_pct: float
    capacity_blocks: int
    waves: float
    last_wave_blocks: int
    last_wave_time_share: float | None = Field(
        description="Its predicted part (0..1) of the launch's time; None: not predicted."
    )
    idle_sms: int = Field(description="SMs that get no block at all.")


class DurationRange(Model):
    """A predicted duration in ns, shortest first."""

    low_ns: float
    expected_ns: float
    high_ns: float


class Forecast(Model):
    """Predicted effect of the change; a speedup below 1 is a loss."""

    speedup: Speedup
    duration: DurationRange | None = Field(description="None: the report has no duration.")


class CurvePoint(Model):
    """Resident warps per SM if one thing, and nothing else, had this value."""

    at: int
    warps: int


class Curve(Model):
    """Theoretical occupancy over one thing. Source `report`: as Nsight Compute stored it."""

    over: Literal["block", "registers", "shared_bytes"]
    source: Literal["report", "computed"]
    carveout_bytes: int | None = Field(
        description="Shared memory of an SM that it holds for; None: as large as is needed."
    )
    today: int = Field(description="The value that the launch has.")
    points: tuple[CurvePoint, ...]


class WhatIf(Model):
    """Today's launch beside a changed one. `changed` is None where no change was asked."""

    schema_name: Literal["warpwright.what-if/1"] = Field(
        default="warpwright.what-if/1", alias="schema"
    )
    address: str
    kernel: str
    device: str | None
    compute_capability: str | None
    sm_count: int
    duration_ns: float | None
    asked: Change
    today: Plan
    changed: Plan | None
    forecast: Forecast | None = Field(description="None: nothing asked, or not enough measured.")
    assumptions: tuple[str, ...]
    cautions: tuple[Caution, ...]
    curves: tuple[Curve, ...] = Field(description="Empty without --sweep.")
    deeper: tuple[Deeper, ...]
