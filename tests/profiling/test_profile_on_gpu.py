"""The real Nsight Compute on a real GPU."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from warpwright.config import find_tool
from warpwright.errors import BadCandidate, ProfilerFault
from warpwright.model.profile import Profile
from warpwright.operations.profile import profile_command, profile_task
from warpwright.profiling.options import Options

pytestmark = [pytest.mark.gpu, pytest.mark.torch, pytest.mark.nvcc]
CUDA = """\
#include <cstdint>
__global__ void scale_rows_kernel(const float* x, const float* scale, float* y, int64_t total,
                                  int64_t d) {
    int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
    if (i < total) y[i] = x[i] * scale[i / d];
}
extern "C" int scale_rows(const float* x, const float* scale, float* y, int64_t n, int64_t d,
                          void* stream) {
    if (n == 3) return 98;
    int64_t total = n * d;
    scale_rows_kernel<<<(total + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, scale, y, total, d);
    return cudaGetLastError();
}
"""
PROGRAM = """\
import torch
x = torch.ones(1 << 20, device="cuda")
torch.cuda.synchronize()
y = torch.sin(x)
z = torch.cumsum(y, 0)
torch.cuda.synchronize()
"""


@pytest.fixture(autouse=True)
def _ncu() -> None:
    if find_tool("ncu") is None:
        pytest.skip("ncu is not here")


@pytest.fixture
def candidate(tmp_path: Path) -> Path:
    path = tmp_path / "scale.cu"
    path.write_text(CUDA)
    return path


def _options(folder: Path, **values: object) -> Options:
    return Options(output=folder / "out.ncu-rep", timeout_s=200, **values)  # type: ignore[arg-type]


def _check(document: Profile) -> None:
    assert Path(document.report).read_bytes()[:4] == b"NVR\0"
    assert document.ncu_version is not None


def test_one_warm_call_is_one_launch(tmp_path: Path, task_folder: Path, candidate: Path) -> None:
    document = profile_task(task_folder, candidate, _options(tmp_path, preset="quick"))
    _check(document)
    assert document.launches == 1
    assert CUDA.splitlines()[2].encode() in Path(document.report).read_bytes()  # imported source


def test_a_status_of_the_candidate(tmp_path: Path, task_folder: Path, candidate: Path) -> None:
    with pytest.raises(BadCandidate, match="scale_rows returned 98"):
        profile_task(task_folder, candidate, _options(tmp_path, preset="quick"), "small")


def test_a_kernel_filter_of_a_command(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program)]
    options = _options(tmp_path, preset="quick", kernel="sin|elementwise", launch_count=1)
    document = profile_command(command, options)
    _check(document)
    assert document.launches == 1
    nothing = _options(tmp_path, preset="quick", kernel="no_such_kernel", force=True)
    before = Path(document.report).read_bytes()
    with pytest.raises(ProfilerFault, match="no launch matches 'no_such_kernel'; kernels that ran"):
        profile_command(command, nothing)
    assert Path(document.report).read_bytes() == before
