from __future__ import annotations

import lzma
import shutil
import socket
from pathlib import Path

import pytest

from tests.recorded_sample import build_report, candidate, record_sample, verdict
from warpwright.errors import BadInput, ToolMissing
from warpwright.model.event import Evaluated
from warpwright.model.verdict import Verdict
from warpwright.operations.digest import digest
from warpwright.operations.export import export_folder
from warpwright.operations.private import Private
from warpwright.operations.public import public_json, public_source, public_text, public_word
from warpwright.operations.record import recorded_command, recording
from warpwright.operations.replay import replay_run
from warpwright.operations.runs import show_run, start_run
from warpwright.runs.store import RunStore

SAMPLE = Private(
    projects=("/home/alice/my project",), homes=("/home/alice",), users=("alice",), hosts=("box7",)
)


@pytest.fixture
def report(shared_reports: Path) -> bytes:
    return lzma.decompress((shared_reports / "kda_before.h200.ncu-rep.xz").read_bytes())


@pytest.mark.parametrize(
    ("private", "public"),
    [
        ("/home/alice/my project/a/before.cu", "a/before.cu"),
        ("/home/alice/my project", "."),
        ("/home/alice/other/x.cu", "x.cu"),
        ("/data/my reports/b.ncu-rep#L0/finding/memory.local", "b.ncu-rep#L0/finding/memory.local"),
        ("--out=/data/my reports/b.ncu-rep", "--out=b.ncu-rep"),
        ("-I/usr/local/cuda/include", "-Iinclude"),
        ("candidates/x/before.cu", "candidates/x/before.cu"),
        ("https://example.org/a/b", "https://example.org/a/b"),
        ("alice@box7:x", "user@host:x"),
        ("--alice-count=alice", "--alice-count=user"),
        ("alice/b.ncu-rep#L0/finding/alice.box7", "user/b.ncu-rep#L0/finding/alice.box7"),
    ],
)
def test_words(private: str, public: str) -> None:
    assert public_word(SAMPLE, private) == public


@pytest.mark.parametrize(
    ("private", "public"),
    [
        ("/var/x/y.cu(3): error: no", "y.cu(3): error: no"),
        ("12 GB/s/SM of a / b, a/b/c and 1/2", "12 GB/s/SM of a / b, a/b/c and 1/2"),
        ("see '/srv/a b/c'", "see 'a b/c'"),
        ("malice stays, alice goes", "malice stays, user goes"),
    ],
)
def test_prose(private: str, public: str) -> None:
    assert public_text(SAMPLE, private) == public


def test_a_source_stays_a_program() -> None:
    source = 'x = a /b/c; // alice\n#include "/srv/include/x.h"\n/* y */ z = q[1] /r/s;\n'
    expected = 'x = a /b/c; // user\n#include "x.h"\n/* y */ z = q[1] /r/s;\n'
    assert public_source(SAMPLE, source) == expected


def test_names_in_code_stay() -> None:
    source = "y = alice(x)  # alice\nz = a // alice\n"
    assert public_source(SAMPLE, source, python=True) == source.replace("# alice", "# user")


def test_our_own_words_stay_in_a_document() -> None:
    value = {
        "mode": "alice", "metric": "alice__x.box7",
        "title": "alice at alice.cu:3 `f(alice) // alice`",
        "reasons": ["raised by alice"], "file": "k_alice.cu", "alice": 1,
        "address": "alice.ncu-rep#L0/finding/alice.x",
    }  # fmt: skip
    assert public_json(SAMPLE, value, {}) == {
        "mode": "alice", "metric": "alice__x.box7",
        "title": "alice at xxxxx.cu:3 `f(alice) // xxxxx`",
        "reasons": ["raised by user"], "file": "k_xxxxx.cu", "alice": 1,
        "address": "user.ncu-rep#L0/finding/alice.x",
    }  # fmt: skip


def test_a_plain_copy_tells_the_same(project: Path) -> None:
    record_sample(project, b"a report")
    export_folder("kda", project, project / "out" / "copy", redacted=False)
    shutil.rmtree(project / ".warpwright")
    copy = show_run("out/copy", project, grouped=True)
    assert copy.name == "kda"
    assert len(copy.steps) == 5


def test_a_redacted_copy_tells_nothing_of_the_machine(
    project: Path, report: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LOGNAME", "alice-b")
    monkeypatch.setattr(socket, "gethostname", lambda: "gpu-box-7.lab")
    run = record_sample(project, report, absolute=True)
    argv = ("ncu", "profile", "--", "ssh", "alice-b@gpu-box-7.lab", "/home/bob/my dir/app")
    with pytest.raises(ToolMissing), recording(argv):
        raise ToolMissing("gpu-box-7: /home/alice-b/tools/ncu was not found by alice-b")
    private = (str(tmp_path), "alice-b", "bob", "gpu-box-7", "my dir")
    events = (run / "events.jsonl").read_text()
    assert all(text in events for text in private)
    export_folder("kda", project, tmp_path / "copy", redacted=True)
    copy = RunStore(tmp_path / "copy")
    for path in copy.folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            data = lzma.decompress(data) if path.suffix == ".xz" else data
            for text in private:
                assert text.encode() not in data, f"{text} in {path}"
    before, after = RunStore(run).read().events, copy.read().events
    assert [event.id for event in after] == [event.id for event in before]
    for event in after:
        if isinstance(event, Evaluated):
            verdict = Verdict.model_validate_json(copy.get(event.verdict))
            assert verdict.candidate_sha256 == event.candidate.sha256
    steps = show_run(str(copy.folder), project, grouped=True).steps
    assert steps[0].commands[1] == (
        "ncu", "profile", "task", "candidates/before.cu", "-o", "before.ncu-rep",
    )  # fmt: skip
    assert steps[2].because == "before.ncu-rep#L0/finding/memory.local"
    assert replay_run(str(copy.folder), project).digests_total == 1


def test_a_copy_never_overwrites(project: Path) -> None:
    record_sample(project, b"a report")
    (project / "there").mkdir()
    export_folder(None, project, project / "there", redacted=False)
    with pytest.raises(BadInput, match="is there already"):
        export_folder(None, project, project / "there", redacted=False)


def test_a_copy_that_fails_leaves_nothing(project: Path) -> None:
    record_sample(project, b"no report of Nsight Compute")
    names = sorted(path.name for path in project.iterdir())
    with pytest.raises(BadInput, match=r"before\.ncu-rep cannot be redacted"):
        export_folder(None, project, project / "out", redacted=True)
    assert sorted(path.name for path in project.iterdir()) == names


def test_a_redacted_report_gives_the_redacted_digest(project: Path, report: bytes) -> None:
    start_run("r", project)
    path = project / "r.ncu-rep"
    path.write_bytes(report)
    with recording(("ncu", "digest", str(path))):
        digest(str(path))
    export_folder("r", project, project / "copy", redacted=True)
    replay = replay_run("copy", project)
    assert [digest.report for digest in replay.steps[0].digests] == ["r.ncu-rep"]
    assert replay.steps[0].digests[0].difference is None


@pytest.mark.parametrize("user", ["gpu", "max", "launch", "memory"])
def test_a_user_called_by_a_word_of_ours(
    project: Path, report: bytes, monkeypatch: pytest.MonkeyPatch, user: str
) -> None:
    monkeypatch.setenv("LOGNAME", user)
    start_run("r", project)
    path = project / f"{user}.ncu-rep"
    path.write_bytes(report)
    made = candidate(project / "x.cu", f"// {user}\nint {user};\n")
    judged = verdict(made, 1.0)
    with recording(("ncu", "digest", str(path))):
        digest(str(path))
    with recording(("evaluate", "task", made.path)):
        command = recorded_command()
        assert command is not None
        command.evaluated(made, build_report(made), judged, None)
    export_folder("r", project, project / "copy", redacted=True)
    digests = [d for step in replay_run("copy", project).steps for d in step.digests]
    assert [(d.report, d.difference) for d in digests] == [("user.ncu-rep", None)]
    copy = RunStore(project / "copy")
    (event,) = [event for event in copy.read().events if isinstance(event, Evaluated)]
    assert copy.get(event.candidate) == f"// user\nint {user};\n".encode()
    kept = {"candidate_sha256": event.candidate.sha256}
    assert Verdict.model_validate_json(copy.get(event.verdict)) == judged.model_copy(update=kept)
