"""The task's reference file: inputs, the reference and the baselines (contract: model/task.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import torch

from warpwright.errors import BadTask
from warpwright.execution.source_file import blame, import_file
from warpwright.model.task import Task, TensorSpec
from warpwright.tasks import tensor_sizes

DTYPES: dict[str, torch.dtype] = {
    "float64": torch.float64, "float32": torch.float32,
    "bfloat16": torch.bfloat16, "float16": torch.float16,
    "int64": torch.int64, "int32": torch.int32, "int8": torch.int8, "bool": torch.bool,
}  # fmt: skip

Function = Callable[[Mapping[str, torch.Tensor]], tuple[torch.Tensor, ...]]


def output_shapes(task: Task, dims: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """The sizes of every output, by name, in the task's order."""
    return {spec.name: tensor_sizes(spec, dims) for spec in task.outputs}


@dataclass(frozen=True, slots=True)
class ReferenceFile:
    """A reference file that has been imported."""

    path: Path
    module: ModuleType

    def make_inputs(
        self, task: Task, dims: dict[str, int], distribution: str, seed: int, device: str
    ) -> dict[str, torch.Tensor]:
        """Draw the inputs of one call: contiguous, on `device`, in the task's order.

        Raises:
            BadTask: `make_inputs` is absent, raises, or gives other tensors than the task says.
        """
        draw = self._named("make_inputs")
        generator = torch.Generator(device=device).manual_seed(seed)
        try:
            drawn = draw(dict(dims), distribution, generator, device)
        except torch.OutOfMemoryError:
            raise
        except Exception as error:  # the task's own code may raise anything
            raise BadTask(f"{blame(self.path, error)} (in make_inputs)") from error
        return self._checked(drawn, task, dims, device)

    def function(self, name: str) -> Function:
        """A function of the file that takes the inputs by name; its result is always a tuple.

        Raises:
            BadTask: no such function; when called: a result that is no tensor or tuple of them.
        """
        function = self._named(name)

        def call(inputs: Mapping[str, torch.Tensor]) -> tuple[torch.Tensor, ...]:
            result = function(**inputs)
            outputs = (result,) if isinstance(result, torch.Tensor) else result
            if not isinstance(outputs, tuple | list) or not all(
                isinstance(output, torch.Tensor) for output in outputs
            ):
                kind = type(result).__name__
                raise BadTask(f"{self.path}: {name} returned a {kind}, not a tensor or a tuple")
            return tuple(outputs)

        return call

    def _named(self, name: str) -> Callable[..., object]:
        function = getattr(self.module, name, None)
        if not callable(function):
            raise BadTask(f"{self.path} defines no function {name}")
        return function  # type: ignore[no-any-return]

    def _checked(
        self, drawn: object, task: Task, dims: Mapping[str, int], device: str
    ) -> dict[str, torch.Tensor]:
        names = {spec.name for spec in task.inputs}
        if not isinstance(drawn, dict) or set(drawn) != names:
            got = sorted(map(str, drawn)) if isinstance(drawn, dict) else type(drawn).__name__
            raise BadTask(
                f"{self.path}: make_inputs gave {got}, the task's inputs are {sorted(names)}"
            )
        for spec in task.inputs:
            problem = _mismatch(drawn[spec.name], spec, dims, device)
            if problem:
                raise BadTask(f"{self.path}: make_inputs gave '{spec.name}' {problem}")
        return {spec.name: drawn[spec.name].contiguous() for spec in task.inputs}


def _mismatch(value: object, spec: TensorSpec, dims: Mapping[str, int], device: str) -> str | None:
    if not isinstance(value, torch.Tensor):
        return f"as a {type(value).__name__}, not as a tensor"
    if value.dtype != DTYPES[spec.dtype]:
        return f"as {str(value.dtype).removeprefix('torch.')}, the task says {spec.dtype}"
    expected = tensor_sizes(spec, dims)
    if tuple(value.shape) != expected:
        return f"with shape {tuple(value.shape)}, the task says {expected}"
    if value.device.type != torch.device(device).type:
        return f"on {value.device.type}, not on {device}"
    return None


def load_reference(path: Path) -> ReferenceFile:
    """Import a task's reference file.

    Raises:
        BadTask: it is not there, or fails while it is imported.
    """
    if not path.is_file():
        raise BadTask(f"{path}: no such reference file")
    try:
        module = import_file(path, "warpwright_task_reference")
    except Exception as error:  # the task's own code may raise anything
        raise BadTask(blame(path, error)) from error
    return ReferenceFile(path, module)
