"""The flagship task: its definition holds, and its candidates are what they are said to be."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from warpwright.config import require_tool
from warpwright.tasks import dims_of, floor_bytes, floor_flops, load_task

KDA = Path(__file__).parent.parent / "examples" / "kda"
CUDA = sorted(path.name for path in (KDA / "candidates").glob("*.cu"))
DISTRIBUTIONS = [d.name for d in load_task(KDA).task.distributions]


@cache
def module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(name).stem, KDA / name)
    assert spec and spec.loader
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def draw(distribution: str, steps: int, seed: int = 0) -> dict[str, Any]:
    import torch

    dims = {"B": 2, "T": steps, "H": 2, "D": 128}
    generator = torch.Generator().manual_seed(seed)
    drawn = module("reference.py").make_inputs(dims, distribution, generator, "cpu")
    assert isinstance(drawn, dict)
    return drawn


def upcast(inputs: dict[str, Any]) -> dict[str, Any]:
    return {name: tensor.double() for name, tensor in inputs.items()}


def relative_rmse(output: Any, truth: Any) -> float:
    error = (output.double() - truth).square().mean().sqrt()
    return float(error / truth.square().mean().sqrt())


def test_the_floor_of_w1_is_the_known_one() -> None:
    task = load_task(KDA).task
    dims = dims_of(task, "W1")
    assert floor_bytes(task, dims) == pytest.approx(336e6, rel=1e-3)
    assert floor_flops(task, dims) == 7 * 4 * 2048 * 16 * 128 * 128


@pytest.mark.torch
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_reference_in_float32_and_float64(distribution: str) -> None:
    inputs = draw(distribution, 64)
    reference = module("reference.py").reference
    truth = reference(**upcast(inputs))
    assert str(truth.dtype) == "torch.float64"
    assert relative_rmse(reference(**inputs), truth) < 1e-6


@pytest.mark.torch
def test_reference_is_the_definition() -> None:
    """One row of one head by hand, in Python's own floats."""
    inputs = draw("large-keys", 5)
    output = module("reference.py").reference(**upcast(inputs))
    b, h, row = 1, 0, 77
    state = [0.0] * 128
    for t in range(5):
        q, k = (inputs[name][b, t, h].tolist() for name in ("q", "k"))
        v, a = (float(inputs[name][b, t, h, row]) for name in ("v", "a"))
        error = sum(s * x for s, x in zip(state, k, strict=True)) - v
        write = float(inputs["beta"][b, t, h]) * error
        state = [a * s - write * x for s, x in zip(state, k, strict=True)]
        expected = sum(s * x for s, x in zip(state, q, strict=True))
        assert float(output[b, t, h, row]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.torch
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_inputs_are_what_the_distribution_says(distribution: str) -> None:
    inputs = draw(distribution, 64)
    assert all(0 <= float(gate) <= 1 for gate in (inputs["a"].min(), inputs["a"].max()))
    if distribution in ("slow", "large-keys"):
        assert float(inputs["a"].min()) >= 0.95
    if distribution == "large-keys":
        assert float(inputs["k"].norm(dim=-1).min()) == pytest.approx(0.9, rel=1e-5)
    other_seed = draw(distribution, 64, seed=1)
    assert not any(inputs[name].equal(other_seed[name]) for name in inputs)


@pytest.mark.torch
def test_slow_gates_show_truncated_history() -> None:
    """A kernel that forgets all but the last 32 steps passes under mild gates, not here."""
    reference = module("reference.py").reference
    errors = {}
    for distribution in ("mild", "slow"):
        inputs = upcast(draw(distribution, 128))
        recent = {name: tensor[:, -32:] for name, tensor in inputs.items()}
        errors[distribution] = relative_rmse(
            reference(**recent)[:, -1:], reference(**inputs)[:, -1:]
        )
    assert errors["mild"] < 1e-4
    assert errors["slow"] > 1e-2


@pytest.mark.torch
@pytest.mark.parametrize("steps", [1, 13, 37, 64])
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_portable_candidate(distribution: str, steps: int) -> None:
    inputs = draw(distribution, steps)
    output = module("candidates/portable.py").kda(**inputs)
    assert output.shape == inputs["v"].shape and output.is_contiguous()
    truth = module("reference.py").reference(**upcast(inputs))
    assert relative_rmse(output, truth) < 1e-6


@pytest.mark.torch
def test_compiled_baseline_where_blocks_are_whole_and_where_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Blocks of 16 take 20 s or more to compile; the loop is the same with blocks of 2."""
    reference = module("reference.py")
    monkeypatch.setattr(reference, "BLOCK", 2)
    inputs = draw("slow", 5)
    for _ in range(2):  # the second call finds it compiled
        assert relative_rmse(reference.compiled(**inputs), reference.reference(**inputs)) < 1e-6


@pytest.mark.nvcc
@pytest.mark.parametrize("name", CUDA)
def test_candidates_compile_and_use_the_stack_as_their_story_says(
    name: str, tmp_path: Path
) -> None:
    source = KDA / "candidates" / name
    target = ["-gencode=arch=compute_90a,code=sm_90a", "-O3", "-std=c++17", "-Xptxas", "-v"]
    command = [require_tool("nvcc"), *target, "-cubin", "-o", tmp_path / "x.cubin", source]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    found = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores", built.stderr)
    assert found
    stack, spilled = int(found[1]), int(found[2])
    assert spilled == 0
    assert stack == (512 if name == "before.cu" else 0)
