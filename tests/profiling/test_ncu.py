"""How the driver handles processes and files. Nsight Compute is stood in for: see conftest.py."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from warpwright.config import cache_dir
from warpwright.errors import BadInput, ProfilerFault, ToolMissing
from warpwright.profiling.ncu import profile_command
from warpwright.profiling.options import Options
from warpwright.profiling.process import run_in_group

NcuThat = Callable[[str], Path]
PROGRAM = [sys.executable, "-c", "print('hello')"]
GOOD = """
    report.write_bytes(b"NVR\\0new")
    launch()
    print("==PROF== Report:", report)
"""


def _options(folder: Path, **values: object) -> Options:
    return Options(output=folder / "out.ncu-rep", **values)  # type: ignore[arg-type]


def _leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".warpwright")]


def test_a_report_comes_into_place(tmp_path: Path, ncu_that: NcuThat) -> None:
    ncu_that(GOOD)
    lines: list[str] = []
    profiled = profile_command(PROGRAM, _options(tmp_path), lines.append)
    assert profiled.report == tmp_path / "out.ncu-rep"
    assert profiled.report.read_bytes() == b"NVR\0new"
    assert (profiled.ncu_version, profiled.launches) == ("2025.3.1.0", 1)
    assert profiled.cautions == ()
    assert lines[-1].startswith("==PROF== Report:")
    assert _leftovers(tmp_path) == []


def test_a_compressed_report_keeps_its_suffix(tmp_path: Path, ncu_that: NcuThat) -> None:
    ncu_that('report.with_suffix(".ncu-repz").write_bytes(b"z")\nlaunch()\n')
    assert profile_command(PROGRAM, _options(tmp_path)).report == tmp_path / "out.ncu-repz"


def test_an_existing_report_is_replaced_only_when_forced(tmp_path: Path, ncu_that: NcuThat) -> None:
    ncu_that(GOOD)
    old = tmp_path / "out.ncu-rep"
    old.write_bytes(b"old")
    with pytest.raises(BadInput, match="exists already"):
        profile_command(PROGRAM, _options(tmp_path))
    assert old.read_bytes() == b"old"
    profile_command(PROGRAM, _options(tmp_path, force=True))
    assert old.read_bytes() == b"NVR\0new"


def test_a_failure_leaves_the_existing_report_and_a_log(tmp_path: Path, ncu_that: NcuThat) -> None:
    ncu_that("""
        report.write_bytes(b"half")
        print("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access ...")
        print("==WARNING== No kernels were profiled.")
        sys.exit(1)
    """)
    old = tmp_path / "out.ncu-rep"
    old.write_bytes(b"old")
    with pytest.raises(ProfilerFault, match="ERR_NVGPUCTRPERM") as caught:
        profile_command(PROGRAM, _options(tmp_path, force=True))
    assert caught.value.exit_code == 3
    assert "No kernels were profiled" in caught.value.log
    assert str(cache_dir() / "ncu.log") in (caught.value.hint or "")
    assert "No kernels were profiled" in (cache_dir() / "ncu.log").read_text()
    assert old.read_bytes() == b"old"
    assert _leftovers(tmp_path) == []


def test_a_report_without_launches_is_not_kept(tmp_path: Path, ncu_that: NcuThat) -> None:
    ncu_that("""
        report.write_bytes(b"empty")
        print("==WARNING== No kernels were profiled.")
        print("Available Kernels:")
        print("1. scale_rows")
    """)
    with pytest.raises(ProfilerFault, match=r"no launch matches 'kda'.* ran: scale_rows"):
        profile_command(PROGRAM, _options(tmp_path, kernel="kda"))
    assert not (tmp_path / "out.ncu-rep").exists()


def test_a_program_that_fails(tmp_path: Path, ncu_that: NcuThat) -> None:
    ncu_that("""
        print("==ERROR== The application returned an error code (7).")
        print("==WARNING== No kernels were profiled.")
        sys.exit(7)
    """)
    with pytest.raises(ProfilerFault, match="ended with code 7"):
        profile_command(PROGRAM, _options(tmp_path))


def test_launches_profiled_before_a_failure_are_kept_with_a_caution(
    tmp_path: Path, ncu_that: NcuThat
) -> None:
    ncu_that("""
        launch()
        print('==ERROR== Failed to profile "second" in process 1')
        print("==ERROR== The application returned an error code (15).")
        report.write_bytes(b"one launch")
        sys.exit(1)
    """)
    profiled = profile_command(PROGRAM, _options(tmp_path))
    assert profiled.report.read_bytes() == b"one launch"
    (caution,) = profiled.cautions
    assert 'Failed to profile "second"' in caution


def test_a_hang_ends_at_the_time_limit_with_its_children(tmp_path: Path, ncu_that: NcuThat) -> None:
    ncu_that("""
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        pathlib.Path(report.parent.parent, "child").write_text(str(child.pid))
        report.write_bytes(b"half")
        time.sleep(60)
    """)
    start = time.monotonic()
    with pytest.raises(ProfilerFault, match="stopped after 2 s") as caught:
        profile_command(PROGRAM, _options(tmp_path, timeout_s=2))
    assert "--replay application" in (caught.value.hint or "")
    assert time.monotonic() - start < 20
    _wait_until_gone(int((tmp_path / "child").read_text()))
    assert not (tmp_path / "out.ncu-rep").exists()
    assert _leftovers(tmp_path) == []


@pytest.mark.parametrize("limit_s", [60, 0.5])
def test_nothing_outlives_the_profiler(tmp_path: Path, limit_s: float) -> None:
    script = (
        "sleep 78 & echo $!; exit 0" if limit_s > 1 else "trap '' TERM; sleep 78 & echo $!; wait"
    )
    finished = run_in_group(["sh", "-c", script], timeout_s=limit_s, log=tmp_path / "log")
    assert finished.exit_code == (0 if limit_s > 1 else None)
    _wait_until_gone(int(finished.text))


def test_a_log_that_cannot_be_kept(
    tmp_path: Path, ncu_that: NcuThat, monkeypatch: pytest.MonkeyPatch
) -> None:
    ncu_that('print("==WARNING== No kernels were profiled.")')
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WARPWRIGHT_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(ProfilerFault) as caught:
        profile_command(PROGRAM, _options(tmp_path))
    assert "(log: " not in (caught.value.hint or "")
    assert "No kernels were profiled" in caught.value.log


def test_an_interrupt_ends_the_profiler_and_leaves_nothing(
    tmp_path: Path, ncu_that: NcuThat
) -> None:
    ncu_that("""
        import os
        pathlib.Path(report.parent.parent, "started").write_text(str(os.getpid()))
        report.write_bytes(b"half")
        time.sleep(60)
    """)
    code = (
        "import sys; from pathlib import Path\n"
        "from warpwright.profiling.ncu import profile_command\n"
        "from warpwright.profiling.options import Options\n"
        "profile_command(['true'], Options(output=Path('out.ncu-rep')))\n"
    )
    started = tmp_path / "started"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as process:
        _wait_for(lambda: started.exists() and started.read_text() != "")
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in complaint
    _wait_until_gone(int(started.read_text()))
    assert not (tmp_path / "out.ncu-rep").exists()
    assert _leftovers(tmp_path) == []


def test_no_ncu_and_one_that_cannot_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPWRIGHT_NCU", str(tmp_path / "absent"))
    with pytest.raises(ToolMissing, match="ncu was not found"):
        profile_command(PROGRAM, _options(tmp_path))
    (tmp_path / "ncu").write_text("not a program\n")
    monkeypatch.setenv("WARPWRIGHT_NCU", str(tmp_path / "ncu"))
    with pytest.raises(ProfilerFault, match="cannot be run"):
        profile_command(PROGRAM, _options(tmp_path))


@pytest.mark.parametrize(
    ("output", "said"), [("nowhere/out.ncu-rep", "no such folder"), ("", "is a folder")]
)
def test_an_output_that_cannot_be_written(tmp_path: Path, output: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        profile_command(PROGRAM, Options(output=tmp_path / output))


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no-such-program: no such program"):
        profile_command(["no-such-program"], _options(tmp_path))


def _wait_for(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that in time"
        time.sleep(0.05)


def _wait_until_gone(pid: int) -> None:
    def gone() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        status = Path(f"/proc/{pid}/stat")  # a zombie that nobody reaps is gone too
        return status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z"

    _wait_for(gone)
