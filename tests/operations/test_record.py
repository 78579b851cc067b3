from __future__ import annotations

import lzma
import shutil
from pathlib import Path

import pytest

from tests.recorded_sample import build_report, candidate, verdict
from warpwright.errors import BadInput, BuildFailed
from warpwright.model.candidate import Candidate
from warpwright.model.event import (
    Built,
    CommandEnded,
    CommandFinished,
    CommandStarted,
    Digested,
    Evaluated,
    Event,
)
from warpwright.model.verdict import Timing
from warpwright.operations.digest import digest
from warpwright.operations.record import recorded_command, recording
from warpwright.operations.runs import start_run
from warpwright.runs.store import RunStore


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunStore:
    monkeypatch.chdir(tmp_path)
    return RunStore(Path(start_run("r", tmp_path).path))


def time_of(known: tuple[str, Timing] | None) -> tuple[str, float] | None:
    return known and (known[0], known[1].median_ns)


def recorded(run: RunStore) -> list[Event]:
    return list(run.read().events)[1:]


def test_without_a_run_nothing_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with recording(("build", "x")):
        assert recorded_command() is None
    assert list(tmp_path.iterdir()) == []


def test_a_command_leaves_its_beginning_and_its_end(run: RunStore) -> None:
    with recording(("ncu", "show", "x.ncu-rep")) as command:
        assert [type(event) for event in recorded(run)] == [CommandStarted]
        command.exit_code = 1
    began, ended = recorded(run)
    assert isinstance(ended, CommandFinished)
    assert (ended.command_id, ended.exit_code, ended.error) == (began.id, 1, None)
    assert ended.argv == ("ncu", "show", "x.ncu-rep")
    assert recorded_command() is None


@pytest.mark.parametrize(
    "argv",
    [(), ("run", "show"), ("--version",), ("--help",), ("build", "--help")],
)
def test_what_is_no_part_of_the_story(run: RunStore, argv: tuple[str, ...]) -> None:
    with recording(argv):
        assert recorded_command() is None
    assert recorded(run) == []


def test_help_of_a_profiled_program_is_part_of_it(run: RunStore) -> None:
    with recording(("ncu", "profile", "--", "app", "--help")):
        assert recorded_command() is not None


@pytest.mark.parametrize(
    ("error", "exit_code", "text"),
    [
        (BuildFailed("x.cu:3: expected a ';'"), 2, "x.cu:3: expected a ';'"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (SystemExit(3), 3, None),
        (SystemExit(None), 0, None),
        (SystemExit("text"), 1, None),
        (ZeroDivisionError("oh"), 1, "ZeroDivisionError: oh"),
    ],
)
def test_errors_are_recorded_and_raised(
    run: RunStore, error: BaseException, exit_code: int, text: str | None
) -> None:
    with pytest.raises(type(error)), recording(("build", "x.cu")):
        raise error
    ended = recorded(run)[-1]
    assert isinstance(ended, CommandFinished)
    assert (ended.exit_code, ended.error) == (exit_code, text)


def test_a_typed_event_is_the_ending(run: RunStore, tmp_path: Path) -> None:
    made = candidate(tmp_path / "x.cu", "int x;")
    with recording(("build", "t", "x.cu")):
        command = recorded_command()
        assert command is not None
        command.built(made, build_report(made))
    began, built = recorded(run)
    assert isinstance(built, Built)
    assert built.command_id == began.id
    assert run.get(built.candidate) == b"int x;"
    assert run.get(built.build_report) == build_report(made).model_dump_json().encode()


def test_an_ending_that_differs_from_the_last_event_is_told(run: RunStore, tmp_path: Path) -> None:
    made = candidate(tmp_path / "x.cu", "int x;")
    with pytest.raises(KeyboardInterrupt), recording(("evaluate", "t", "x.cu", "y.cu")):
        command = recorded_command()
        assert command is not None
        command.evaluated(made, None, verdict(made, 1.0), None)
        raise KeyboardInterrupt
    endings = [event for event in recorded(run) if isinstance(event, CommandEnded)]
    assert [type(event) for event in endings] == [Evaluated, CommandFinished]
    assert [event.exit_code for event in endings] == [0, 130]


def test_a_report_is_stored_uncompressed(run: RunStore, tmp_path: Path) -> None:
    (tmp_path / "r.ncu-rep").write_bytes(b"report")
    (tmp_path / "r.ncu-rep.xz").write_bytes(lzma.compress(b"report"))
    with recording(("ncu", "profile", "--", "app")):
        command = recorded_command()
        assert command is not None
        command.profiled(tmp_path / "r.ncu-rep", None)
        command.profiled(tmp_path / "r.ncu-rep.xz", None)
    assert len(list((run.folder / "blobs").iterdir())) == 1


def test_time_before_is_that_of_the_profiled_candidate(run: RunStore, tmp_path: Path) -> None:
    report = tmp_path / "r.ncu-rep"
    report.write_bytes(b"report")
    other = tmp_path / "other.ncu-rep"
    other.write_bytes(b"other")
    first = candidate(tmp_path / "first.cu", "1")
    second = candidate(tmp_path / "second.cu", "2")
    with recording(("x",)):
        command = recorded_command()
        assert command is not None
        assert command.time_before(report, "W1", "graph") is None
        command.profiled(report, first)
        assert command.time_before(report, "W1", "graph") is None
        command.evaluated(first, None, verdict(first, 8.0), None)
        command.evaluated(first, None, verdict(first, 4.0), None)
        command.evaluated(first, None, verdict(first, 1.0, "incorrect"), None)
        command.evaluated(second, None, verdict(second, 2.0), None)
        assert time_of(command.time_before(report, "W1", "graph")) == ("first", 4e6)
        assert command.time_before(report, "W1", "cpu") is None
        assert command.time_before(report, "W2", "graph") is None
        assert command.time_before(other, "W1", "graph") is None
        assert command.time_before(tmp_path / "none", "W1", "graph") is None


def test_a_time_before_is_of_the_same_task_and_device(run: RunStore, tmp_path: Path) -> None:
    report = tmp_path / "r.ncu-rep"
    report.write_bytes(b"report")
    made = candidate(tmp_path / "first.cu", "1")
    old = verdict(made, 4.0)
    assert old.environment is not None
    other_task = old.model_copy(update={"task_sha256": "0" * 64})
    elsewhere = old.environment.model_copy(update={"device": "another GPU"})
    other_device = old.model_copy(update={"environment": elsewhere})
    with recording(("x",)):
        command = recorded_command()
        assert command is not None
        command.profiled(report, made)
        command.evaluated(made, None, old, None)
        command.evaluated(made, None, other_task, None)
        assert time_of(command.time_before(report, "W1", "graph", like=old)) == ("first", 4e6)
        assert command.time_before(report, "W1", "graph", like=other_device) is None
        command.evaluated(made, None, other_device, None)
        assert time_of(command.time_before(report, "W1", "graph", like=old)) == ("first", 4e6)


def test_a_digest_calls_its_report_as_the_user_did(run: RunStore, shared_reports: Path) -> None:
    data = lzma.decompress((shared_reports / "kda_after.h200.ncu-rep.xz").read_bytes())
    with recording(("ncu", "profile", "t", "x.cu")):
        command = recorded_command()
        assert command is not None
        Path("before.ncu-rep").write_bytes(data)
        command.profiled(Path("before.ncu-rep"), None)
        Path("before.ncu-rep").unlink()
    name = str(run.folder / "before.ncu-rep")
    with recording(("ncu", "digest", name)):
        digest(name)
    with pytest.raises(BadInput, match="no launch L9"), recording(("ncu", "digest", name)):
        digest(f"{name}#L9")
    (event,) = [event for event in recorded(run) if isinstance(event, Digested)]
    assert event.report.name == name
    assert event.digest.name == "before.ncu-rep.digest.json"


def test_a_candidate_edited_meanwhile(
    run: RunStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = candidate(tmp_path / "kept.cu", "1")
    lost = candidate(tmp_path / "lost.cu", "2")
    with recording(("evaluate", "t", "kept.cu", "lost.cu")):
        command = recorded_command()
        assert command is not None
        command.keep(kept)
        Path(kept.path).write_text("edited")
        Path(lost.path).write_text("edited")
        command.evaluated(kept, None, verdict(kept, 1.0), None)
        command.evaluated(lost, None, verdict(lost, 1.0), None)
    events = [event for event in recorded(run) if isinstance(event, Evaluated)]
    assert [run.get(event.candidate) for event in events] == [b"1"]
    assert "lost.cu was changed or removed" in capsys.readouterr().err


def test_a_command_runs_on_where_nothing_can_be_recorded(
    run: RunStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Candidate(name="x", path=str(tmp_path / "none.cu"), language="cuda", sha256="0" * 64)
    with recording(("evaluate", "t", "x")) as command:
        now = recorded_command()
        assert now is not None
        shutil.rmtree(run.folder)
        run.folder.write_text("no folder")
        now.built(made, build_report(made))
        now.evaluated(made, None, verdict(made, 1.0), None)
        command.exit_code = 1
    captured = capsys.readouterr()
    assert captured.err.count("caution: ") == captured.err.count("\n") == 1
    with recording(("build", "x")):
        assert recorded_command() is None
    assert "caution: this command is not recorded" in capsys.readouterr().err
