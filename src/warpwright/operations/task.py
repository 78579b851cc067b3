"""Check a task: read it whole, without running any of it, and say what it is."""

from __future__ import annotations

from pathlib import Path

from warpwright.model.task import Shape, Task
from warpwright.model.task_summary import ShapeSummary, TaskSummary, TensorSize
from warpwright.tasks import floor_bytes, floor_flops, load_task, tensor_bytes, tensor_sizes

_C_TYPES = {
    "float64": "double", "float32": "float", "bfloat16": "__nv_bfloat16", "float16": "__half",
    "int64": "int64_t", "int32": "int32_t", "int8": "int8_t", "bool": "bool",
}  # fmt: skip


def check_task(path: Path) -> TaskSummary:
    """Read a task's folder or task.toml. Raises BadTask with the first thing wrong in it."""
    loaded = load_task(path)
    task = loaded.task
    return TaskSummary(
        name=task.name,
        description=task.description,
        sha256=loaded.sha256,
        reference=task.reference,
        signature=c_signature(task),
        shapes=tuple(_shape(task, shape) for shape in task.shapes),
        distributions=task.distributions,
        tolerance=task.tolerance,
        baselines=task.baselines,
        libraries=task.policy.libraries,
    )


def c_signature(task: Task) -> str:
    """The C declaration of a CUDA C++ or C++ candidate's entry (model.task.Entry)."""
    inputs = [f"const {_C_TYPES[tensor.dtype]}* {tensor.name}" for tensor in task.inputs]
    outputs = [f"{_C_TYPES[tensor.dtype]}* {tensor.name}" for tensor in task.outputs]
    dims = [f"int64_t {dim}" for dim in task.entry.dims]
    arguments = ", ".join([*inputs, *outputs, *dims, "void* stream"])
    return f'extern "C" int {task.entry.symbol}({arguments})'


def _shape(task: Task, shape: Shape) -> ShapeSummary:
    roles = [("input", t) for t in task.inputs] + [("output", t) for t in task.outputs]
    return ShapeSummary(
        name=shape.name,
        dims=shape.dims,
        devices=shape.devices,
        timed=shape.timed,
        held_out=shape.held_out,
        floor_bytes=floor_bytes(task, shape.dims),
        floor_flops=floor_flops(task, shape.dims),
        tensors=tuple(
            TensorSize(
                name=tensor.name,
                role="input" if role == "input" else "output",
                dtype=tensor.dtype,
                sizes=tensor_sizes(tensor, shape.dims),
                size_bytes=tensor_bytes(tensor, shape.dims),
            )
            for role, tensor in roles
        ),
    )
