"""What `task check` says a task is (schema warpwright.task-summary/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.task import Baseline, DeviceKind, Distribution, Tolerance


class TensorSize(Model):
    """One tensor at one shape."""

    name: str
    role: Literal["input", "output"]
    dtype: str
    sizes: tuple[int, ...]
    size_bytes: int


class ShapeSummary(Model):
    """One shape: its tensors, and the least it must move and compute."""

    name: str
    dims: dict[str, int]
    devices: tuple[DeviceKind, ...]
    timed: bool
    held_out: bool
    floor_bytes: float
    floor_flops: float
    tensors: tuple[TensorSize, ...]


class TaskSummary(Model):
    """A task that was read and found consistent. `signature` is how a candidate is called."""

    schema_name: Literal["warpwright.task-summary/1"] = Field(
        default="warpwright.task-summary/1", alias="schema"
    )
    name: str
    description: str
    sha256: str
    reference: str
    signature: str
    shapes: tuple[ShapeSummary, ...]
    distributions: tuple[Distribution, ...]
    tolerance: Tolerance
    baselines: tuple[Baseline, ...]
    libraries: str
