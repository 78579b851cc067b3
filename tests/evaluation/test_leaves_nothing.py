"""However an evaluation ends, no process, lock or shared memory of it stays."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .conftest import command, run_cli, write_candidate

pytestmark = pytest.mark.torch

HANG = """
open({started!r}, "w").close()
time.sleep(600)
"""
SPAWN = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
"""


def _below(pid: int) -> set[int]:
    """A process's descendants, dead ones too."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)] = int(fields[1])
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def _alive(pids: set[int]) -> set[int]:
    return {pid for pid in pids if Path(f"/proc/{pid}").exists()}


def _shared_memory() -> set[str]:
    return {path.name for path in Path("/dev/shm").glob("*warpwright*")}


def _until(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


@contextmanager
def _hanging(
    task: Path, folder: Path, head: str
) -> Iterator[tuple[subprocess.Popen[str], set[int]]]:
    """The command line in the middle of a call that never returns, and all it has started."""
    started = folder / "started"
    candidate = write_candidate(folder, "hangs", HANG.format(started=str(started)), head)
    process = subprocess.Popen(
        command("evaluate", task, candidate),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    below: set[int] = set()
    try:
        assert _until(started.exists, 60), process.stderr
        below = _below(process.pid)
        assert len(below) >= 2
        yield process, below
    finally:
        process.kill()
        process.communicate()
        for pid in _alive(below):
            os.kill(pid, signal.SIGKILL)


def test_ctrl_c_in_the_middle(task: Path, tmp_path: Path) -> None:
    with _hanging(task, tmp_path, SPAWN) as (process, below):
        assert len(below) >= 3
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert out == ""
        assert err == "error: interrupted\n"
        assert _until(lambda: not _alive(below), 5)
    assert not _shared_memory()


def test_a_killed_controller_takes_its_children_along(task: Path, tmp_path: Path) -> None:
    with _hanging(task, tmp_path, "import time") as (process, below):
        process.kill()
        process.communicate(timeout=30)
        assert _until(lambda: not _alive(below), 10)
    assert not _shared_memory()


def test_an_orphan_without_environment_in_a_session_of_its_own(task: Path, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    escape = f"env -i setsid sh -c 'echo $$ >{note}; exec sleep 77' &"
    head = f"import subprocess\nsubprocess.run([{escape!r}], shell=True)"
    candidate = write_candidate(tmp_path, "escapes", "return scale * x + 1.5", head)
    done = run_cli("evaluate", task, candidate, "--quick", cache=tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    assert not _alive({int(note.read_text())})
