"""Call a built candidate: the two ways of model/task.py's `Entry`, behind one signature."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from pathlib import Path

import torch

from warpwright.errors import BadCandidate
from warpwright.execution.source_file import blame, import_file
from warpwright.model.task import Task

Tensors = Mapping[str, torch.Tensor]
Call = Callable[[Tensors, Tensors, Mapping[str, int]], tuple[torch.Tensor, ...]]
"""`call(inputs, outputs, dims)`: what the candidate computed, in the order of the task's outputs.

C++ and CUDA write into `outputs` and return those tensors; Python ignores `outputs` and returns
tensors of its own. CUDA work is enqueued on the current stream and not waited for.
"""


def load_call(task: Task, language: str, artifact: Path) -> Call:
    """Load what the build made of a candidate.

    Raises:
        BadCandidate: it cannot be loaded or lacks the task's symbol; when called: a status other
            than 0, or a result that is no tensor.
    """
    if language in ("cuda", "cpp"):
        return _native_call(task, artifact)
    return _python_call(task, artifact)


def _native_call(task: Task, artifact: Path) -> Call:
    symbol = task.entry.symbol
    try:
        library = ctypes.CDLL(str(artifact.resolve()))
    except OSError as error:
        raise BadCandidate(f"{artifact} cannot be loaded: {' '.join(str(error).split())}") from None
    try:
        function = library[symbol]
    except AttributeError:
        raise BadCandidate(
            f"the candidate exports no function {symbol}",
            hint=f'define extern "C" int {symbol}(...) as the task says',
        ) from None
    tensors = len(task.inputs) + len(task.outputs)
    function.argtypes = (
        [ctypes.c_void_p] * tensors + [ctypes.c_int64] * len(task.entry.dims) + [ctypes.c_void_p]
    )
    function.restype = ctypes.c_int

    def call(
        inputs: Tensors, outputs: Tensors, dims: Mapping[str, int]
    ) -> tuple[torch.Tensor, ...]:
        results = tuple(outputs[spec.name] for spec in task.outputs)
        status = function(
            *(inputs[spec.name].data_ptr() for spec in task.inputs),
            *(result.data_ptr() for result in results),
            *(dims[name] for name in task.entry.dims),
            _stream(results[0].device),
        )
        if status != 0:
            raise BadCandidate(f"{symbol} returned {status}{_meaning(status, results[0].device)}")
        return results

    return call


def _stream(device: torch.device) -> int | None:
    if device.type != "cuda":
        return None
    return int(torch.cuda.current_stream(device).cuda_stream)


def _meaning(status: int, device: torch.device) -> str:
    """What the CUDA runtime calls a status, in brackets; nothing where there is no runtime."""
    if device.type != "cuda":
        return ""
    runtime = torch.cuda.cudart()
    return f" ({runtime.cudaGetErrorString(runtime.cudaError(status))})"


def _python_call(task: Task, artifact: Path) -> Call:
    symbol = task.entry.symbol
    try:
        module = import_file(artifact, "warpwright_candidate")
    except Exception as error:  # the candidate's own code may raise anything
        raise BadCandidate(blame(artifact, error)) from error
    function = getattr(module, symbol, None)
    if not callable(function):
        raise BadCandidate(f"{artifact} defines no function {symbol}")

    def call(
        inputs: Tensors, outputs: Tensors, dims: Mapping[str, int]
    ) -> tuple[torch.Tensor, ...]:
        result = function(*(inputs[spec.name] for spec in task.inputs))
        results = (result,) if isinstance(result, torch.Tensor) else result
        if not isinstance(results, tuple | list) or not all(
            isinstance(one, torch.Tensor) for one in results
        ):
            kind = type(result).__name__
            raise BadCandidate(f"{symbol} returned a {kind}, not a tensor or a tuple of tensors")
        return tuple(results)

    return call
