"""The shared host memory as tensors, in the reference and worker processes."""

from __future__ import annotations

import math
import mmap
import os
from collections.abc import Mapping

import torch

from warpwright.execution.layout import offsets
from warpwright.model.task import Task, TensorSpec
from warpwright.tasks import tensor_bytes, tensor_sizes


class Arena:
    """Memory that the controller created and passed on as a descriptor."""

    def __init__(self, descriptor: int, size: int, task: Task) -> None:
        os.set_inheritable(descriptor, False)
        self._map = mmap.mmap(descriptor, size)
        self.bytes = torch.frombuffer(self._map, dtype=torch.uint8)
        self._task = task

    def inputs(self, dims: Mapping[str, int], slot: int) -> dict[str, torch.Tensor]:
        """Views of the inputs of a slot."""
        return self._views("input", self._task.inputs, dims, slot)

    def outputs(self, dims: Mapping[str, int], slot: int) -> dict[str, torch.Tensor]:
        """Views of the outputs of a slot."""
        return self._views("output", self._task.outputs, dims, slot)

    def _views(
        self, kind: str, specs: tuple[TensorSpec, ...], dims: Mapping[str, int], slot: int
    ) -> dict[str, torch.Tensor]:
        places = offsets(self._task, dims, slot)
        views = {}
        for spec in specs:
            start = places[f"{kind}.{spec.name}"]
            raw = self.bytes[start : start + tensor_bytes(spec, dims)]
            dtype: torch.dtype = getattr(torch, spec.dtype)
            views[spec.name] = raw.view(dtype).view(tensor_sizes(spec, dims))
        return views


def overlap(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two contiguous tensors share bytes."""
    start_a, start_b = int(a.data_ptr()), int(b.data_ptr())
    return start_a < start_b + dense_bytes(b) and start_b < start_a + dense_bytes(a)


def dense_bytes(tensor: torch.Tensor) -> int:
    """Bytes of a tensor's elements."""
    return int(math.prod(tensor.shape) * tensor.element_size())
