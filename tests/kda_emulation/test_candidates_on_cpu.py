"""The CUDA candidates compute KDA: their source, compiled for the CPU, against float64."""

from __future__ import annotations

import ctypes
import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
KDA = HERE.parent.parent / "examples" / "kda"
CANDIDATES = sorted((KDA / "candidates").glob("*.cu"))
FLAGS = ["-std=c++17", "-O1", "-w", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC"]

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not here"),
]


def reference() -> Any:
    spec = importlib.util.spec_from_file_location("reference", KDA / "reference.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(candidate: Path, folder: Path) -> ctypes.CDLL:
    """Only a launch, `kernel<<<...>>>(...)`, is no C++; cuda_runtime.h beside this is the rest."""
    source, library = folder / "candidate.cpp", folder / "candidate.so"
    launch = r"emulation::launch({\2}, \1, "
    source.write_text(re.sub(r"(\w+)<<<(.*?)>>>\(", launch, candidate.read_text(), flags=re.S))
    subprocess.run(["g++", *FLAGS, f"-I{HERE}", "-o", library, source], check=True)
    return ctypes.CDLL(str(library))


def run(library: ctypes.CDLL, inputs: dict[str, Any], channels: int = 128) -> tuple[int, Any]:
    import torch

    output = torch.full_like(inputs["v"], float("nan"))
    pointers = [ctypes.c_void_p(x.data_ptr()) for x in (*inputs.values(), output)]
    dims = [ctypes.c_int64(n) for n in (*inputs["beta"].shape, channels)]
    return library.kda(*pointers, *dims, None), output


@pytest.mark.parametrize("candidate", CANDIDATES, ids=lambda path: path.name)
def test_a_candidate_computes_kda(candidate: Path, tmp_path: Path) -> None:
    import torch

    kda, library = reference(), build(candidate, tmp_path)
    for batch, steps, heads, distribution in ((1, 1, 2, "mild"), (2, 13, 1, "hard-gates"),
                                              (1, 53, 2, "large-keys")):  # fmt: skip
        dims = {"B": batch, "T": steps, "H": heads, "D": 128}
        inputs = kda.make_inputs(dims, distribution, torch.Generator().manual_seed(steps), "cpu")
        status, output = run(library, inputs)
        truth = kda.reference(**{name: tensor.double() for name, tensor in inputs.items()})
        error = (output - truth).square().mean().sqrt() / truth.square().mean().sqrt()
        assert status == 0
        assert float(error) < 2e-6, (steps, distribution)
    assert run(library, inputs, channels=64)[0] == 1  # cudaErrorInvalidValue
