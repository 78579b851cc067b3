"""Where each tensor of a call lies in the memory that the processes share.

Both sides compute the same offsets from the task; nothing is negotiated. The memory is an
array of equal slots; a slot holds all inputs and all outputs of one call, page-aligned.
Standard library only: the host uses it too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from warpwright.model.task import Task
from warpwright.tasks import tensor_bytes

_PAGE = 4096


def slot_bytes(task: Task, dims: Mapping[str, int]) -> int:
    """Bytes of one slot."""
    return sum(_paged(tensor_bytes(spec, dims)) for spec in (*task.inputs, *task.outputs))


def offsets(task: Task, dims: Mapping[str, int], slot: int) -> dict[str, int]:
    """Offset in bytes of every input and output of a slot, by name."""
    place = slot * slot_bytes(task, dims)
    result = {}
    for kind, specs in (("input", task.inputs), ("output", task.outputs)):
        for spec in specs:
            result[f"{kind}.{spec.name}"] = place
            place += _paged(tensor_bytes(spec, dims))
    return result


def _paged(size: int) -> int:
    return max(1, math.ceil(size / _PAGE)) * _PAGE
