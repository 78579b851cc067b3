from dataclasses import replace
from pathlib import Path

import pytest

from tests.query.test_places import LAUNCH
from warpwright.errors import BadInput
from warpwright.model.annotations import NoAnnotations, Section
from warpwright.model.difference import Difference, LaunchPair
from warpwright.model.report import Metric, Report
from warpwright.operations.diff import diff
from warpwright.operations.diff_cautions import pair_cautions, report_cautions
from warpwright.operations.diff_options import DiffOptions
from warpwright.operations.digest import digest
from warpwright.render.difference import difference_text
from warpwright.report.reader import read_report

TIME = "gpu__time_duration.sum"


@pytest.fixture
def run(root: Path) -> Path:
    return root / "examples" / "kda" / "runs" / "h200"


def _pair(found: Difference) -> LaunchPair:
    [pair] = found.pairs.rows
    return pair


def test_the_causes_are_those_of_both_digests(run: Path) -> None:
    before, after = (str(run / f"{name}.ncu-rep") for name in ("before", "after"))
    pair = _pair(diff(before, after))
    assert pair.causes is not None
    assert pair.matched_by == "order"  # kda_before became kda_after
    assert pair.speedup == pytest.approx(5_854_880 / 2_927_552)
    expected = [
        {found.id: found.speedup.expected for found in digest(path).launches[0].findings}
        for path in (before, after)
    ]
    states = {cause.id: cause.state for cause in pair.causes.rows}
    assert states.keys() == expected[0].keys() | expected[1].keys()
    assert states["memory.local"] == "solved"
    assert states["launch.small_grid"] == "changed"
    for cause in pair.causes.rows:
        assert cause.before_expected == expected[0].get(cause.id)
        assert cause.after_expected == expected[1].get(cause.id)
        assert (cause.after_address is None) == (cause.state == "solved")
    assert pair.causes.rows[0].before_address == f"{before}#L0/finding/memory.local"


def test_metrics_are_ranked_by_what_explains_time(run: Path) -> None:
    pair = _pair(diff(str(run / "before.ncu-rep"), str(run / "after.ncu-rep")))
    rows = pair.metrics.rows
    kinds = list(dict.fromkeys(row.kind for row in rows))
    assert kinds == ["time", "stall", "throughput", "traffic", "occupancy", "instructions"]
    assert rows[0].metric == TIME
    assert (rows[0].before, rows[0].after) == (5_854_880, 2_927_552)
    assert all(row.moved and len([r for r in rows if r.kind == row.kind]) <= 5 for row in rows)
    stall = next(row for row in rows if row.kind == "stall")
    assert stall.metric == "smsp__pcsamp_warps_issue_stalled_short_scoreboard"
    assert stall.before == pytest.approx(100 * 83_530 / 354_538)
    assert pair.metrics.count > len(rows)


def test_lines_and_opcodes(run: Path) -> None:
    pair = _pair(
        diff(str(run / "before.ncu-rep"), str(run / "after.ncu-rep"), DiffOptions(limit=99))
    )
    assert pair.opcodes is not None and pair.lines is not None
    opcodes = {change.opcode: change for change in pair.opcodes.rows}
    assert opcodes["LDL.128"].move == opcodes["STL.128"].move == "vanished"
    assert (opcodes["LDL.128"].before, opcodes["LDL.128"].after) == (33_554_432, None)
    assert "FFMA" not in opcodes  # the same work
    hottest = pair.lines.rows[0]
    assert (hottest.move, hottest.after) == ("vanished", None)
    assert hottest.before is not None and hottest.before.own is not None
    assert hottest.before.place.file == "before.cu"
    assert hottest.before_ns == pytest.approx(5_854_880 * hottest.before.own.samples / 354_538)
    followed = [change for change in pair.lines.rows if change.before and change.after]
    assert any(row.before.place.line != row.after.place.line for row in followed)  # type: ignore
    for row in followed:
        assert row.before is not None and row.after is not None
        assert (row.before.text or "").split() == (row.after.text or "").split()
    total = sum(change.before_ns or 0.0 for change in pair.lines.rows)
    assert 0.5 * 5_854_880 < total <= 5_854_880


def test_a_report_does_not_differ_from_itself(run: Path) -> None:
    path = str(run / "after.ncu-rep")
    found = diff(path, path)
    pair = _pair(found)
    assert pair.causes is not None and pair.lines is not None and pair.opcodes is not None
    assert {cause.state for cause in pair.causes.rows} == {"same"}
    assert [part.count for part in (pair.metrics, pair.lines, pair.opcodes)] == [0, 0, 0]
    assert [pair.only_in.before.count, pair.only_in.after.count] == [0, 0]
    assert pair.matched_by == "mangled name"
    assert "no change beyond the noise of 6.0 %" in difference_text(found)


def test_raw_is_every_metric_that_moved_and_noise_decides_which(run: Path) -> None:
    places = str(run / "after.ncu-rep"), str(run / "split2.ncu-rep")
    whole = _pair(diff(*places))
    raw = _pair(diff(*places, DiffOptions(raw=True)))
    assert raw.metrics.count == len(raw.metrics.rows) == whole.metrics.count
    assert (raw.causes, raw.lines, raw.opcodes) == (None, None, None)
    assert all(row.moved for row in raw.metrics.rows)
    counts = [
        _pair(diff(*places, DiffOptions(raw=True, noise_pct=pct))).metrics.count
        for pct in (0.0, 6.0, 60.0)
    ]
    assert counts[0] > counts[1] > counts[2] > 0
    assert counts[1] == raw.metrics.count  # clocks were not locked: 6 % is the default


def test_metrics_that_were_asked_for_are_shown_moved_or_not(run: Path) -> None:
    places = str(run / "before.ncu-rep"), str(run / "after.ncu-rep")
    rows = _pair(diff(*places, DiffOptions(globs=("launch__block_size", "gpu__time*.sum")))).metrics
    assert {row.metric: row.moved for row in rows.rows} == {TIME: True, "launch__block_size": False}
    with pytest.raises(
        BadInput, match="no metric that both launches have matches dram_bytes"
    ) as at:
        diff(*places, DiffOptions(globs=("dram_bytes",)))
    assert "dram__bytes" in (at.value.hint or "")


def test_an_address_must_name_a_launch(run: Path) -> None:
    path = str(run / "before.ncu-rep")
    with pytest.raises(BadInput, match="names a metric; diff takes reports or launches"):
        diff(f"{path}#L0/metric/{TIME}", path)


def test_text_is_80_columns_but_for_paths_and_commands(run: Path) -> None:
    found = diff(str(run / "after.ncu-rep"), str(run / "split2.ncu-rep"), DiffOptions(limit=40))
    lines = difference_text(found).splitlines()
    assert "2.93 ms -> 1.73 ms, 1.69x faster" in lines
    assert "caution: 8,192 threads before and 16,384 after: the work may not be the same" in lines
    long = [line for line in lines if len(line) > 80 and str(run) not in line]
    assert all("__" in line for line in long), "a metric's name is never cut"


def test_different_gpus_are_refused_or_said(shared_reports: Path) -> None:
    before = str(shared_reports / "matmul.h100.2023.2.ncu-rep")
    after = str(shared_reports / "kda_after.h200.ncu-rep.xz")
    with pytest.raises(BadInput, match="different GPUs: device NVIDIA H100 PCIe and") as caught:
        diff(before, after)
    assert (caught.value.hint or "").startswith("--any-device ")
    found = diff(before, after, DiffOptions(any_device=True))
    assert found.cautions[0].startswith("different GPUs (device NVIDIA H100 PCIe and NVIDIA H200")
    assert any("ncu 2023.2.2.0 and ncu 2025.3.1.0" in text for text in found.cautions)
    again = [step.command for step in found.deeper if "ncu diff" in step.command]
    assert all(command.endswith("--any-device") for command in again) and again
    pair = _pair(found)
    assert pair.only_in.after.count > 1000
    names = {row.metric for row in pair.metrics.rows}
    assert names.isdisjoint(pair.only_in.after.rows)


def test_many_launches_are_matched_and_the_largest_change_comes_first(shared_reports: Path) -> None:
    found = diff(
        str(shared_reports / "extrap_s10.a100.2020.3.ncu-rep"),
        str(shared_reports / "extrap_s100000.a100.2020.3.ncu-rep"),
    )
    assert (found.pairs.count, len(found.pairs.rows)) == (6, 5)
    assert {pair.matched_by for pair in found.pairs.rows} == {"mangled name"}
    assert all(pair.before.kernel == pair.after.kernel for pair in found.pairs.rows)
    grew = [(p.after.duration_ns or 0) - (p.before.duration_ns or 0) for p in found.pairs.rows]
    assert grew == sorted(grew, reverse=True)
    assert found.after_total_ns == 644_672 * 2 + 7_046_848 + 6_628_480 + 7_052_192 + 6_574_848
    moved = {row.metric: row.factor for row in found.pairs.rows[0].metrics.rows}
    assert moved["sm__inst_executed.sum"] == pytest.approx(180_007 / 25)
    assert "6 -> 6 launches, in all 25.9 us -> 28.6 ms, 1,100x slower" in difference_text(found)


def test_launches_without_a_counterpart_are_listed(shared_reports: Path) -> None:
    before = str(shared_reports / "kda_before.h200.ncu-rep.xz")
    after = str(shared_reports / "kda_fla_chunk.h200.ncu-rep.xz")
    found = diff(before, after)
    assert (found.pairs.count, found.only_before.count, found.only_after.count) == (0, 1, 8)
    [step] = found.deeper
    assert step.command == f"warpwright ncu diff '{before}#L0' '{after}#L0'"
    assert "1 -> 8 launches, in all 6.08 ms -> 462 us, 13.16x faster" in difference_text(found)
    named = diff(before, f"{after}#L3")
    assert (named.pairs.count, named.only_after.count) == (1, 0)


def test_repetitions_in_one_report_tell_the_noise(shared_reports: Path) -> None:
    path = str(shared_reports / "hyperspec.rtx2060.2024.3.ncu-rep")
    pair = _pair(diff(f"{path}#L0", f"{path}#L4"))
    assert pair.matched_by == "address"
    assert pair.speedup == pytest.approx(17_614_880 / 20_716_512)
    times = [launch.number(TIME) or 0.0 for launch in read_report(Path(path)).launches]
    others = [times[index] for index in (1, 2, 3, 5, 6)]  # L7 has another grid
    noise = 100 * (max(others) - min(others)) / max(times[0], times[4])
    assert pair.time_noise_pct == pytest.approx(noise)
    close = _pair(diff(f"{path}#L1", f"{path}#L2"))  # which differ less than others do
    assert TIME not in {row.metric for row in close.metrics.rows}
    other = _pair(diff(f"{path}#L0", f"{path}#L7"))
    assert TIME in {row.metric for row in other.metrics.rows}


def test_a_launch_of_nan_is_not_ranked(shared_reports: Path) -> None:
    path = str(shared_reports / "esmm_nan_last_launch.a10g.2023.1.ncu-rep")
    pair = _pair(diff(f"{path}#L0", f"{path}#L3"))
    assert (pair.speedup, pair.causes) == (None, None)
    assert any("all counters of this launch are NaN" in text for text in pair.cautions)
    assert all(row.metric.startswith("launch__") for row in pair.metrics.rows)


def _report(**facts: object) -> Report:
    return replace(Report("r", "2025.3", "GPU", (9, 0), 132, (LAUNCH,)), **facts)  # type: ignore


def test_what_was_measured_otherwise_is_said() -> None:
    told = report_cautions(_report(), _report(tool_version="2023.2", clocks_unlocked=True))
    assert [text.partition(":")[0] for text in told] == [
        "measured by ncu 2025.3 and ncu 2023.2",
        "clocks were unlocked only after",
    ]
    assert report_cautions(_report(), _report()) == ()

    clock, nan = "sm__cycles_elapsed.avg.per_second", "lts__t_sectors.sum"
    sections = NoAnnotations(sections=(Section("Occupancy", "Occupancy", 1),))
    more = NoAnnotations(sections=(*sections.sections, Section("LaunchStats", "Launch", 2)))
    one = replace(
        LAUNCH, annotations=sections, metrics={TIME: Metric(TIME, 1e6), clock: Metric(clock, 1e9)}
    )
    slower = {TIME: Metric(TIME, 1e6), clock: Metric(clock, 1.2e9), nan: Metric(nan, float("nan"))}
    other = replace(one, annotations=more, grid=(2, 1, 1), metrics=slower)
    assert pair_cautions((_report(), one), (_report(), other)) == (
        "32 threads before and 64 after: the work may not be the same",
        "SMs ran at 1000 MHz before and 1200 MHz after: compare cycles rather than times",
        "collected only after: sections LaunchStats",
        "after: NaN in 1 metrics, lts__t_sectors.sum for one",
    )
    assert pair_cautions((_report(), one), (_report(), one)) == ()


def test_a_cause_that_could_not_be_seen_is_neither_new_nor_solved(root):
    """A profile of few metrics says nothing of local memory."""
    before = str(root / "examples/kda/runs/h200/before.ncu-rep")
    after = str(root / "tests/reports/samples.ncu-rep.xz#L0")
    pair = _pair(diff(before, after, DiffOptions(any_device=True)))
    assert pair.causes is not None
    states = {cause.id: cause.state for cause in pair.causes.rows}
    assert states["memory.local"] == "not measured"
