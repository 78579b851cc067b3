from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from warpwright.errors import BadCandidate
from warpwright.model.task import Task

torch = pytest.importorskip("torch")
from warpwright.execution.calling import load_call  # noqa: E402

pytestmark = pytest.mark.torch
DIMS = {"N": 3, "D": 5}
SOURCE = """
#include <cstdint>
extern "C" int scale_rows(const float* x, const float* scale, float* y, int64_t n, int64_t d,
                          void* stream) {
    if (stream != nullptr) return 7;
    if (n > 100) return 98;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < d; ++j) y[i * d + j] = x[i * d + j] * scale[i];
    return 0;
}
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ is not here")
    source, library = tmp_path / "candidate.cpp", tmp_path / "candidate.so"
    source.write_text(SOURCE)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def _inputs() -> dict[str, torch.Tensor]:
    return {"x": torch.randn(3, 5), "scale": torch.tensor([1.0, 2.0, 3.0])}


def test_a_native_candidate_writes_into_the_outputs(task: Task, library: Path) -> None:
    call, inputs = load_call(task, "cpp", library), _inputs()
    outputs = {"y": torch.full((3, 5), torch.nan)}
    results = call(inputs, outputs, DIMS)
    assert results[0] is outputs["y"]
    assert torch.equal(outputs["y"], inputs["x"] * inputs["scale"][:, None])


def test_a_status_other_than_zero_is_told(task: Task, library: Path) -> None:
    call = load_call(task, "cpp", library)
    with pytest.raises(BadCandidate, match="scale_rows returned 98"):
        call(_inputs(), {"y": torch.zeros(3, 5)}, {"N": 101, "D": 5})


def test_a_missing_symbol_and_a_file_that_is_no_library(
    task: Task, library: Path, tmp_path: Path
) -> None:
    entry = task.entry.model_copy(update={"symbol": "other"})
    with pytest.raises(BadCandidate, match="exports no function other"):
        load_call(task.model_copy(update={"entry": entry}), "cpp", library)
    text = tmp_path / "text.so"
    text.write_text("no library\n")
    with pytest.raises(BadCandidate, match="cannot be loaded"):
        load_call(task, "cpp", text)


def test_a_python_candidate_returns_its_own_tensors(task: Task, tmp_path: Path) -> None:
    path = tmp_path / "candidate.py"
    path.write_text("def scale_rows(x, scale):\n    return x * scale[:, None]\n")
    inputs, outputs = _inputs(), {"y": torch.zeros(3, 5)}
    (y,) = load_call(task, "python", path)(inputs, outputs, DIMS)
    assert torch.equal(y, inputs["x"] * inputs["scale"][:, None])
    assert not outputs["y"].any()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def other(x):\n    return x\n", "defines no function scale_rows"),
        ("import nothing_of_that_name\n", "candidate.py:1: ModuleNotFoundError"),
    ],
)
def test_a_python_candidate_that_cannot_be_used(
    task: Task, tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "candidate.py"
    path.write_text(text)
    with pytest.raises(BadCandidate) as caught:
        load_call(task, "python", path)
    assert said in str(caught.value)


def test_a_python_candidate_that_returns_no_tensor(task: Task, tmp_path: Path) -> None:
    path = tmp_path / "candidate.py"
    path.write_text("def scale_rows(x, scale):\n    return None\n")
    with pytest.raises(BadCandidate, match="returned a NoneType"):
        load_call(task, "python", path)(_inputs(), {}, DIMS)


@pytest.mark.gpu
def test_a_cuda_status_is_named_by_the_runtime(task: Task, library: Path) -> None:
    cuda = {name: tensor.cuda() for name, tensor in _inputs().items()}
    call = load_call(task, "cuda", library)  # host code: only its status is looked at
    with torch.cuda.stream(torch.cuda.Stream()), pytest.raises(BadCandidate, match="returned 7"):
        call(cuda, {"y": torch.zeros(3, 5, device="cuda")}, DIMS)
    with pytest.raises(BadCandidate, match=r"returned 98 \(invalid device function\)"):
        call(cuda, {"y": torch.zeros(3, 5, device="cuda")}, {"N": 101, "D": 5})
