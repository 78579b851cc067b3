"""The commands as a user types them: whole processes, in a project's sub-folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from warpwright.runs.store import RunStore


def warpwright(*argv: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "warpwright", *argv],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_from_start_to_page(project: Path, shared_reports: Path) -> None:
    deep = project / "deep"
    deep.mkdir()
    report = str(shared_reports / "kda_after.h200.ncu-rep.xz")
    assert "started run first" in warpwright("run", "start", "first", folder=project).stdout
    assert warpwright("ncu", "digest", report, folder=deep).returncode == 0
    assert warpwright("ncu", "digest", "none.ncu-rep", folder=deep).returncode == 2
    assert warpwright("ncu", "no-such-verb", folder=deep).returncode == 2
    assert "stopped run first" in warpwright("run", "stop", folder=deep).stdout
    assert warpwright("ncu", "digest", report, folder=deep).returncode == 0  # unrecorded

    shown = warpwright("run", "show", "--json", "--all", folder=deep)
    steps = json.loads(shown.stdout)["steps"]
    assert [step["kind"] for step in steps] == ["digest", "command", "command"]
    assert [step["exit_code"] for step in steps] == [0, 2, 2]
    assert "none.ncu-rep" in steps[1]["error"]
    assert "first" in warpwright("run", "list", folder=deep).stdout
    replayed = warpwright("run", "replay", folder=deep)
    assert replayed.returncode == 0
    assert "1 of 1 digest computed now: same as recorded" in replayed.stdout
    page = warpwright("run", "export", "first", "--html", "story.html", folder=deep)
    assert page.stdout == "exported run first to story.html\n"
    assert "launch.small_grid" in (deep / "story.html").read_text()
    copied = warpwright("run", "export", "--to", "copy", "--redacted", folder=deep)
    assert copied.returncode == 0
    assert len(RunStore(deep / "copy").read().events) == 8


def test_a_broken_pointer_does_not_stop_a_command(project: Path, shared_reports: Path) -> None:
    (project / ".warpwright").mkdir()
    (project / ".warpwright" / "run").write_text("gone")
    report = str(shared_reports / "kda_after.h200.ncu-rep.xz")
    done = warpwright("ncu", "digest", report, folder=project)
    assert done.returncode == 0
    assert done.stderr.startswith("caution: this command is not recorded: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "argv",
    [
        ("run", "show"),
        ("run", "show", "nothing"),
        ("run", "stop"),
        ("run", "start", "a/b"),
        ("run", "export", "nothing", "--html", "x.html"),
        ("run", "export"),
        ("run", "export", "--html", "x", "--redacted"),
        ("run", "replay", "/"),
    ],
)
def test_bad_input_is_one_line_and_a_hint(project: Path, argv: tuple[str, ...]) -> None:
    done = warpwright(*argv, folder=project)
    assert done.returncode == 2
    assert done.stdout == ""
    first, second = done.stderr.splitlines()
    assert first.startswith("error: ")
    assert second.startswith("hint: ")
    assert list(project.iterdir()) == [project / ".git"]
