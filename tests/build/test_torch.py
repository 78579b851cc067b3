"""Builds through torch's extension builder."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from warpwright.build.candidates import load_candidate
from warpwright.build.compile import build_candidate
from warpwright.tasks import load_task

SOFTMAX = Path(__file__).parent / "softmax"
# What the worker does with an artifact, and then the same through the extension itself.
CALL = """\
import importlib.util, sys
from pathlib import Path
import torch
from warpwright.execution.calling import load_call
from warpwright.tasks import load_task
artifact, folder, device = sys.argv[1:]
task = load_task(Path(folder)).task
dims = {"rows": 5, "columns": 37}
x = torch.randn(5, 37, device=device)
y = torch.empty_like(x)
load_call(task, "cpp", Path(artifact))({"x": x}, {"y": y}, dims)
assert torch.allclose(y, torch.softmax(x, 1), atol=1e-6)
spec = importlib.util.spec_from_file_location("warpwright_candidate", artifact)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
z = torch.empty_like(x)
stream = torch.cuda.current_stream().cuda_stream if device == "cuda" else 0
module.softmax([x], [z], [5, 37], stream)
assert torch.equal(y, z)
try:
    module.softmax([x.t()], [z], [5, 37], stream)
except RuntimeError as refused:
    assert "an input has strides" in str(refused)
print("same")
"""


def _call(artifact, device):
    command = [sys.executable, "-c", CALL, str(artifact), str(SOFTMAX), device]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "same\n", done.stderr


@pytest.mark.torch
def test_a_cpp_candidate_as_an_extension():
    if shutil.which("ninja") is None or shutil.which("g++") is None:
        pytest.skip("torch builds with ninja and g++, which are not here")
    task = load_task(SOFTMAX)
    build = build_candidate(load_candidate(SOFTMAX / "rows.cpp"), via="torch", task=task)
    _call(build.artifact, "cpu")
    again = build_candidate(load_candidate(SOFTMAX / "rows.cpp"), via="torch", task=task)
    assert again.report.cached


@pytest.mark.gpu
@pytest.mark.torch
@pytest.mark.nvcc
def test_a_cuda_candidate_as_an_extension():
    if shutil.which("ninja") is None:
        pytest.skip("torch builds with ninja, which is not here")
    task = load_task(SOFTMAX)
    build = build_candidate(load_candidate(SOFTMAX / "rows.cu"), via="torch", task=task)
    assert [kernel.name for kernel in build.report.kernels] == ["softmax_rows"]
    _call(build.artifact, "cuda")
