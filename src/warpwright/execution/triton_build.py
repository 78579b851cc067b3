"""Compile what a Triton candidate launches, without a GPU, in a process of its own.

Standard input is one JSON object: `candidate` (path), `symbol`, `inputs` (dtype and shape each),
`architecture` (90 for sm_90), `folder`, and `result`, the name of the JSON file written there:
`kernels` (cubin file, log of ptxas -v, shared_bytes), `cautions`, and `error` or null.

The candidate's entry is called with CPU tensors under a driver that names the target; every
launch is then compiled and not run, and whatever asks for a CUDA device gets the CPU.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import triton
from torch.overrides import TorchFunctionMode
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase
from triton.backends.nvidia.compiler import get_ptxas
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction

from warpwright.execution.source_file import blame, import_file

_WARP = 32
_MOST_CONFIGURATIONS = 8  # of an autotuned kernel: each costs a compilation


class _CompileOnly(DriverBase):  # type: ignore[misc]  # triton has no types here
    """A driver that names a target and owns no device."""

    def __init__(self, architecture: int) -> None:
        self._target = GPUTarget("cuda", architecture, _WARP)

    @classmethod
    def is_active(cls) -> bool:
        return True

    def get_current_target(self) -> Any:
        return self._target

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return 0

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cpu")

    def map_python_to_cpp_type(self, ty: str) -> str:
        raise NotImplementedError("nothing is launched here")

    def get_benchmarker(self) -> Callable[..., list[float]]:
        return _call_once


class _CpuInstead(TorchFunctionMode):  # type: ignore[misc]  # torch is not followed
    """Whatever asks for a CUDA device gets the CPU."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.Tensor.cuda:
            return args[0]
        named = {name: _on_cpu(value) for name, value in (kwargs or {}).items()}
        return func(*map(_on_cpu, args), **named)


def _on_cpu(value: Any) -> Any:
    is_cuda = (isinstance(value, torch.device) and value.type == "cuda") or (
        isinstance(value, str) and value.partition(":")[0] == "cuda"
    )
    return torch.device("cpu") if is_cuda else value


def _call_once(kernel_call: Callable[[], None], **_: Any) -> list[float]:
    kernel_call()
    return [1.0, 1.0, 1.0]


@contextmanager
def _compiling(cautions: list[str]) -> Iterator[list[Any]]:
    """Inside, a launch compiles; the compiled kernels are collected."""
    compiled: dict[int, Any] = {}
    run, prune = JITFunction.run, Autotuner.prune_configs

    def compile_only(self: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        kernel = run(self, *args, grid=grid, warmup=True, **kwargs)
        compiled[id(kernel)] = kernel
        return kernel

    def first_few(self: Any, kwargs: Any, *rest: Any, **more: Any) -> Any:
        every = list(prune(self, kwargs, *rest, **more))
        shown = every[:_MOST_CONFIGURATIONS]
        cautions.append(
            f"autotuned: {len(shown)} of {len(every)} configurations compiled, none timed"
        )
        return shown

    JITFunction.run, Autotuner.prune_configs = compile_only, first_few
    Autotuner.do_bench = property(lambda self: _call_once)
    found: list[Any] = []
    yield found
    found += [kernel for kernel in compiled.values() if kernel is not None]


def build(request: dict[str, Any]) -> dict[str, Any]:
    """Call the candidate once and return the result that the module's docstring describes."""
    triton.runtime.driver.set_active(_CompileOnly(request["architecture"]))
    path = Path(request["candidate"])
    cautions: list[str] = []
    error: str | None = None
    with _compiling(cautions) as compiled, _CpuInstead():
        try:
            entry = getattr(import_file(path, "warpwright_candidate"), request["symbol"])
            entry(
                *(
                    torch.zeros(i["shape"], dtype=getattr(torch, i["dtype"]))
                    for i in request["inputs"]
                )
            )
        except Exception as problem:  # noqa: BLE001 -- the candidate's own code may raise anything
            error = blame(path, problem)
    folder = Path(request["folder"])
    kernels = [_save(kernel, folder, n, request) for n, kernel in enumerate(compiled)]
    return {"kernels": kernels, "cautions": list(dict.fromkeys(cautions)), "error": error}


def _save(kernel: Any, folder: Path, number: int, request: dict[str, Any]) -> dict[str, Any]:
    cubin, ptx = folder / f"{number}.cubin", folder / f"{number}.ptx"
    cubin.write_bytes(kernel.asm["cubin"])
    ptx.write_text(kernel.asm["ptx"], encoding="utf-8")
    return {
        "cubin": cubin.name,
        "log": _ptxas_log(ptx, request["architecture"]),
        "shared_bytes": kernel.metadata.shared,
    }


def _ptxas_log(ptx: Path, architecture: int) -> str:
    """What Triton's own ptxas says of registers and spills."""
    suffix = "a" if architecture >= 90 else ""
    done = subprocess.run(
        [
            get_ptxas(architecture).path,
            "-v",
            "-lineinfo",
            f"--gpu-name=sm_{architecture}{suffix}",
            str(ptx),
            "-o",
            str(ptx.with_suffix(".checked")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    answer = json.dumps(build(asked))
    (Path(asked["folder"]) / asked["result"]).write_text(answer, encoding="utf-8")
