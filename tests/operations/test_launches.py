import math
from dataclasses import replace
from pathlib import Path

import pytest

from tests.query.test_places import LAUNCH
from warpwright.errors import BadInput
from warpwright.model.annotations import NoAnnotations, NvtxRange
from warpwright.model.report import Launch, Metric, Report
from warpwright.operations.launches import launch_rows, list_launches, longest_first, total_ns
from warpwright.render.launches import launches_text


def _launch(index: int, ns: float | None) -> Launch:
    metrics = {} if ns is None else {"gpu__time_duration.sum": Metric("gpu__time_duration.sum", ns)}
    return replace(LAUNCH, index=index, metrics=metrics)


def _report(*launches: Launch) -> Report:
    return Report("r.ncu-rep", "2025.3.1.0", "GPU", (9, 0), 132, launches)


def test_what_has_no_time_has_no_share_and_comes_last() -> None:
    rows = launch_rows(_report(_launch(0, None), _launch(1, 100.0), _launch(2, math.nan)))
    assert [row.duration_ns for row in rows] == [None, 100.0, None]
    assert [row.share_of_time for row in rows] == [None, 1.0, None]
    assert total_ns(rows) == 100.0
    assert [row.index for row in longest_first(rows)] == [1, 0, 2]
    assert total_ns(launch_rows(_report(_launch(0, None)))) is None


def test_a_range_has_no_grid_and_the_innermost_nvtx_range_is_told() -> None:
    nvtx = (NvtxRange("outer", "", "push_pop"), NvtxRange("inner", "", "push_pop"))
    launch = replace(
        _launch(0, 5.0),
        workload="range",
        grid=(0, 0, 0),
        block=(0, 0, 0),
        annotations=NoAnnotations(nvtx=nvtx),
    )
    row = launch_rows(_report(launch))[0]
    assert (row.workload, row.grid, row.block, row.nvtx) == ("range", None, None, "inner")


def test_equal_times_keep_their_order() -> None:
    rows = launch_rows(_report(*(_launch(index, 7.0) for index in range(3))))
    assert [row.index for row in longest_first(rows)] == [0, 1, 2]


def test_a_report_of_many_kernels(shared_reports: Path) -> None:
    path = str(shared_reports / "kda_fla_chunk.h200.ncu-rep.xz")
    whole = list_launches(path)
    assert (whole.launch_count, whole.kernel_count, whole.truncated) == (8, 7, False)
    assert sum(row.share_of_time or 0 for row in whole.launches) == pytest.approx(1)
    times = [row.duration_ns or 0 for row in whole.launches]
    assert times == sorted(times, reverse=True)
    assert [row.index for row in list_launches(path, sort="index").launches] == list(range(8))

    some = list_launches(path, kernel="elementwise", by="kernel")
    assert (some.launch_count, some.launches) == (2, ())
    [kernel] = some.kernels
    assert kernel.launches == 2
    assert kernel.median_ns == pytest.approx((kernel.total_ns or 0) / 2)
    assert kernel.longest == f"{path}#L6"

    one = list_launches(f"{path}#L3")
    assert [row.index for row in one.launches] == [3]
    assert (one.launches[0].share_of_time or 1) < 0.5

    cut = list_launches(path, limit=2)
    assert (len(cut.launches), len(cut.kernels), cut.truncated) == (2, 2, True)
    text = launches_text(cut)
    assert "... and 6 more launches (--limit N shows more)" in text
    assert all(len(line) <= 80 for line in text.splitlines() if path not in line)


def test_no_such_kernel(shared_reports: Path) -> None:
    path = str(shared_reports / "mojo.gtx1660ti.2022.4.ncu-rep")
    with pytest.raises(BadInput, match="no launch of a kernel that matches 'nothing'") as caught:
        list_launches(path, kernel="nothing")
    assert caught.value.hint == f"warpwright ncu launches {path} --by kernel"
    with pytest.raises(BadInput, match="no regular expression"):
        list_launches(path, kernel="(")
