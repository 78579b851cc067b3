"""A program that behaves as Nsight Compute is documented to, to be found as WARPWRIGHT_NCU.

It tests how the driver handles processes and files, not Nsight Compute itself: that is done by
the tests marked `gpu`. What it prints is what real versions print.
"""

from __future__ import annotations

import stat
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

ANSWERS = textwrap.dedent("""\
    import pathlib, subprocess, sys, time
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        print("NVIDIA (R) Nsight Compute Command Line Profiler")
        print("Version 2025.3.1.0 (build 36398880) (public-release)")
        sys.exit()
    if arguments == ["--list-sections"]:
        print("---------- ------------ ------- --------")
        print("Identifier Display Name Enabled Filename")
        print("---------- ------------ ------- --------")
        for name in ("LaunchStats", "Occupancy", "SourceCounters"):
            print(name, "Some Name", "no", "...")
        sys.exit()
    if arguments == ["--help"]:
        print("  --import-source arg  --source-folders arg")
        sys.exit()
    report = pathlib.Path(arguments[arguments.index("--export") + 1])
    program = arguments[arguments.index("--export") + 2 :]

    def launch(name="scale_rows(const float *)", number=0):
        print(f'==PROF== Profiling "{name}" - {number}: 0%....50%....100% - 9 passes', flush=True)
""")


@pytest.fixture
def ncu_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes a program that answers ncu's questions and then does what `body` says."""

    def make(body: str) -> Path:
        path = tmp_path / "ncu"
        path.write_text(f"#!{sys.executable}\n{ANSWERS}\n{textwrap.dedent(body)}")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("WARPWRIGHT_NCU", str(path))
        return path

    return make


TASK = """\
schema = "warpwright.task/1"
name = "scale_rows"
description = "y = scale * x, row by row"
reference = "reference.py"
inputs = [
  { name = "x", dtype = "float32", shape = ["N", "D"] },
  { name = "scale", dtype = "float32", shape = ["N"] },
]
outputs = [{ name = "y", dtype = "float32", shape = ["N", "D"] }]
shapes = [
  { name = "small", dims = { N = 3, D = 64 } },
  { name = "large", dims = { N = 4096, D = 64 }, timed = true, devices = ["cuda"] },
  { name = "secret", dims = { N = 5, D = 64 }, held_out = true },
]
distributions = [{ name = "normal", description = "standard normal" }]
baselines = [{ name = "eager", function = "reference" }]

[entry]
symbol = "scale_rows"
dims = ["N", "D"]

[tolerance]
precision = "fp32"
rmse_rel = 1e-6
element_cap = 1e-4

[floor]
bytes = "8 * N * D"
flops = "N * D"
"""
REFERENCE = """\
import torch

def make_inputs(dims, distribution, generator, device):
    x = torch.randn(dims["N"], dims["D"], generator=generator, device=device)
    return {"x": x, "scale": torch.ones(dims["N"], device=device)}

def reference(x, scale):
    return x * scale[:, None]
"""


@pytest.fixture
def task_folder(tmp_path: Path) -> Path:
    """A task whose only timed shape is for a GPU."""
    folder = tmp_path / "task"
    folder.mkdir()
    (folder / "task.toml").write_text(TASK)
    (folder / "reference.py").write_text(REFERENCE)
    return folder


@pytest.fixture
def python_candidate(tmp_path: Path) -> Path:
    """A candidate that needs no compiler."""
    path = tmp_path / "broadcast.py"
    path.write_text("def scale_rows(x, scale):\n    return x * scale[:, None]\n")
    return path
