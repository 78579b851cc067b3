"""The verb, from task and candidate to the document. Nsight Compute is stood in for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from warpwright.errors import BadCandidate, BadInput, NoGpu, ToolMissing
from warpwright.operations.profile import choose_shape, profile_task, report_path
from warpwright.profiling.options import Options
from warpwright.render.profile import profile_text
from warpwright.tasks import load_task

NcuThat = Callable[[str], Path]
RUNS_IT = """
    code = subprocess.run(program).returncode
    if code:
        print(f"==ERROR== The application returned an error code ({code}).")
    print("==WARNING== No kernels were profiled.")
    sys.exit(code)
"""


def _options(folder: Path, **values: object) -> Options:
    return Options(output=folder / "out.ncu-rep", **values)  # type: ignore[arg-type]


def test_one_call_of_the_timed_shape_is_asked_for(
    tmp_path: Path, ncu_that: NcuThat, task_folder: Path, python_candidate: Path
) -> None:
    ncu_that("""
        pathlib.Path(report.parent.parent, "seen").write_text("\\0".join(arguments))
        pathlib.Path(report.parent.parent, "request").write_text(open(program[-2]).read())
        report.write_bytes(b"NVR\\0")
        launch()
    """)
    document = profile_task(task_folder, python_candidate, _options(tmp_path))
    request = json.loads((tmp_path / "request").read_text())
    assert request["dims"] == {"N": 4096, "D": 64}
    assert request["distribution"] == "normal"
    assert request["artifact"] == str(python_candidate)
    seen = (tmp_path / "seen").read_text().split("\0")
    assert seen[seen.index("--profile-from-start") + 1] == "off"
    assert seen[seen.index("--target-processes") + 1] == "application-only"
    assert seen[seen.index("--launch-count") + 1] == "64"
    assert seen[seen.index("--source-folders") + 1] == str(tmp_path)
    assert (document.task, document.shape, document.launches) == ("scale_rows", "large", 1)
    assert document.candidate == str(python_candidate)
    assert any("clocks were not locked" in caution for caution in document.cautions)
    written = document.model_dump(mode="json")
    assert (written["schema"], written["set"]) == ("warpwright.profile/1", "full")


def test_a_call_of_very_many_launches_is_cautioned(
    tmp_path: Path, ncu_that: NcuThat, task_folder: Path, python_candidate: Path
) -> None:
    ncu_that("""
        report.write_bytes(b"NVR\\0")
        for number in range(64):
            launch(number=number)
    """)
    cautions = profile_task(task_folder, python_candidate, _options(tmp_path)).cautions
    assert any("only the first 64 launches" in caution for caution in cautions)
    options = _options(tmp_path, launch_count=64, force=True)
    cautions = profile_task(task_folder, python_candidate, options).cautions
    assert not any("only the first" in caution for caution in cautions)


@pytest.mark.torch
@pytest.mark.skipif(Path("/dev/nvidia0").exists(), reason="there is a GPU here")
def test_the_target_says_that_there_is_no_gpu(
    tmp_path: Path, ncu_that: NcuThat, task_folder: Path, python_candidate: Path
) -> None:
    ncu_that(RUNS_IT)
    with pytest.raises(NoGpu, match="no CUDA device"):
        profile_task(task_folder, python_candidate, _options(tmp_path))
    assert not (tmp_path / "out.ncu-rep").exists()


def test_a_target_that_dies_is_told_by_its_code(
    tmp_path: Path, ncu_that: NcuThat, task_folder: Path, python_candidate: Path
) -> None:
    ncu_that("""
        pathlib.Path(program[-1]).write_text(
            '{"finite": null, "error": "scale_rows returned 98", "kind": "BadCandidate"}'
        )
        print("==ERROR== The application returned an error code (1).")
        print("==WARNING== No kernels were profiled.")
        sys.exit(1)
    """)
    with pytest.raises(BadCandidate, match="scale_rows returned 98"):
        profile_task(task_folder, python_candidate, _options(tmp_path))


def test_what_is_wrong_is_said_before_anything_is_built(
    tmp_path: Path,
    ncu_that: NcuThat,
    task_folder: Path,
    python_candidate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ncu_that("sys.exit(1)")
    broken = tmp_path / "broken.cu"
    broken.write_text("this does not compile\n")
    (tmp_path / "out.ncu-rep").write_bytes(b"old")
    with pytest.raises(BadInput, match="exists already"):
        profile_task(task_folder, broken, _options(tmp_path))
    with pytest.raises(BadInput, match="no shape 'secret'"):
        profile_task(task_folder, broken, _options(tmp_path, force=True), "secret")
    host = tmp_path / "host.cpp"
    host.write_text('extern "C" int scale_rows() { return 0; }\n')
    with pytest.raises(BadInput, match="runs on the CPU"):
        profile_task(task_folder, host, _options(tmp_path, force=True))
    monkeypatch.setenv("WARPWRIGHT_NCU", str(tmp_path / "absent"))
    with pytest.raises(ToolMissing, match="ncu was not found"):
        profile_task(task_folder, broken, _options(tmp_path, force=True))


def test_shapes(task_folder: Path) -> None:
    task = load_task(task_folder).task
    assert choose_shape(task, None).name == "large"
    assert choose_shape(task, "small").name == "small"
    with pytest.raises(BadInput, match="no shape 'nowhere'") as caught:
        choose_shape(task, "nowhere")
    assert caught.value.hint == "one of: small, large"


@pytest.mark.parametrize(
    ("output", "path"),
    [
        (None, "before.ncu-rep"),
        (Path("a/b"), "a/b.ncu-rep"),
        (Path("v1.2"), "v1.2.ncu-rep"),
        (Path("x.ncu-rep"), "x.ncu-rep"),
    ],
)
def test_report_paths(output: Path | None, path: str) -> None:
    assert report_path(output, "before") == Path(path)


def test_the_text_ends_with_the_next_command(
    tmp_path: Path,
    ncu_that: NcuThat,
    task_folder: Path,
    python_candidate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ncu_that('report.write_bytes(b"NVR\\0")\nlaunch()\n')
    monkeypatch.chdir(tmp_path)
    options = Options(output=Path("my report.ncu-rep"))
    text = profile_text(profile_task(task_folder, python_candidate, options))
    assert "1 launch of one call of" in text
    assert "Nsight Compute 2025.3.1.0, --set full" in text
    assert text.splitlines()[-1] == "next: warpwright ncu digest 'my report.ncu-rep'"
    assert max(map(len, text.splitlines()[1:])) <= 80
