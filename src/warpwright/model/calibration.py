"""What devices reach: measured here (schema warpwright.calibration/1), or on a data sheet."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper

Rate = Literal[
    "dram",
    "l2",
    "fp64",
    "fp32",
    "fp16",
    "tensor.fp64",
    "tensor.tf32",
    "tensor.fp16",
    "tensor.bf16",
    "tensor.fp8",
    "tensor.int8",
]
"""Bytes or operations a second. `fp16` are packed halves on the FMA pipes; `tensor.fp16` and the
other tensor rates are dense products, those of floats with sums in FP32 (`tensor.fp64`: FP64)."""

Positive = Annotated[float, Field(gt=0.0, allow_inf_nan=False)]


class Measured(Model):
    """One number that was measured: the median of `runs`, and the lowest and highest of them.

    `value` is None, and `why_not` says why, where that was not possible.
    """

    value: Positive | None
    unit: Literal["byte/s", "FLOP/s", "ns"]
    low: Positive | None = None
    high: Positive | None = None
    runs: int = 0
    how: str | None = Field(default=None, description="What was timed.")
    why_not: str | None = None


class Calibration(Model):
    """What one kind of device reaches. No paths, no hosts, no users, no serial numbers."""

    schema_name: Literal["warpwright.calibration/1"] = Field(
        default="warpwright.calibration/1", alias="schema"
    )
    at: str = Field(description="ISO 8601 in UTC.")
    version: str = Field(description="Warpwright's.")
    device: str
    compute_capability: str
    sm_count: int
    driver: str = Field(description="CUDA version that the driver supports.")
    rates: dict[Rate, Measured]
    launch_interval: Measured = Field(
        description="From the start of an empty kernel to that of the next in its stream."
    )


class CalibrationFile(Model):
    """The user's calibrations, one of each kind of device."""

    schema_name: Literal["warpwright.calibrations/1"] = Field(
        default="warpwright.calibrations/1", alias="schema"
    )
    calibrations: tuple[Calibration, ...] = ()


class DataSheet(Model):
    """What NVIDIA publishes of a device. Absent rates are not published, or not for sure."""

    device: str
    compute_capability: str
    sm_count: int
    source: str = Field(description="The document.")
    rates: dict[Rate, Positive]


class KnownDevice(Model):
    """One kind of device, with all that is known of what it reaches."""

    device: str
    compute_capability: str
    sm_count: int
    calibration: Calibration | None
    data_sheet: DataSheet | None


class DeviceList(Model):
    """The devices whose rates are known, calibrated ones first (schema warpwright.devices/1)."""

    schema_name: Literal["warpwright.devices/1"] = Field(
        default="warpwright.devices/1", alias="schema"
    )
    devices: tuple[KnownDevice, ...]
    deeper: tuple[Deeper, ...]
