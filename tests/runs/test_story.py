from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorded_sample import build_report, candidate, record_sample, verdict
from warpwright.errors import BadInput
from warpwright.model.run import RunStory
from warpwright.operations.record import recorded_command, recording
from warpwright.operations.runs import show_run, start_run
from warpwright.operations.story import tell
from warpwright.render.run import story_text
from warpwright.render.run_html import run_page
from warpwright.runs.store import RunStore


@pytest.fixture
def run(project: Path) -> Path:
    return record_sample(project, b"a report")


def test_a_row_per_evaluated_candidate(run: Path, project: Path) -> None:
    story = show_run(None, project, grouped=True)
    assert [step.candidate for step in story.steps] == ["before", None, "after", "wrong", None]
    before, failed, after, wrong, killed = story.steps
    assert [argv[0] for argv in before.commands] == ["build", "ncu", "ncu", "evaluate"]
    assert [finding.id for finding in before.findings] == ["memory.local", "launch.small_grid"]
    assert (before.shape, before.launch_ns, before.graph_ns) == ("W1", 36.0 * 1.1e6, 36e6)
    assert failed.exit_code == 2
    assert after.speedup is not None
    assert (after.speedup.baseline, after.speedup.mode) == ("compile", "graph")
    assert after.change is not None
    assert (after.change.against, after.change.added, after.change.removed) == ("before", 2, 1)
    assert after.prediction is not None
    assert after.prediction.from_candidate == "before"
    assert after.prediction.measured == 6.0
    assert (wrong.status, wrong.exit_code, wrong.speedup) == ("incorrect", 1, None)
    assert (killed.interrupted, killed.exit_code) == (True, None)
    assert (story.device, story.task, story.commands) == ("NVIDIA H200", "kda", 8)
    assert RunStory.model_validate_json(story.model_dump_json()) == story


def test_a_row_per_event(run: Path, project: Path) -> None:
    story = show_run("kda", project, grouped=False)
    kinds = [step.kind for step in story.steps]
    assert kinds == [
        "build", "profile", "digest", "evaluate", "command", "evaluate", "evaluate", "command",
    ]  # fmt: skip
    assert all(len(step.events) == 1 for step in story.steps)


@pytest.mark.parametrize("grouped", [True, False])
def test_the_table_fits_80_columns(run: Path, project: Path, grouped: bool) -> None:
    text = story_text(show_run(None, project, grouped))
    assert max(map(len, text.splitlines())) <= 80
    for told in (
        "0.44x",
        "2.67x",
        "memory.local 5.00x [3.50..7.00]",
        "before.ncu-rep#L0/finding/memory.local",
        "predicted 5.00x [3.50..7.00], measured 6.00x over before (within)",
        "interrupted",
        "incorrect",
        "+2 -1",
        "36.0 ms",
    ):
        assert told in text


def test_what_is_profiled_later_joins_the_verdict_and_what_is_never_judged_stands_alone(
    project: Path,
) -> None:
    start_run("r", project)
    first, second = candidate(project / "a.cu", "a"), candidate(project / "b.cu", "b")
    report = project / "a.ncu-rep"
    report.write_bytes(b"r")
    for argv in (("evaluate", "a.cu"), ("ncu", "profile", "a.cu"), ("build", "b.cu")):
        with recording(argv):
            command = recorded_command()
            assert command is not None
            if argv[0] == "evaluate":
                command.evaluated(first, None, verdict(first, 3.0), None)
            elif argv[0] == "ncu":
                command.profiled(report, first)
            else:
                command.built(second, build_report(second))
    steps = show_run(None, project, grouped=True).steps
    assert [(step.candidate, step.kind) for step in steps] == [("a", "evaluate"), ("b", "build")]
    assert [argv[0] for argv in steps[0].commands] == ["evaluate", "ncu"]


def test_a_damaged_run_is_named(run: Path, project: Path) -> None:
    store = RunStore(run)
    for path in sorted((run / "blobs").iterdir()):
        content = path.read_bytes()
        path.write_bytes(b"other")
        event_names_it = path.name.removesuffix(".xz") in (run / "events.jsonl").read_text()
        assert event_names_it
        try:
            tell(store, grouped=True)
        except BadInput as error:
            assert path.name in str(error)
        else:
            assert content == b"a report", "all but the report is read"
        path.write_bytes(content)


def test_an_empty_run_has_a_story(project: Path) -> None:
    start_run("r", project)
    assert "nothing was recorded yet" in story_text(show_run(None, project, grouped=True))


def test_the_page_is_whole_and_escaped(run: Path, project: Path) -> None:
    page = run_page(*tell(RunStore(run), grouped=True))
    assert page.count("<section") == page.count("</section>") == 6
    assert "k[i] &lt; 1 &amp;&amp; k[i] &gt; 0" in page
    assert '<span class="a">+    float4 row[32];</span>' in page
    assert '<span class="d">-    float row[128];</span>' in page
    assert "bytes / s &lt; peak" in page
    for loaded in ("<script", "http:", "https:", "src=", "@import", "url("):
        assert loaded not in page
