"""What must hold of the whole tree: floors, start-up, no machine's paths."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest


def test_floors_hold(root: Path):
    found = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports")],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_core_imports_no_torch_and_starts_fast(root: Path):
    """Best of three: a busy machine may be slow once."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "warpwright", "--help"], check=True, capture_output=True
        )
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.4
    code = "import sys, warpwright.cli.app as a; print({'torch', 'pydantic'} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert out.stdout.strip() == "set()", "imported before any command needs it"


def test_no_machines_paths_in_tracked_files(root: Path):
    if shutil.which("git") is None:
        pytest.skip("git is not here to list the tracked files")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip(f"the tracked files are not known: {listed.stderr.strip()}")
    private = re.compile(rb"/(?:w[o]rk|r[o]ot|h[o]me/[a-z])/|/t[m]p/(?!nsight)[a-z]")
    for name in listed.stdout.splitlines():
        path = root / name
        if path.is_file() and path.suffix not in {".xz", ".lock"}:
            assert not private.search(path.read_bytes()), name
