from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from tests.recorded_sample import BEFORE, build_report, candidate, digest, record_sample, verdict
from warpwright.errors import BadInput
from warpwright.operations.digest import digest as digest_and_record
from warpwright.operations.record import recorded_command, recording
from warpwright.operations.replay import first_difference, replay_run
from warpwright.operations.runs import start_run
from warpwright.render.replay import replay_text
from warpwright.runs.store import RunStore


@pytest.fixture
def report(shared_reports: Path) -> bytes:
    return lzma.decompress((shared_reports / "kda_before.h200.ncu-rep.xz").read_bytes())


def test_a_digest_that_differs_is_said(project: Path, report: bytes) -> None:
    record_sample(project, report)  # whose digest is not the report's own
    replay = replay_run(None, project)
    (replayed,) = replay.steps[0].digests
    assert not replayed.same
    assert replayed.difference is not None
    assert "launch.small_grid" in [finding.id for finding in replayed.findings]
    assert (replay.digests_same, replay.digests_total) == (0, 1)
    text = replay_text(replay)
    assert "not as recorded: report." in text
    assert "$ warpwright ncu profile task candidates/before.cu -o before.ncu-rep" in text
    assert "  | +    float4 row[32];" in text
    assert "1 of 1 measured gains within the predicted range" in text
    assert max(map(len, text.splitlines())) <= 84


def test_the_same_digest_comes_out_of_the_recorded_report(project: Path, report: bytes) -> None:
    start_run("r", project)
    Path("r.ncu-rep").write_bytes(report)
    with recording(("ncu", "digest", "r.ncu-rep")):
        digest_and_record("r.ncu-rep")
    Path("r.ncu-rep").unlink()
    replay = replay_run("r", project)
    assert (replay.digests_same, replay.digests_total) == (1, 1)
    assert "same as recorded" in replay_text(replay)


def test_a_damaged_report_is_named(project: Path, report: bytes) -> None:
    run = record_sample(project, report)
    (blob,) = [path for path in (run / "blobs").iterdir() if path.suffix == ".xz"]
    blob.write_bytes(lzma.compress(report[:-1]))
    with pytest.raises(BadInput, match=rf"{blob.name}.*before\.ncu-rep"):
        replay_run(None, project)
    blob.unlink()
    with pytest.raises(BadInput, match="is missing"):
        replay_run(None, project)


def test_the_first_difference_is_found() -> None:
    recorded = digest("r", "x.cu")
    assert first_difference(recorded, recorded) is None
    fewer = recorded.model_copy(update={"first": ()})
    assert first_difference(recorded, fewer) == "first: 1 recorded, 0 now"
    other = digest("r", "y.cu")
    assert (
        first_difference(recorded, other)
        == "launches[0].findings[0].where[0].file: 'x.cu' recorded, 'y.cu' now"
    )


@pytest.mark.nvcc
def test_sources_can_be_built_again(project: Path) -> None:
    start_run("r", project)
    made = candidate(project / "before.cu", BEFORE)
    with recording(("evaluate", "t", "before.cu")):
        command = recorded_command()
        assert command is not None
        command.evaluated(made, build_report(made), verdict(made, 3.0), None)
    Path(made.path).unlink()
    recorded = replay_run(None, project).steps[0].build
    rebuilt = replay_run(None, project, rebuild=True).steps[0].build
    assert recorded is not None
    assert rebuilt is not None
    assert (recorded.live, rebuilt.live) == (False, True)
    assert rebuilt.note is not None
    assert rebuilt.note.startswith("kernels[0].name: 'kda' recorded")
    assert [kernel.stack_bytes for kernel in rebuilt.kernels] == [512]


def test_without_nvcc_the_recorded_build_is_told(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARPWRIGHT_NVCC", "/nowhere/nvcc")
    start_run("r", project)
    made = candidate(project / "before.cu", BEFORE)
    with recording(("build", "t", "before.cu")):
        command = recorded_command()
        assert command is not None
        command.built(made, build_report(made))
    build = replay_run(None, project, rebuild=True).steps[0].build
    assert build is not None
    assert (build.live, build.note) == (False, "not built again: nvcc is not here")
    assert RunStore(project / ".warpwright" / "runs" / "r").exists
