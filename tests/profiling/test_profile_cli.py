"""The command line of `ncu profile`, below the same kind of parser as the program's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from warpwright.cli.profile import ProfileCommand, profile
from warpwright.errors import BadInput, ProfilerFault

NcuThat = Callable[[str], Path]
GOOD = """
    pathlib.Path(report.parent.parent, "seen").write_text("\\0".join(arguments))
    report.write_bytes(b"NVR\\0")
    launch()
"""


def _run(*argv: str) -> None:
    root, ncu = typer.Typer(), typer.Typer()
    ncu.command("profile", cls=ProfileCommand)(profile)
    ncu.command("other")(lambda: None)
    root.add_typer(ncu, name="ncu")
    command = typer.main.get_command(root)
    command.main(args=["ncu", "profile", *argv], standalone_mode=False)


@pytest.fixture(autouse=True)
def _there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_command_keeps_its_own_options(
    tmp_path: Path, ncu_that: NcuThat, capsys: pytest.CaptureFixture[str]
) -> None:
    ncu_that(GOOD)
    program = [sys.executable, "bench.py", "--json", "--", "--set", "full"]
    _run("--kernel", "row", "--launch-skip", "2", "--json", "--", *program)
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert document["command"] == program
    assert document["report"] == "bench.ncu-rep"
    assert document["set"] == "quick"
    assert document["task"] is None
    seen = (tmp_path / "seen").read_text().split("\0")
    assert seen[-len(program) :] == program
    assert seen[seen.index("--kernel-name") + 1] == "regex:row"
    assert seen[seen.index("--target-processes") + 1] == "all"
    assert err == ""  # progress is for a terminal


def test_a_task_is_profiled_in_full_and_named_after_its_candidate(
    ncu_that: NcuThat,
    task_folder: Path,
    python_candidate: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ncu_that(GOOD)
    _run(str(task_folder), str(python_candidate), "--shape", "small", "--clock-control", "base")
    out = capsys.readouterr().out
    assert out.startswith("broadcast.ncu-rep: 1 launch of one call of")
    assert "shape small" in out
    assert "--set full" in out
    assert "caution" not in out
    assert out.endswith("next: warpwright ncu digest broadcast.ncu-rep\n")


def test_a_fault_is_an_error_of_exit_code_3(ncu_that: NcuThat) -> None:
    ncu_that('print("==WARNING== No kernels were profiled.")')
    with pytest.raises(ProfilerFault) as caught:
        _run("--", sys.executable, "-c", "pass")
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "give a TASK and a CANDIDATE"),
        (["task"], "give a TASK and a CANDIDATE"),
        (["--"], "no COMMAND after --"),
        (["--", ""], "no COMMAND after --"),
        (["task", "x.cu", "-o", "."], r"\. is a folder"),
        (["task", "x.cu", "-o", ".."], r"\.\. is a folder"),
        (["task", "--", "true"], "task does not go with a COMMAND"),
        (["--shape", "W1", "--", "true"], "--shape does not go with a COMMAND"),
    ],
)
def test_what_does_not_go_together(argv: list[str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        _run(*argv)
