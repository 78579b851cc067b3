"""What nobody foresaw of this machine comes out as one line and a hint, never as a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from warpwright.operations.private import private_facts

GONE = "import os, sys; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone'); "
RUN = "from warpwright.cli.app import run; sys.exit(run(sys.argv[1:]))"


def _run(*argv: str, folder: Path, code: str = "import sys; ", **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code + RUN, *argv],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert done.stdout == ""
    return done.stderr.splitlines()


@pytest.mark.parametrize("argv", [("run", "list"), ("run", "start", "x")])
def test_a_current_folder_that_is_gone(tmp_path: Path, argv: tuple[str, ...]) -> None:
    assert _run(*argv, folder=tmp_path, code=GONE) == [
        "error: the current folder is gone",
        "hint: cd to one that exists",
    ]


def test_a_cache_that_cannot_be_written(tmp_path: Path, root: Path) -> None:
    (tmp_path / "x.cpp").write_text("int x;\n")
    task = str(root / "examples" / "kda")
    error, hint = _run("build", task, "x.cpp", folder=tmp_path, WARPWRIGHT_CACHE="/dev/null/cache")
    assert error.startswith("error: the cache /dev/null/cache cannot be written: ")
    assert "WARPWRIGHT_CACHE" in hint


def test_what_the_system_refuses(tmp_path: Path) -> None:
    name = "x" * 300
    assert _run("task", "check", name, folder=tmp_path) == [
        f"error: {name}: file name too long",
        "hint: is it there, may you use it, and is the disk full?",
    ]


def test_text_that_cannot_be_written(tmp_path: Path, root: Path) -> None:
    name = os.fsdecode(b"\xff.py")
    (tmp_path / name).write_text("def kda_scan(*x): ...\n")
    lines = _run(
        "build", str(root / "examples" / "kda"), name, folder=tmp_path, PYTHONIOENCODING="utf-8"
    )
    assert len(lines) == 2
    assert lines[0].startswith("error: a text cannot be read or written: ")


def test_nobody_reads_the_output_any_more(tmp_path: Path) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run(
        [sys.executable, "-c", "import sys; " + RUN, "run", "list"],
        cwd=tmp_path,
        stdout=writes,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writes)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", "import sys; " + RUN, "run", "list"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.startswith(b"error: no space left on device\nhint: ")


def test_a_user_without_a_name_or_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(uid: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    for name in ("LOGNAME", "USER", "LNAME", "USERNAME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    facts = private_facts(tmp_path, ["/home/alice/x"])
    assert (facts.users, facts.homes) == (("alice",), ())
