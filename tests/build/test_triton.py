"""Triton candidates, compiled without a GPU where Triton is installed."""

import importlib.util
from pathlib import Path

import pytest

from warpwright.build.candidates import load_candidate
from warpwright.build.compile import build_candidate
from warpwright.tasks import load_task

SOFTMAX = Path(__file__).parent / "softmax"
HAS_TRITON = importlib.util.find_spec("triton") and importlib.util.find_spec("torch")
needs_triton = pytest.mark.skipif(not HAS_TRITON, reason="triton cannot be imported here")


def build(path, target="sm_90a"):
    return build_candidate(load_candidate(path), target=target, task=load_task(SOFTMAX))


@needs_triton
def test_the_kernel_it_launches_is_reported():
    made = build(SOFTMAX / "rows.py")
    assert made.artifact == SOFTMAX / "rows.py"
    assert made.report.cautions == ()
    (kernel,) = made.report.kernels
    assert (kernel.name, kernel.max_threads, kernel.spill_store_bytes) == ("softmax_rows", 128, 0)
    assert 0 < kernel.registers < 255
    if kernel.instructions is not None:
        stores = [a for a in kernel.accesses if (a.space, a.op) == ("global", "store")]
        assert [(a.file, a.line) for a in stores] == [("rows.py", 15)]
    assert build(SOFTMAX / "rows.py").report.cached


@needs_triton
def test_another_target():
    made = build(SOFTMAX / "rows.py", target="sm_80")
    assert made.report.target == "sm_80"
    assert [kernel.name for kernel in made.report.kernels] == ["softmax_rows"]


@needs_triton
def test_every_configuration_of_an_autotuned_kernel_is_reported():
    report = build(SOFTMAX / "tuned.py").report
    assert [kernel.max_threads for kernel in report.kernels] == [64, 256]
    assert report.cautions == ("autotuned: 2 of 2 configurations compiled, none timed",)


@needs_triton
def test_a_call_that_fails_is_told_with_its_line(tmp_path):
    path = tmp_path / "fails.py"
    path.write_text("import triton\n\n\ndef softmax(x):\n    return x.nothing()\n")
    report = build(path).report
    assert report.kernels == ()
    assert [c for c in report.cautions if "fails.py:5: AttributeError" in c]


@needs_triton
def test_a_call_that_launches_nothing_is_told(tmp_path):
    path = tmp_path / "idle.py"
    path.write_text("import triton\n\n\ndef softmax(x):\n    return x\n")
    assert build(path).report.cautions == ("the candidate's call launched no Triton kernel",)


@pytest.mark.skipif(bool(HAS_TRITON), reason="triton is here")
def test_without_triton_the_report_says_so():
    made = build(SOFTMAX / "rows.py")
    assert made.artifact == SOFTMAX / "rows.py"
    assert made.report.kernels == ()
    assert ["not installed" in caution for caution in made.report.cautions] == [True]


def test_without_a_task_the_report_says_so():
    report = build_candidate(load_candidate(SOFTMAX / "rows.py")).report
    assert ["name the task" in caution for caution in report.cautions] == [True]
