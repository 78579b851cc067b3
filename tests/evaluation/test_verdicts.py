"""Candidates good and bad through the command line, as users run it, on the CPU."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from warpwright.model.verdict import Evaluation, FloorUse, SpeedupMeasured, Verdict

from .conftest import REFERENCE, TASK, run_cli, write_candidate, write_task

pytestmark = pytest.mark.torch

FORGE = """
import json, os, socket, stat, struct, torch
for number in range(3, 64):
    try:
        is_socket = stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        continue
    if is_socket:
        body = json.dumps({"id": "hello", "result": {"problems": [], "ns": [1.0]}}).encode()
        os.write(number, struct.pack("!I", len(body)) + body)
"""


def _timing_is(sample: str) -> str:
    """The head of a candidate that puts this in the place of a timed sample."""
    return (
        "import warpwright.execution.timing as timing\n"
        f"timing.timed_sample = lambda device, refresh, call, mode: {sample}"
    )


BAD = {
    "wrong_value": ("return scale * x + 1.5001", "import torch", "relative error"),
    "only_small": (
        "return scale * x + (1.5 if x.shape[0] < 64 else 1.6)",
        "import torch",
        "shape main: y: relative error",
    ),
    "wrong_shape": ("return (scale * x + 1.5)[:-1]", "import torch", "has shape [2, 7]"),
    "wrong_dtype": ("return (scale * x + 1.5).double()", "import torch", "has dtype float64"),
    "nan": ("y = scale * x + 1.5\ny[0, 0] = float('nan')\nreturn y", "import torch", "are NaN"),
    "unwritten": ("return torch.empty_like(x)", "import torch", "y: "),
    "mutates": ("y = scale * x + 1.5\nx.zero_()\nreturn y", "import torch", "its input x"),
    "aborts": ("os.abort()", "import os", "killed by SIGABRT"),
    "segfaults": ("ctypes.string_at(0)", "import ctypes", "killed by SIGSEGV"),
    "leaves": ("os._exit(0)", "import os", "left with exit code 0"),
    "calls_exit": ("sys.exit(0)", "import sys", "called sys.exit(0)"),
    "raises": ("raise ValueError('no\\nluck')", "import torch", "ValueError: no luck"),
    "hangs": ("time.sleep(600)", "import time", "did not answer within 3 s"),
    "bad_import": ("return x", "import no_such_module", "/bad_import.py:1: ModuleNotFoundError"),
    "escapes": (
        "raise ValueError('a\\x1b]0;title\\x07b \\ud800 \\x1b[31mc')",
        "import torch",
        "ValueError: a b c",
    ),
    "floods": (
        "return scale * x + 1.5",
        "import warpwright.execution.form as form\nform.problems = lambda *a, **k: ['x'] * 200_000",
        "shape odd: x",
    ),
}

UNTRUSTED = {
    "forges": (FORGE, "answered what it was not asked"),
    "huge_times": (_timing_is("(10**400, call())"), "claimed times that are no times"),
    "negative_times": (_timing_is("(-1.0, call())"), "claimed times that are no times"),
    "true_times": (_timing_is("(True, call())"), "claimed times that are no times"),
    "text_times": (_timing_is("('1', call())"), "claimed times that are no times"),
    "endless_times": (_timing_is("(1e300, call())"), "on the controller's clock"),
}
"""Candidates that compute what they should and lie."""


@pytest.fixture(scope="module")
def bad_verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    """All bad candidates in one command, and a good one last: each costs only itself."""
    folder = tmp_path_factory.mktemp("bad")
    task = write_task(folder / "affine")
    paths = [write_candidate(folder, name, body, head) for name, (body, head, _) in BAD.items()]
    right = "return scale * x + 1.5"
    paths += [write_candidate(folder, name, right, head) for name, (head, _) in UNTRUSTED.items()]
    paths.append(
        write_candidate(folder, "good", "return torch.addcmul(x.new_full((), 1.5), x, scale)")
    )
    options = ("--quick", "--call-timeout", "3", "--json")
    done = run_cli("evaluate", task, *paths, *options, cache=folder / "cache")
    assert done.returncode == 1, done.stderr
    assert done.stderr == ""
    verdicts = Evaluation.model_validate_json(done.stdout).verdicts
    assert len(verdicts) == len(paths)
    return {verdict.candidate: verdict for verdict in verdicts}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_candidate_is_incorrect_for_its_own_reason(
    bad_verdicts: dict[str, Verdict], name: str
) -> None:
    verdict = bad_verdicts[name]
    assert verdict.status == "incorrect"
    assert BAD[name][2] in verdict.reasons[0]
    assert "\n" not in verdict.reasons[0]
    assert not verdict.speedups
    assert not verdict.timings


def test_what_only_fails_at_one_shape_says_which(bad_verdicts: dict[str, Verdict]) -> None:
    checks = bad_verdicts["only_small"].checks
    assert {check.shape for check in checks if not check.passed} == {"main"}
    assert {check.shape for check in checks if check.passed} == {"odd", "unseen"}


def test_unwritten_outputs_never_hold_an_earlier_answer(bad_verdicts: dict[str, Verdict]) -> None:
    assert not any(check.passed for check in bad_verdicts["unwritten"].checks)


@pytest.mark.parametrize("name", UNTRUSTED)
def test_who_computes_well_and_lies_is_not_trusted(
    bad_verdicts: dict[str, Verdict], name: str
) -> None:
    verdict = bad_verdicts[name]
    assert verdict.status == "untrusted", verdict.reasons
    assert UNTRUSTED[name][1] in verdict.reasons[0]
    assert not verdict.speedups
    assert not verdict.timings


def test_a_flood_of_problems_is_cut(bad_verdicts: dict[str, Verdict]) -> None:
    assert len(bad_verdicts["floods"].checks) == 16


def test_the_candidate_after_all_these_is_judged_on_its_own(
    bad_verdicts: dict[str, Verdict],
) -> None:
    verdict = bad_verdicts["good"]
    assert verdict.status == "correct", verdict.reasons
    assert verdict.reasons == ()
    assert {check.name for check in verdict.checks} == {"error", "timed call", "two clocks"}
    assert verdict.rel_error is not None
    assert verdict.rel_error < 1e-6


CPP = r"""
#include <cstdint>
#include <cstdio>
extern "C" int affine(const float* x, const float* scale, float* y,
                      int64_t N, int64_t M, void*) {
  for (int64_t i = 0; i < N * M; ++i) y[i] = scale[i % M] * x[i] + 1.5f;
  std::printf("garbage on stdout {\"id\": 1}\n");
  return 0;
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not here")
def test_correct_candidates_are_timed_and_the_text_says_all(task: Path, tmp_path: Path) -> None:
    native = tmp_path / "native.cpp"
    native.write_text(CPP)
    python = write_candidate(tmp_path, "chatty", "print('x' * 100000)\nreturn scale * x + 1.5")
    cache = tmp_path / "cache"
    done = run_cli("evaluate", task, native, python, "--json", cache=cache)
    assert done.returncode == 0, done.stdout + done.stderr
    first, second = Evaluation.model_validate_json(done.stdout).verdicts
    assert (first.status, second.status) == ("correct", "correct")
    assert {t.subject for t in first.timings} == {"candidate", "eager"}
    assert {t.mode for t in first.timings} == {"cpu"}
    (speedup,) = first.speedups
    assert speedup.low <= speedup.ratio <= speedup.high
    assert speedup.paired
    assert speedup.pairs >= 5
    assert first.floor is not None
    assert first.floor.bytes == 4 * (2 * 64 * 96 + 96)
    assert first.environment is not None
    assert first.environment.device_kind == "cpu"
    assert first.environment.tf32 is False
    assert any(check.name == "timed call" for check in first.checks)
    # quick samples do not replace the stored ones
    (stored,) = [f for f in (cache / "baselines").iterdir() if '"eager"' in f.read_text()]
    before = stored.read_text()
    done = run_cli("evaluate", task, native, "--quick", "--baselines", "live", cache=cache)
    assert done.returncode == 0, done.stderr
    assert stored.read_text() == before
    # the same as text, short, from stored baselines, and too slow for what is asked
    done = run_cli(
        "evaluate", task, native, "--quick", "--baselines", "cached", "--min-speedup", "1e6",
        cache=cache,
    )  # fmt: skip
    assert done.returncode == 1
    assert "1e+06x was asked for" in done.stderr
    assert done.stdout.startswith("native: correct (affine)\n")
    assert "CPU timing: says nothing about a GPU" in done.stdout
    assert "measured by an earlier command, not interleaved: eager (cpu)" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not here")
def test_a_candidate_that_does_not_compile(task: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.cpp"
    broken.write_text('extern "C" int affine() {\n  return nonsense;\n}\n')
    cache = tmp_path / "cache"
    alone = run_cli("evaluate", task, broken, cache=cache)
    assert alone.returncode == 2
    assert "broken.cpp:2" in alone.stderr
    assert "nonsense" in alone.stderr
    good = write_candidate(tmp_path, "good", "return scale * x + 1.5")
    both = run_cli("evaluate", task, broken, good, "--quick", "--json", cache=cache)
    assert both.returncode == 1
    statuses = [v["status"] for v in json.loads(both.stdout)["verdicts"]]
    assert statuses == ["incorrect", "correct"]


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("raise ValueError('broken')", "reference.py:12: ValueError: broken"),
        ("return (scale * x + 1.5).float()", "on float64 inputs: output y has dtype float32"),
    ],
)
def test_a_bad_reference_is_the_tasks_fault(
    tmp_path: Path, reference: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from warpwright.cli.app import run

    text = REFERENCE.replace("return scale * x + 1.5", reference)
    task = write_task(tmp_path / "affine", reference=text)
    good = write_candidate(tmp_path, "good", "return scale * x + 1.5")
    assert run(["evaluate", str(task), str(good)]) == 2
    error = capsys.readouterr().err
    assert words in error, error


def test_a_cuda_candidate_needs_a_gpu(
    task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    from warpwright.cli.app import run

    monkeypatch.setattr("warpwright.operations.evaluate.has_nvidia_device", lambda: False)
    kernel = tmp_path / "kernel.cu"
    kernel.write_text("__global__ void k() {}\n")
    assert run(["evaluate", str(task), str(kernel)]) == 3
    assert "kernel needs a CUDA device" in capsys.readouterr().err
    assert run(["evaluate", str(task), str(kernel), "--device", "cpu"]) == 2
    assert "--device cpu was asked for" in capsys.readouterr().err
    native = tmp_path / "native.cpp"
    native.write_text(CPP)
    assert run(["evaluate", str(task), str(native), "--device", "cuda"]) == 2
    assert "cannot run with --device cuda" in capsys.readouterr().err


def test_without_torch_one_line_says_what_to_install(
    task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    from warpwright.cli.app import run

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    good = write_candidate(tmp_path, "good", "return x")
    assert run(["evaluate", str(task), str(good)]) == 3
    assert "install torch" in capsys.readouterr().err


def test_a_task_for_other_devices_only(task: Path, tmp_path: Path, capsys: Any) -> None:
    from warpwright.cli.app import run

    text = TASK.replace("[[shapes]]", '[[shapes]]\ndevices = ["cuda"]')
    write_task(task, task=text)
    good = write_candidate(tmp_path, "good", "return scale * x + 1.5")
    assert run(["evaluate", str(task), str(good), "--device", "cpu"]) == 2
    assert "task affine has no shape for the CPU" in capsys.readouterr().err


def test_float64_beyond_all_squares_is_incorrect(task: Path, tmp_path: Path) -> None:
    reference = REFERENCE.replace("device=device)", "device=device, dtype=torch.float64)")
    write_task(task, task=TASK.replace("float32", "float64"), reference=reference)
    wild = write_candidate(tmp_path, "wild", "return torch.full_like(x, -1e308)")
    done = run_cli("evaluate", task, wild, "--quick", "--json", cache=tmp_path / "cache")
    (verdict,) = Evaluation.model_validate_json(done.stdout).verdicts
    assert verdict.status == "incorrect"
    assert "relative error" in verdict.reasons[0]


def test_a_fault_later_on_costs_no_verdict_that_was_reached(task: Path, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    text = f"import pathlib\n{REFERENCE}".replace(
        "    return scale", f"    assert not pathlib.Path({str(flag)!r}).exists()\n    return scale"
    )
    write_task(task, reference=text)
    right = "return scale * x + 1.5"
    breaks = f"import pathlib\npathlib.Path({str(flag)!r}).touch()"
    paths = [
        write_candidate(tmp_path, "first", right),
        write_candidate(tmp_path, "breaks", right, breaks),
        write_candidate(tmp_path, "last", right),
    ]
    done = run_cli("evaluate", task, *paths, "--quick", "--json", cache=tmp_path / "cache")
    assert done.returncode == 3, done.stderr
    verdicts = Evaluation.model_validate_json(done.stdout).verdicts
    assert [v.status for v in verdicts] == ["correct", *["infrastructure-error"] * 2]
    assert "AssertionError" in verdicts[2].reasons[0]


def test_a_rare_wrong_timed_call_is_always_found(task: Path, tmp_path: Path) -> None:
    head = "import torch\ncalls = 0"
    body = """\
global calls
calls += x.shape[0] == 64
right = scale * x + 1.5
return right if calls < 14 or calls % 9 else torch.zeros_like(right)"""
    rare = write_candidate(tmp_path, "rare", body, head)
    done = run_cli("evaluate", task, rare, "--json", cache=tmp_path / "cache")
    (verdict,) = Evaluation.model_validate_json(done.stdout).verdicts
    assert verdict.status == "incorrect"
    assert verdict.reasons[0].startswith("in a timed call, shape main: y: relative error 1 ")


def test_a_speedup_counts_by_the_lower_end_of_its_interval() -> None:
    from warpwright.operations.evaluate import is_positive

    speedup = SpeedupMeasured(
        baseline="eager", shape="main", mode="cpu", ratio=2.0, low=1.5, high=3.0, pairs=9,
        paired=True,
    )  # fmt: skip
    verdict = Verdict(
        task="affine", task_sha256="", candidate="good", candidate_sha256="", status="correct",
        rel_error=0.0, speedups=(speedup,),
    )  # fmt: skip
    evaluation = Evaluation(verdicts=(verdict,))
    assert is_positive(evaluation, 1.5)
    assert not is_positive(evaluation, 1.8)


def test_faster_than_memory_is_said_to_be_in_cache() -> None:
    from warpwright.render.verdict import verdict_text

    floor = FloorUse(
        shape="main", bytes=1e6, flops=1e6, floor_ns=1e5, percent=150.0, memory_bytes_per_s=1e10,
        flops_per_s=None,
    )  # fmt: skip
    verdict = Verdict(
        task="affine", task_sha256="", candidate="good", candidate_sha256="", status="correct",
        rel_error=0.0, floor=floor,
    )  # fmt: skip
    assert "150 % of it (in cache): 100 us for 1 MB at 10 GB/s" in verdict_text(verdict)


def test_a_name_is_no_markup(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from warpwright.cli.evaluate import _progress

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with _progress() as say:
        say("building [/bold]")


def test_because_must_name_a_finding(task: Path, tmp_path: Path, capsys: Any) -> None:
    from warpwright.cli.app import run

    good = write_candidate(tmp_path, "good", "return x")
    assert run(["evaluate", str(task), str(good), "--because", "before.ncu-rep#L0"]) == 2
    assert "does not name a finding" in capsys.readouterr().err
