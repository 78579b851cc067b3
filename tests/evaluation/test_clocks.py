"""The controller's clock against what a worker says, and what a worker can reach."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from warpwright.evaluation.devices import only_one_on
from warpwright.model.verdict import Evaluation, Verdict

from .conftest import run_cli, write_candidate

SLOW = "time.sleep(0.002)\nreturn scale * x + 1.5"
THOUSANDTH = """
import time
import warpwright.execution.device as device
device.perf_counter_ns = lambda: time.perf_counter_ns() // 1000
"""


def _verdicts(task: Path, *paths: Path, cache: Path, **environment: str) -> list[Verdict]:
    done = run_cli("evaluate", task, *paths, "--json", cache=cache, env=environment)
    return list(Evaluation.model_validate_json(done.stdout).verdicts)


@pytest.mark.torch
def test_a_slowed_clock_is_found_out(task: Path, tmp_path: Path) -> None:
    honest = write_candidate(tmp_path, "honest", SLOW, "import time")
    liar = write_candidate(tmp_path, "liar", SLOW, THOUSANDTH)
    good, bad = _verdicts(task, honest, liar, cache=tmp_path / "cache")
    assert good.status == "correct", good.reasons
    clocks = [check for check in good.checks if check.name == "two clocks"]
    assert len(clocks) == 2  # one a process
    assert all(2e6 <= check.measured <= check.limit for check in clocks)
    assert bad.status == "untrusted"
    assert not bad.speedups
    (reason,) = bad.reasons
    assert reason.startswith("shape main: cpu: the worker claims ")
    assert "the controller's clock" in reason


@pytest.mark.torch
def test_a_candidate_sees_no_more_of_the_environment_than_it_needs(
    task: Path, tmp_path: Path
) -> None:
    seen = tmp_path / "seen.json"
    head = f"import json, os\njson.dump(dict(os.environ), open({str(seen)!r}, 'w'))"
    spy = write_candidate(tmp_path, "spy", "return scale * x + 1.5", head)
    (verdict,) = _verdicts(
        task, spy, cache=tmp_path / "cache", API_TOKEN="secret", LC_ALL="C", OMP_NUM_THREADS="2"
    )
    assert verdict.status == "correct"
    environment = json.loads(seen.read_text())
    assert {"PATH", "HOME", "LC_ALL", "OMP_NUM_THREADS", "TRITON_CACHE_DIR"} <= set(environment)
    assert not [name for name in environment if name == "API_TOKEN" or "WARPWRIGHT" in name]


@pytest.mark.torch
def test_what_is_judged_are_the_bytes_that_were_read(task: Path, tmp_path: Path) -> None:
    """The candidate spoils both its file and the copy it was loaded from, for later processes."""
    path = tmp_path / "moody.py"
    head = f"for name in ({str(path)!r}, __file__):\n    open(name, 'w').write('spoilt')"
    write_candidate(tmp_path, "moody", "return scale * x + 1.5", head)
    (verdict,) = _verdicts(task, path, cache=tmp_path / "cache")
    assert path.read_text() == "spoilt"
    assert verdict.status == "correct", verdict.reasons


AS_NOBODY = """
import ctypes, os, sys
from warpwright.execution.process_control import hide_memory
if os.geteuid() == 0:  # root may open everything
    os.setuid(65534)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
"""
VICTIM = """
if sys.argv[1] == "hidden":
    hide_memory()
print("ready", flush=True)
sys.stdin.read()
"""
PEEK = """
try:
    os.close(os.open(f"/proc/{sys.argv[1]}/mem", os.O_RDWR))
except OSError as error:
    sys.exit(error.strerror)
"""


@pytest.mark.parametrize("how", ["open", "hidden"])
def test_another_process_of_the_user_cannot_open_hidden_memory(how: str) -> None:
    victim = subprocess.Popen(
        [sys.executable, "-c", AS_NOBODY + VICTIM, how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with victim:
        assert victim.stdout is not None
        assert victim.stdout.readline() == b"ready\n"
        peek = [sys.executable, "-c", AS_NOBODY + PEEK, str(victim.pid)]
        done = subprocess.run(peek, capture_output=True, text=True, check=False)
        victim.communicate()
    if how == "open" and done.returncode:
        pytest.skip(f"this kernel hides every process: {done.stderr}")
    assert (done.returncode != 0) == (how == "hidden"), done.stderr


def test_a_gpu_is_held_for_all_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    old = os.umask(0o077)
    try:
        with only_one_on("GPU-1", lambda _: None):
            (file,) = tmp_path.iterdir()
            assert stat.S_IMODE(file.stat().st_mode) == 0o666
            with file.open() as other, pytest.raises(BlockingIOError):
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with only_one_on("GPU-1", lambda _: pytest.fail("nobody holds it")):
            pass
    finally:
        os.umask(old)
