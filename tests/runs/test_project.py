from __future__ import annotations

from pathlib import Path

import pytest

from warpwright.errors import BadInput
from warpwright.model.event import RunStarted, RunStopped
from warpwright.operations.runs import find_run, list_runs, start_run, stop_run
from warpwright.runs.project import active_run, check_name
from warpwright.runs.store import RunStore


def kinds(folder: Path) -> list[type]:
    return [type(event) for event in RunStore(folder).read().events]


def test_a_run_is_found_from_every_sub_folder(project: Path) -> None:
    deep = project / "a" / "b"
    deep.mkdir(parents=True)
    notice = start_run("first", deep)
    assert notice.did == "started"
    assert Path(notice.path) == project / ".warpwright" / "runs" / "first"
    assert active_run(deep) == active_run(project) == Path(notice.path)
    assert active_run(project.parent) is None
    assert start_run("first", project).did == "already active"
    assert stop_run(deep).run == "first"
    assert active_run(deep) is None
    assert kinds(Path(notice.path)) == [RunStarted, RunStopped]


def test_a_run_is_continued_and_another_stopped_by_it(project: Path) -> None:
    first = Path(start_run("first", project).path)
    assert start_run("second", project).stopped == "first"
    notice = start_run("first", project)
    assert (notice.did, notice.stopped) == ("continued", "second")
    assert kinds(first) == [RunStarted, RunStopped, RunStarted]
    assert [(run.name, run.active) for run in list_runs(project).runs] == [
        ("first", True),
        ("second", False),
    ]


def test_the_latest_run_is_shown_where_none_is_active(project: Path) -> None:
    with pytest.raises(BadInput, match="no run was recorded"):
        find_run(None, project)
    start_run("a", project)
    start_run("b", project)
    start_run("a", project)
    stop_run(project)
    assert find_run(None, project).name == "a"
    assert find_run("b", project).name == "b"
    assert find_run(".warpwright/runs/b", project).name == "b"
    with pytest.raises(BadInput, match="no run 'c'"):
        find_run("c", project)


def test_without_a_repository_the_current_folder_is_the_project(tmp_path: Path) -> None:
    assert Path(start_run("x", tmp_path).path) == tmp_path / ".warpwright" / "runs" / "x"


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a b", "ä", "x\n", "a" * 101])
def test_names_that_are_none(name: str, project: Path) -> None:
    with pytest.raises(BadInput, match="cannot be the name"):
        start_run(name, project)
    assert not (project / ".warpwright").exists()


def test_names_that_are(project: Path) -> None:
    for name in ("a", "kda-h200_2", "1.5", "...a"):
        assert check_name(name) == name


@pytest.mark.parametrize("content", [b"", b"gone", b"../x", b"\xff\xfe", None])
def test_a_broken_pointer_is_said_and_can_be_removed(project: Path, content: bytes | None) -> None:
    pointer = project / ".warpwright" / "run"
    pointer.parent.mkdir()
    if content is None:
        pointer.symlink_to("nowhere")
    else:
        pointer.write_bytes(content)
    with pytest.raises(BadInput, match=r"\.warpwright/run"):
        active_run(project)
    assert stop_run(project).run is None
    assert active_run(project) is None
    with pytest.raises(BadInput, match="no run is active"):
        stop_run(project)
