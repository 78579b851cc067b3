"""Reading task.toml: what it says, and one line for every way in which it can be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpwright.arithmetic import evaluate
from warpwright.errors import BadTask
from warpwright.operations.task import check_task
from warpwright.render.task import task_text
from warpwright.tasks import dims_of, floor_bytes, floor_flops, load_task, tensor_sizes

TOML = """
schema = "warpwright.task/1"
name = "scale"
description = "y = 2 x"
reference = "reference.py"

[entry]
symbol = "scale"
dims = ["N"]

[[inputs]]
name = "x"
dtype = "float32"
shape = ["N", 4]

[[outputs]]
name = "y"
dtype = "float32"
shape = ["N", 4]

[[shapes]]
name = "small"
dims = { N = 8 }
timed = true

[[distributions]]
name = "normal"
description = "normal"

[tolerance]
precision = "fp32"
rmse_rel = 1e-6
element_cap = 1e-5

[floor]
bytes = "2 * 4*4*N"
flops = "4*N"

[[baselines]]
name = "eager"
function = "reference"
"""
REFERENCE = """
def make_inputs(dims, distribution, generator, device):
    raise AssertionError("reading a task must not run it")

def reference(x):
    return 2 * x
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def _write(old: str = "", new: str = "", reference: str = REFERENCE) -> Path:
        assert old in TOML
        (tmp_path / "task.toml").write_text(TOML.replace(old, new, 1))
        (tmp_path / "reference.py").write_text(reference)
        return tmp_path

    return _write


def test_a_folder_or_its_file(write: Callable[..., Path]) -> None:
    folder = write()
    loaded = load_task(folder)
    assert loaded == load_task(folder / "task.toml")
    assert loaded.reference_path == folder / "reference.py"
    task = loaded.task
    dims = dims_of(task, "small")
    assert dims == {"N": 8}
    assert tensor_sizes(task.inputs[0], dims) == (8, 4)
    assert (floor_bytes(task, dims), floor_flops(task, dims)) == (256, 32)


def test_the_hash_covers_both_files(write: Callable[..., Path]) -> None:
    first = load_task(write()).sha256
    other_reference = load_task(write(reference=REFERENCE + "\n")).sha256
    other_task = load_task(write("y = 2 x", "y = 2x")).sha256
    assert len({first, other_reference, other_task}) == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rmse_rel = 1e-6\n", "", "task.toml: tolerance.rmse_rel is missing"),
        ('name = "scale"\n', "", "task.toml: name is missing"),
        ("timed = true", "tmied = true", "task.toml: shapes[0].tmied is no key of a task"),
        ('"fp32"', '"fp31"', "task.toml: tolerance.precision cannot be 'fp31'"),
        ("N = 8", "N = 'eight'", "task.toml: shapes[0].dims.N cannot be 'eight'"),
        ("N = 8", "N = 0", "task.toml: shape 'small': N = 0 is no size"),
        ("N = 8", "M = 8", "task.toml: shape 'small' lacks dimension N, which tensor 'x' uses"),
        ('dims = ["N"]', 'dims = ["K"]', "lacks dimension K, which entry.dims uses"),
        ('"4*N"', '"4*M"', "task.toml: floor.flops: 'M' is no dimension (there are N)"),
        ('"4*N"', '"4*("', "task.toml: floor.flops: '4*(' is not an expression"),
        ('"4*N"', '"N - 8"', "task.toml: floor.flops is not above 0 at shape 'small'"),
        ('name = "y"', 'name = "x"', "task.toml: two tensors are named 'x'"),
        ("timed = true", "timed = true\nheld_out = true", "is both timed and held_out"),
        ("[tolerance]", "[tolerance", "task.toml:30: no TOML: "),
        ('function = "reference"', 'function = "fast"', "function fast is not defined"),
        ('"reference.py"', '"absent.py"', "absent.py: no such file or directory"),
    ],
)
def test_one_line_for_what_is_wrong(
    write: Callable[..., Path], old: str, new: str, message: str
) -> None:
    with pytest.raises(BadTask) as caught:
        load_task(write(old, new))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_problem_of_a_key_has_a_hint(write: Callable[..., Path]) -> None:
    with pytest.raises(BadTask) as caught:
        load_task(write("rmse_rel = 1e-6\n"))
    assert caught.value.hint == "add `rmse_rel = ...` in [tolerance]"


def test_a_reference_that_is_no_python(write: Callable[..., Path]) -> None:
    with pytest.raises(BadTask, match=r"reference.py:2: not valid Python"):
        load_task(write(reference="x = 1\ndef f(:\n"))


@pytest.mark.parametrize(
    "binding",
    [
        "import torch.nn.functional as reference",
        "reference: object = len",
        "if True:\n    def reference(x): ...\nelse:\n    pass",
        "try:\n    from fast import reference\nexcept ImportError:\n    def reference(x): ...",
        "try:\n    import fast\nexcept ImportError:\n    def reference(x): ...",
        "from functions import *",
    ],
)
def test_ways_to_define_a_function(write: Callable[..., Path], binding: str) -> None:
    load_task(write(reference="def make_inputs(): ...\n" + binding))


@pytest.mark.parametrize("binding", ["reference: object", "import reference.other as x", "x = 1"])
def test_what_defines_no_function(write: Callable[..., Path], binding: str) -> None:
    with pytest.raises(BadTask, match="function reference is not defined"):
        load_task(write(reference="def make_inputs(): ...\n" + binding))


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"\x00"])
def test_no_text(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "task.toml").write_bytes(content)
    with pytest.raises(BadTask, match=r"task.toml.*: (no such file|not UTF-8|no TOML)"):
        load_task(tmp_path)


def test_an_unknown_shape(write: Callable[..., Path]) -> None:
    with pytest.raises(BadTask, match="no shape 'huge'"):
        dims_of(load_task(write()).task, "huge")


def test_check_says_what_the_task_is(write: Callable[..., Path]) -> None:
    summary = check_task(write())
    assert summary.signature == (
        'extern "C" int scale(const float* x, float* y, int64_t N, void* stream)'
    )
    document = json.loads(summary.model_dump_json())
    assert document["schema"] == "warpwright.task-summary/1"
    assert document["shapes"][0]["tensors"][1]["size_bytes"] == 128
    text = task_text(summary)
    assert "256 B moved, 32 FLOP" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    "text", ["__import__('os')", "N.real", "N if N else 1", "[1]", "True", "f(N)", "1/0", "9**9**9"]
)
def test_nothing_but_arithmetic(text: str) -> None:
    with pytest.raises(ValueError):
        evaluate(text, {"N": 1})


@given(st.integers(1, 999), st.integers(1, 999), st.sampled_from(["+", "-", "*", "//", "/", "**"]))
def test_arithmetic_is_pythons(x: int, y: int, op: str) -> None:
    exponent = y % 7 if op == "**" else y
    expected = eval(f"{x} {op} {exponent}")
    assert evaluate(f"X {op} (Y)", {"X": x, "Y": exponent}) == pytest.approx(expected)
