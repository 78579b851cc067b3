"""A tiny task of its own: y = scale * x + shift, on the CPU."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

TASK = """
schema = "warpwright.task/1"
name = "affine"
description = "y = scale * x + shift"
reference = "reference.py"
seeds = 3
time_limit_s = 2.0

[entry]
symbol = "affine"
dims = ["N", "M"]

[[inputs]]
name = "x"
dtype = "float32"
shape = ["N", "M"]

[[inputs]]
name = "scale"
dtype = "float32"
shape = ["M"]

[[outputs]]
name = "y"
dtype = "float32"
shape = ["N", "M"]

[[shapes]]
name = "main"
dims = { N = 64, M = 96 }
timed = true

[[shapes]]
name = "odd"
dims = { N = 3, M = 7 }

[[shapes]]
name = "unseen"
dims = { N = 17, M = 5 }
held_out = true

[[distributions]]
name = "normal"
description = "normal values"

[[distributions]]
name = "large"
description = "large values"

[tolerance]
precision = "fp32"
rmse_rel = 1e-6
element_cap = 1e-4

[floor]
bytes = "4*(2*N*M + M)"
flops = "2*N*M"

[[baselines]]
name = "eager"
function = "reference"
"""

REFERENCE = """
import torch


def make_inputs(dims, distribution, generator, device):
    factor = 100.0 if distribution == "large" else 1.0
    x = factor * torch.randn(dims["N"], dims["M"], generator=generator, device=device)
    return {"x": x, "scale": torch.randn(dims["M"], generator=generator, device=device)}


def reference(x, scale):
    return scale * x + 1.5
"""


def write_task(folder: Path, *, task: str = TASK, reference: str = REFERENCE) -> Path:
    """A task's folder."""
    folder.mkdir(exist_ok=True)
    (folder / "task.toml").write_text(task)
    (folder / "reference.py").write_text(reference)
    return folder


def write_candidate(folder: Path, name: str, body: str, head: str = "import torch") -> Path:
    """A Python candidate from the body of its function of x and scale."""
    path = folder / f"{name}.py"
    path.write_text(f"{head}\n\ndef affine(x, scale):\n{textwrap.indent(body, '    ')}\n")
    return path


def command(*words: object) -> list[str]:
    """The command line that runs warpwright as users do."""
    return [sys.executable, "-m", "warpwright", *map(str, words)]


def run_cli(
    *words: object, cache: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run warpwright in a process of its own."""
    environment = {**os.environ, "WARPWRIGHT_CACHE": str(cache), **(env or {})}
    return subprocess.run(
        command(*words), capture_output=True, text=True, env=environment, timeout=200, check=False
    )


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """The folder of the tiny task."""
    return write_task(tmp_path / "affine")
