"""A tiny task: y = scale * x, row by row."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from warpwright.model.task import Task

REFERENCE = textwrap.dedent("""\
    import torch

    def make_inputs(dims, distribution, generator, device):
        shape = (dims["N"], dims["D"])
        x = torch.randn(shape, generator=generator, device=device)
        return {"x": x, "scale": torch.ones(dims["N"], device=device) * 3}

    def reference(x, scale):
        return x * scale[:, None]

    def pair(x, scale):
        return x, scale
""")


def scale_task() -> Task:
    return Task.model_validate(
        {
            "schema": "warpwright.task/1",
            "name": "scale_rows",
            "description": "y = scale * x",
            "reference": "reference.py",
            "entry": {"symbol": "scale_rows", "dims": ["N", "D"]},
            "inputs": [
                {"name": "x", "dtype": "float32", "shape": ["N", "D"]},
                {"name": "scale", "dtype": "float32", "shape": ["N"]},
            ],
            "outputs": [{"name": "y", "dtype": "float32", "shape": ["N", "D"]}],
            "shapes": [{"name": "small", "dims": {"N": 3, "D": 5}, "timed": True}],
            "distributions": [{"name": "normal", "description": "standard normal"}],
            "tolerance": {"precision": "fp32", "rmse_rel": 1e-6, "element_cap": 1e-4},
            "floor": {"bytes": "8 * N * D", "flops": "N * D"},
            "baselines": [{"name": "eager", "function": "reference"}],
        }
    )


@pytest.fixture
def task() -> Task:
    return scale_task()


@pytest.fixture
def reference_path(tmp_path: Path) -> Path:
    path = tmp_path / "reference.py"
    path.write_text(REFERENCE)
    return path
