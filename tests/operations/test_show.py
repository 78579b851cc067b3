import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.query.test_places import LAUNCH
from warpwright.errors import BadInput
from warpwright.model.address import parse_address
from warpwright.model.annotations import NoAnnotations, Section, SectionMetric
from warpwright.model.finding_view import FindingView
from warpwright.model.launch_view import LaunchView
from warpwright.model.metric_view import MetricView
from warpwright.model.report import Metric, Report
from warpwright.model.report_view import ReportView
from warpwright.model.section_view import SectionView
from warpwright.model.source_view import SourceView
from warpwright.operations.show import show
from warpwright.operations.show_launch import show_launch
from warpwright.operations.show_section import show_section
from warpwright.render.show import view_text

THROUGHPUT = "sm__throughput.avg.pct_of_peak_sustained_elapsed"


@pytest.fixture
def before(root: Path) -> str:
    return str(root / "examples" / "kda" / "runs" / "h200" / "before.ncu-rep")


def test_a_report_leads_to_its_launches(before: str) -> None:
    view = show(before)
    assert isinstance(view, ReportView)
    assert (view.device, view.compute_capability, view.sm_count) == ("NVIDIA H200", "9.0", 132)
    assert view.launches[0].address == f"{before}#L0"
    assert view.launches[0].share_of_time == 1.0


def test_a_launch_leads_to_findings_lines_and_sections(before: str) -> None:
    view = show(f"{before}#L0")
    assert isinstance(view, LaunchView)
    facts = {row.metric: row.value for row in view.facts}
    assert facts["launch__registers_per_thread"] == 34
    ids = {row.id for row in view.findings}
    assert {"memory.local", "launch.small_grid"} <= ids
    assert all(row.expected > 1 for row in view.findings)
    assert view.lines[0].share == max(row.share for row in view.lines)
    sections = {row.id: row for row in view.sections}
    assert sections["Occupancy"].advice == 2
    assert sections["SpeedOfLight"].summary[0].label == "Compute (SM) Throughput"
    for row in (*view.findings, *view.lines, *view.sections):
        assert parse_address(row.address).launch == 0


@pytest.mark.parametrize("name", ["SpeedOfLight", "speedoflight", "gpu speed of light throughput"])
def test_a_section_by_id_or_name_has_the_breakdown_of_its_throughputs(
    before: str, name: str
) -> None:
    view = show(f"{before}#L0/section/{name}", limit=100)
    assert isinstance(view, SectionView)
    assert (view.id, view.absent) == ("SpeedOfLight", 0)
    assert {row.metric for row in view.header} >= {THROUGHPUT, "gpu__time_duration.sum"}
    assert not any(row.metric.startswith("breakdown:") for row in view.body)
    parts = [row.value for row in view.body if row.metric.startswith("sm__")]
    assert parts == sorted(parts, key=lambda value: -float(value or 0))
    assert f"{before}#L0/section/SpeedOfLight_RooflineChart" in view.extended_by
    assert view.rules[0].advice


def test_what_was_not_collected_is_counted_and_listed_on_demand(before: str) -> None:
    address = f"{before}#L0/section/PmSampling"
    short, whole = show(address), show(address, limit=100, absent=True)
    assert isinstance(short, SectionView) and isinstance(whole, SectionView)
    assert all(row.value is not None for row in (*short.header, *short.body))
    missing = [row for row in (*whole.header, *whole.body) if row.value is None]
    assert len(missing) == short.absent == whole.absent > 0
    assert "                 -  " in view_text(whole)


def test_a_metric_has_parts_siblings_sections_and_instances(before: str) -> None:
    view = show(f"{before}#L0/metric/{THROUGHPUT}", limit=100)
    assert isinstance(view, MetricView)
    assert view.unit == "%"
    assert view.sections == (f"{before}#L0/section/SpeedOfLight",)
    assert view.parts[0].value == view.value, "a throughput is the largest of its parts"
    assert THROUGHPUT.replace("avg", "max") in {row.metric for row in view.siblings}
    sampled = show(f"{before}#L0/metric/smsp__pcsamp_sample_count", limit=3)
    assert isinstance(sampled, MetricView)
    assert (len(sampled.instances), sampled.truncated) == (3, True)
    assert all(row.offset is not None and row.line for row in sampled.instances)


def test_a_finding_and_a_line(before: str) -> None:
    finding = show(f"{before}#L0/finding/memory.local")
    assert isinstance(finding, FindingView)
    where = finding.finding.where[0]
    line = show(f"{before}#L0/line/{where.file}:{where.line}")
    assert isinstance(line, SourceView)
    assert line.around is not None
    assert line.around.line == where.line


@pytest.mark.parametrize(
    ("place", "hint"),
    [
        ("section/Ocupancy", "did you mean Occupancy"),
        ("metric/sm_throughput", "did you mean sm__throughput.avg"),
        ("metric/SM__THROUGHPUT", "did you mean sm__throughput.avg"),
        ("finding/memory.none", "warpwright ncu digest"),
        ("line/nothing.cu:1", "its files: "),
    ],
)
def test_a_wrong_name_has_the_nearest_as_hint(before: str, place: str, hint: str) -> None:
    with pytest.raises(BadInput) as caught:
        show(f"{before}#L0/{place}")
    assert hint in (caught.value.hint or "")


def test_every_text_fits_80_columns_but_for_what_is_pasted(before: str) -> None:
    for place in ("", "#L0", "#L0/section/Occupancy", f"#L0/metric/{THROUGHPUT}"):
        for line in view_text(show(before + place)).splitlines():
            assert len(line) <= 80 or any(word in line for word in (before, "://", ".pct")), line


def test_a_launch_of_nan_has_a_caution_and_the_word_nan(shared_reports: Path) -> None:
    path = str(shared_reports / "esmm_nan_last_launch.a10g.2023.1.ncu-rep")
    view = show(f"{path}#L3")
    assert isinstance(view, LaunchView)
    assert "an interrupted capture" in view.cautions[0]
    assert (view.findings, view.launch.duration_ns) == ((), None)
    values = {row.metric: row.value for row in view.facts}
    assert values["gpu__time_duration.sum"] == "nan"
    document = json.loads(view.model_dump_json())
    assert document["facts"][0]["value"] == "nan"


def test_a_range_without_sections_or_code() -> None:
    launch = replace(LAUNCH, workload="range", grid=(0, 0, 0), block=(0, 0, 0), metrics={})
    report = Report("r.ncu-rep", None, None, None, None, (launch,))
    text = view_text(show_launch(report, launch, 10))
    assert "a range, measured as one" in text
    assert "sections:" not in text


def test_a_spacer_and_a_template_label_of_a_section() -> None:
    rows = (
        SectionMetric("a.sum", "A {UNIT}"),
        SectionMetric(""),
        SectionMetric("b.sum", "B", "inst"),
        SectionMetric("b.sum", "B", "inst"),
    )
    launch = replace(
        LAUNCH,
        metrics={"a.sum": Metric("a.sum", 0), "b.sum": Metric("b.sum", None)},
        annotations=NoAnnotations(sections=(Section("S", "A section", 1, body=rows),)),
    )
    report = Report("r.ncu-rep", None, None, None, None, (launch,))
    view = show_section(report, launch, "a section", 10, absent=True)
    assert [(row.metric, row.value, row.unit) for row in view.body[1:]] == [("b.sum", None, "inst")]
    assert (view.body[0].value, view.absent) == (0, 1), "zero is not absent"
    assert "{" not in view.body[0].label
