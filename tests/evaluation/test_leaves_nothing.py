"""However an evaluation ends, no process, lock or shared memory of it stays."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .conftest import command, write_candidate

pytestmark = pytest.mark.torch

HANG = """
open({started!r}, "w").close()
time.sleep(600)
"""
SPAWN = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
"""


def _marked(mark: str) -> list[int]:
    """Processes that inherited this test's mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                environment = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if f"LEFT_BEHIND_BY={mark}".encode() in environment:
                found.append(int(entry.name))
    return found


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
def _hanging(task: Path, folder: Path, head: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command line in the middle of a call that never returns."""
    started = folder / "started"
    candidate = write_candidate(folder, "hangs", HANG.format(started=str(started)), head)
    mark = str(folder)
    process = subprocess.Popen(
        command("evaluate", task, candidate),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LEFT_BEHIND_BY": mark},
    )
    try:
        assert _until(started.exists, 60), process.stderr
        assert len(_marked(mark)) >= 3
        yield process, mark
    finally:
        process.kill()
        process.communicate()
        for pid in _marked(mark):
            os.kill(pid, signal.SIGKILL)


def test_ctrl_c_in_the_middle(task: Path, tmp_path: Path) -> None:
    with _hanging(task, tmp_path, SPAWN) as (process, mark):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert out == ""
        assert err == "error: interrupted\n"
        assert _until(lambda: not _marked(mark), 5)
    assert not _shared_memory()


def test_a_killed_controller_takes_its_children_along(task: Path, tmp_path: Path) -> None:
    with _hanging(task, tmp_path, "import time") as (process, mark):
        process.kill()
        process.communicate(timeout=30)
        assert _until(lambda: not _marked(mark), 10)
    assert not _shared_memory()
