"""A task: what is to be computed, and when an answer counts (schema warpwright.task/1).

`task.toml` is this model; the file it names as `reference` is Python that only the reference
process executes. It defines

    make_inputs(dims, distribution, generator, device) -> dict[str, torch.Tensor]
    reference(**inputs) -> torch.Tensor | tuple[torch.Tensor, ...]

where `dims` maps every dimension to an int, `generator` is a torch.Generator on `device`, and
`reference` computes in the dtype of its inputs (the float64 oracle is the reference on upcast
inputs), plus one function of `reference`'s signature for every baseline.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from warpwright.model.base import Model

Dtype = Literal["float64", "float32", "bfloat16", "float16", "int64", "int32", "int8", "bool"]
DeviceKind = Literal["cuda", "cpu"]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]

DTYPE_BYTES: dict[str, int] = {
    "float64": 8, "float32": 4, "bfloat16": 2, "float16": 2,
    "int64": 8, "int32": 4, "int8": 1, "bool": 1,
}  # fmt: skip


class TensorSpec(Model):
    """One input or output, contiguous. `shape` names dimensions or gives sizes."""

    name: Name
    dtype: Dtype
    shape: tuple[int | Name, ...]


class Shape(Model):
    """One set of sizes. Held-out shapes are never timed and no candidate has seen them."""

    name: str
    dims: dict[Name, int] = Field(min_length=1)
    devices: tuple[DeviceKind, ...] = ("cuda", "cpu")
    timed: bool = False
    held_out: bool = False


class Distribution(Model):
    """One way to draw inputs, by the name that `make_inputs` knows."""

    name: str
    description: str


class Tolerance(Model):
    """When an output is right, against float64.

    relative RMSE <= max(m * RMSE(reference in its own precision), rmse_rel) with m = 2 for
    fp32 and tf32 and 3 below, and no element off by more than `element_cap` times the
    output's root mean square.
    """

    precision: Literal["fp32", "tf32", "bf16", "fp16", "fp8"]
    rmse_rel: float = Field(gt=0)
    element_cap: float = Field(gt=0)


class Floor(Model):
    """The least the task must do: arithmetic expressions over the dimensions' names.

    `bytes`: device memory traffic, each input read and each output written once.
    `flops`: floating-point operations of the recurrence or formula as stated.
    """

    bytes: str
    flops: str


class Baseline(Model):
    """A function of the reference file to compare with; `graph`: also as one CUDA graph."""

    name: Name
    function: Name
    graph: bool = True


class Entry(Model):
    """How a candidate is called.

    CUDA C++ and C++: `extern "C" int SYMBOL(inputs..., outputs..., int64 dims..., void* stream)`
    with device (host) pointers in the task's order, `dims` as listed, and 0 for success.
    Python: `SYMBOL(*inputs)` returns the output, or a tuple of outputs.
    """

    symbol: Name
    dims: tuple[Name, ...]


class Policy(Model):
    """What a candidate may call."""

    libraries: Literal["allowed", "forbidden"] = "forbidden"


class Task(Model):
    """What is to be computed, the whole of `task.toml`."""

    schema_name: Literal["warpwright.task/1"] = Field(alias="schema")
    name: Name
    description: str
    reference: str
    entry: Entry
    inputs: tuple[TensorSpec, ...] = Field(min_length=1)
    outputs: tuple[TensorSpec, ...] = Field(min_length=1)
    shapes: tuple[Shape, ...] = Field(min_length=1)
    distributions: tuple[Distribution, ...] = Field(min_length=1)
    tolerance: Tolerance
    floor: Floor
    baselines: tuple[Baseline, ...] = Field(min_length=1)
    policy: Policy = Policy()
    seeds: int = Field(default=5, ge=1, description="Secret seeds a correctness check draws.")
    time_limit_s: float = Field(default=60.0, gt=0, description="Timing budget a candidate.")
