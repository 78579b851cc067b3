from pathlib import Path

import pytest

from warpwright.errors import BadInput
from warpwright.operations.metrics import list_metrics
from warpwright.render.metrics import metrics_text

DURATION = "gpu__time_duration.sum"


@pytest.fixture
def before(root: Path) -> str:
    return str(root / "examples" / "kda" / "runs" / "h200" / "before.ncu-rep")


def test_a_name_a_glob_and_an_expression(before: str) -> None:
    found = list_metrics(before, [DURATION])
    [row] = found.rows
    assert row.address == f"{before}#L0/metric/{DURATION}"
    assert (found.metrics[0].unit, found.row_count, found.truncated) == ("ns", 1, False)
    names = {row.metric for row in list_metrics(before, ["gpu__time*"]).rows}
    assert DURATION in names
    assert names == {row.metric for row in list_metrics(before, ["re:^gpu__time"]).rows}
    assert len(list_metrics(before, ["gpu__time*", DURATION]).rows) == len(names)


def test_instances_by_pc_have_lines_and_the_largest_comes_first(before: str) -> None:
    [row] = list_metrics(before, ["inst_executed"], instances=True, limit=5).rows
    assert (len(row.instances), row.instance_count > 5) == (5, True)
    values = [one.value for one in row.instances]
    assert values == sorted(values, reverse=True)
    first = row.instances[0]
    assert isinstance(first.id, int)
    assert first.offset is not None
    assert 0 <= first.offset < 1 << 20
    assert (first.file or "").endswith(".cu")
    [opcodes] = list_metrics(before, ["sass__inst_executed_per_opcode"], instances=True).rows
    assert opcodes.instances[0].offset is None
    assert isinstance(opcodes.instances[0].id, str)


def test_a_curve_keeps_its_order(before: str) -> None:
    [row] = list_metrics(before, ["launch__occupancy_per_block_size"], instances=True).rows
    sizes = [one.id for one in row.instances]
    assert sizes == sorted(sizes, key=float)
    assert {one.offset for one in row.instances} == {None}


def test_all_instances_add_up_to_the_value(before: str) -> None:
    [row] = list_metrics(before, ["inst_executed"], instances=True, limit=100_000).rows
    assert sum(float(one.value) for one in row.instances) == row.value


def test_absent_and_nan_are_told_apart(shared_reports: Path) -> None:
    path = str(shared_reports / "esmm_nan_last_launch.a10g.2023.1.ncu-rep")
    found = list_metrics(path, [DURATION, "launch__waves_per_multiprocessor"])
    by_metric: dict[str, list[object]] = {}
    for row in found.rows:
        by_metric.setdefault(row.metric, []).append(row.value)
    assert by_metric[DURATION][3] == "nan"
    assert by_metric["launch__waves_per_multiprocessor"][3] is None
    assert '"nan"' in found.model_dump_json()
    text = metrics_text(found)
    assert "    L3  nan\n" in text
    assert "    L3  -\n" in text


def test_rows_are_cut_and_counted(shared_reports: Path) -> None:
    path = str(shared_reports / "kda_fla_chunk.h200.ncu-rep.xz")
    found = list_metrics(path, ["gpu__time_duration.*"], limit=10)
    assert (len(found.rows), found.row_count, found.truncated) == (10, 32, True)
    assert [row.launch for row in found.rows] == [*range(8), 0, 1]
    assert len(found.metrics) == 2


def test_an_address_stands_for_patterns(before: str) -> None:
    assert list_metrics(f"{before}#L0/metric/{DURATION}").patterns == (DURATION,)
    section = list_metrics(f"{before}#L0/section/SpeedOfLight")
    assert DURATION in {row.metric for row in section.rows}


def test_nothing_asked_or_found(before: str) -> None:
    with pytest.raises(BadInput, match="which metrics"):
        list_metrics(before)
    with pytest.raises(BadInput, match="has no metric that matches sm_throughput") as caught:
        list_metrics(before, ["sm_throughput"])
    assert "sm__throughput.avg" in (caught.value.hint or "")
    with pytest.raises(BadInput, match="no regular expression"):
        list_metrics(before, ["re:["])
