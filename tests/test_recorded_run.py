"""The run recorded on the H200: it replays, it tells nothing private, README quotes it rightly."""

import re
from pathlib import Path

import pytest

from warpwright.model.digest import Digest
from warpwright.model.event import Digested, Evaluated
from warpwright.model.verdict import Verdict
from warpwright.operations.digest import digest_file
from warpwright.operations.replay import replay_run
from warpwright.runs.store import RunStore

STEPS = ["before", "after", "split2", "split4", "tiled", "tensor"]


@pytest.fixture
def run(root: Path) -> RunStore:
    return RunStore(root / "examples" / "kda" / "runs" / "h200")


def verdicts(run: RunStore) -> dict[str, Verdict]:
    events = [event for event in run.read().events if isinstance(event, Evaluated)]
    found = [Verdict.model_validate_json(run.get(event.verdict)) for event in events]
    return {verdict.candidate: verdict for verdict in found}


def test_every_recorded_cause_is_found_again(run: RunStore):
    """A later version may predict and rank otherwise; what promised much is found, on its facts."""
    recorded = [event for event in run.read().events if isinstance(event, Digested)]
    assert len(recorded) == len(STEPS)
    for event in recorded:
        name = event.report.name
        again = digest_file(run.path_of(event.report), shown_as=name)
        told = Digest.model_validate_json(run.get(event.digest))
        for old, new in zip(told.launches, again.launches, strict=True):
            found = {finding.id: finding for finding in new.findings}
            for finding in old.findings[:2]:
                assert finding.id in found, name
                values = {row.metric: row.value for row in found[finding.id].evidence}
                for row in finding.evidence:
                    assert values.get(row.metric, row.value) == row.value, name


def test_it_replays(run: RunStore):
    replay = replay_run(str(run.folder), run.folder)
    assert [step.step.candidate for step in replay.steps] == STEPS


def test_the_digest_of_before(run: RunStore):
    (launch,) = digest_file(run.folder / "before.ncu-rep").launches
    assert {finding.id for finding in launch.findings[:2]} == {"memory.local", "launch.small_grid"}
    by_id = {finding.id: finding for finding in launch.findings}
    assert {place.line for place in by_id["memory.local"].where} == {30, 36}
    assert "64 blocks leave 68 of 132 SMs idle" in by_id["launch.small_grid"].title


def test_the_digest_of_after(run: RunStore):
    (launch,) = digest_file(run.folder / "after.ncu-rep").launches
    ids = [finding.id for finding in launch.findings]
    assert ids[0] == "launch.small_grid"
    assert "latency.dependency" in ids
    assert "memory.local" not in ids


def test_predictions_came_before_their_measurement_and_most_held(run: RunStore):
    events = run.read().events
    judged = [event for event in events if isinstance(event, Evaluated) and event.because]
    assert len(judged) == 4
    held = 0
    for event in judged:
        report = event.because.partition("#")[0]
        digests = [e for e in events if isinstance(e, Digested) and e.report.name == report]
        assert digests[0].id < event.id
        prediction = Verdict.model_validate_json(run.get(event.verdict)).prediction
        assert prediction is not None
        held += bool(prediction.within)
    assert held == 3  # tiled gained more than its finding promised


def test_readme_quotes_the_run(root: Path, run: RunStore):
    rows = {}
    for line in (root / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 10 and cells[0] in STEPS:
            rows[cells[0]] = cells
    assert list(rows) == STEPS
    for name, verdict in verdicts(run).items():
        cells = rows[name]
        times = {t.mode: t.median_ns * 1e-6 for t in verdict.timings if t.subject == "candidate"}
        ratios = {s.baseline: s.ratio for s in verdict.speedups if s.mode == "graph"}
        wanted = [times["launch"], times["graph"], ratios["compile"], ratios["eager"]]
        said = [float(re.match(r"[\d.]+", cell)[0]) for cell in cells[1:5]]
        assert said == pytest.approx(wanted, rel=6e-3), name
        assert float(cells[5]) == pytest.approx(verdict.rel_error, rel=0.03)
        assert float(cells[6].split()[0]) == pytest.approx(verdict.floor.percent, abs=0.06)
        if verdict.prediction:
            prediction = verdict.prediction
            numbers = [float(n) for n in re.findall(r"[\d.]+", cells[8])]
            assert numbers == pytest.approx(
                [prediction.expected, prediction.low, prediction.high], abs=6e-3
            )
            assert float(cells[9].rstrip("x")) == pytest.approx(prediction.measured, abs=6e-3)


def test_nothing_private_is_in_it(run: RunStore):
    private = re.compile(rb"/(?:t[m]p|r[o]ot|h[o]me|w[o]rk|mnt)/|\bGPU-[0-9a-f]{8}-")
    assert not private.search((run.folder / "events.jsonl").read_bytes())
    for event in run.read().events:
        for value in vars(event).values():
            if hasattr(value, "sha256"):
                assert not private.search(run.get(value)), value.name
