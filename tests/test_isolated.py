from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from warpwright.isolated import execution_command


def test_a_module_runs_with_its_arguments_and_as_main() -> None:
    done = subprocess.run(
        [*execution_command("json.tool"), "--compact"],
        input='{"a": 1}',
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == '{"a":1}'


def test_what_lies_in_the_current_folder_cannot_stand_in_for_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json").mkdir()
    (tmp_path / "json" / "__init__.py").write_text("raise SystemExit('the wrong json')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    command = [*execution_command("json.tool"), "--compact"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        command, input="[1]", capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[1]")


def test_a_source_tree_starts_modules_of_its_own(tmp_path: Path, root: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(root / "src" / "warpwright", tree / "warpwright")
    (tree / "warpwright" / "probe.py").write_text("print(__file__)\n")
    code = (
        "import subprocess\n"
        "from warpwright.isolated import execution_command\n"
        "subprocess.run(execution_command('warpwright.probe'), check=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tree)},
    )
    assert done.stdout.strip() == str(tree / "warpwright" / "probe.py")
