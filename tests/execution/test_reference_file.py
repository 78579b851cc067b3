from __future__ import annotations

from pathlib import Path

import pytest

from warpwright.errors import BadTask
from warpwright.model.task import DTYPE_BYTES, Task

torch = pytest.importorskip("torch")
from warpwright.execution.reference_file import (  # noqa: E402
    DTYPES,
    load_reference,
    output_shapes,
)

pytestmark = pytest.mark.torch
DIMS = {"N": 3, "D": 5}


def test_every_dtype_of_a_task_has_its_torch_dtype() -> None:
    assert set(DTYPES) == set(DTYPE_BYTES)
    assert {name: dtype.itemsize for name, dtype in DTYPES.items()} == DTYPE_BYTES


def test_inputs_follow_the_seed_and_are_contiguous(task: Task, reference_path: Path) -> None:
    reference = load_reference(reference_path)
    first = reference.make_inputs(task, DIMS, "normal", 7, "cpu")
    again = reference.make_inputs(task, DIMS, "normal", 7, "cpu")
    other = reference.make_inputs(task, DIMS, "normal", 8, "cpu")
    assert list(first) == ["x", "scale"]
    assert torch.equal(first["x"], again["x"])
    assert not torch.equal(first["x"], other["x"])
    assert all(tensor.is_contiguous() for tensor in first.values())


def test_an_input_that_is_a_view_is_made_contiguous(task: Task, tmp_path: Path) -> None:
    path = tmp_path / "reference.py"
    path.write_text(
        "import torch\n"
        "def make_inputs(dims, distribution, generator, device):\n"
        "    x = torch.zeros(dims['D'], dims['N']).T\n"
        "    return {'x': x, 'scale': torch.zeros(dims['N'])}\n"
    )
    inputs = load_reference(path).make_inputs(task, DIMS, "normal", 1, "cpu")
    assert inputs["x"].is_contiguous()


def test_a_function_always_returns_a_tuple(task: Task, reference_path: Path) -> None:
    reference = load_reference(reference_path)
    inputs = reference.make_inputs(task, DIMS, "normal", 1, "cpu")
    (y,) = reference.function("reference")(inputs)
    assert torch.equal(y, inputs["x"] * 3)
    assert len(reference.function("pair")(inputs)) == 2


def test_output_shapes_fill_in_the_dimensions(task: Task) -> None:
    assert output_shapes(task, DIMS) == {"y": (3, 5)}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return {'x': torch.zeros(3, 5)}", "make_inputs gave ['x']"),
        ("return [1]", "make_inputs gave list"),
        (
            "return {'x': torch.zeros(3, 5).double(), 'scale': torch.zeros(3)}",
            "'x' as float64, the task says float32",
        ),
        (
            "return {'x': torch.zeros(5, 3), 'scale': torch.zeros(3)}",
            "'x' with shape (5, 3), the task says (3, 5)",
        ),
        ("return {'x': torch.zeros(3, 5), 'scale': 1.0}", "'scale' as a float"),
        ("return {'x': torch.zeros(3, 5), 'scale': dims['Q']}", "reference.py:3: KeyError: 'Q'"),
    ],
)
def test_wrong_inputs_are_one_line(task: Task, tmp_path: Path, body: str, said: str) -> None:
    path = tmp_path / "reference.py"
    path.write_text(f"import torch\ndef make_inputs(dims, distribution, g, device):\n    {body}\n")
    with pytest.raises(BadTask) as caught:
        load_reference(path).make_inputs(task, DIMS, "normal", 1, "cpu")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import no_such_module_here\n", "reference.py:1: ModuleNotFoundError"),
        ("x = 1\ndef f(:\n", "reference.py:2: SyntaxError"),
        ("raise ValueError\n", "reference.py:1: ValueError"),
    ],
)
def test_a_file_that_cannot_be_imported(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "reference.py"
    path.write_text(text)
    with pytest.raises(BadTask, match=r"reference\.py") as caught:
        load_reference(path)
    assert said in str(caught.value)


def test_absent_files_and_functions(tmp_path: Path, reference_path: Path) -> None:
    with pytest.raises(BadTask, match="no such reference file"):
        load_reference(tmp_path / "nowhere.py")
    with pytest.raises(BadTask, match="defines no function compiled"):
        load_reference(reference_path).function("compiled")


def test_a_function_that_returns_no_tensor(tmp_path: Path) -> None:
    path = tmp_path / "reference.py"
    path.write_text("def reference(x):\n    return 3\n")
    with pytest.raises(BadTask, match="reference returned a int"):
        load_reference(path).function("reference")({"x": torch.zeros(1)})
