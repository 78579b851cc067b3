"""The form of what a call returned: count, type, dtype, shape, layout, device, aliasing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import torch

from warpwright.execution.arena import dense_bytes, overlap
from warpwright.execution.reference_file import DTYPES
from warpwright.model.task import Task, TensorSpec
from warpwright.tasks import tensor_sizes


def problems(
    task: Task,
    outputs: Sequence[object],
    dims: Mapping[str, int],
    device: str,
    *,
    wide: bool = False,
    inputs: Iterable[torch.Tensor] = (),
) -> list[str]:
    """What is wrong with outputs, one line each, the gravest first.

    Args:
        task: what they should be.
        outputs: what a call returned.
        dims: the shape.
        device: torch's name of the device.
        wide: floating outputs are float64 (the oracle), and strides do not matter.
        inputs: tensors that no output may share memory with.
    """
    if len(outputs) != len(task.outputs):
        return [f"returned {len(outputs)} outputs, the task has {len(task.outputs)}"]
    found = []
    sound: list[tuple[str, torch.Tensor]] = []
    for spec, output in zip(task.outputs, outputs, strict=True):
        if type(output) is not torch.Tensor:
            found.append(f"output {spec.name} is a {type(output).__name__}, not a torch.Tensor")
            continue
        wrong = _problem(spec, output, tensor_sizes(spec, dims), device, wide)
        if wrong:
            found.append(f"output {spec.name} has {wrong}")
        else:
            sound.append((spec.name, output))
    for index, (name, output) in enumerate(sound if not wide else []):
        others = [*inputs, *(other for _, other in sound[:index])]
        if any(overlap(output, other) for other in others):
            found.append(f"output {name} shares memory with another tensor of the call")
    return found


def _problem(
    spec: TensorSpec, output: torch.Tensor, shape: tuple[int, ...], device: str, wide: bool
) -> str | None:
    dtype = DTYPES[spec.dtype]
    if tuple(output.shape) != shape:
        return f"shape {list(output.shape)}, the task says {list(shape)}"
    expected = torch.float64 if wide and dtype.is_floating_point else dtype
    if output.dtype != expected:
        names = (str(one).removeprefix("torch.") for one in (output.dtype, expected))
        return "dtype {}, the task says {}".format(*names)
    if output.device.type != device:
        return f"its memory on {output.device.type}, the task runs on {device}"
    if not wide and not output.is_contiguous():
        return f"strides {list(output.stride())}, it must be contiguous"
    if output.layout != torch.strided or output.untyped_storage().nbytes() < dense_bytes(output):
        return "no dense storage"
    return None
