from pathlib import Path

import pytest

from warpwright.advice.facts import Facts
from warpwright.advice.findings.launch import split_model
from warpwright.errors import BadInput
from warpwright.model.what_if import Change
from warpwright.operations.opened import open_report
from warpwright.operations.what_if import what_if
from warpwright.render.what_if import what_if_text

NOTHING = Change()


@pytest.fixture
def before(root: Path) -> str:
    return str(root / "examples" / "kda" / "runs" / "h200" / "before.ncu-rep")


@pytest.fixture
def reports(root: Path) -> Path:
    return root / "tests" / "reports"


def test_today_is_what_the_report_says(reports: Path) -> None:
    for name in ("multi", "triton", "cutlass", "spill", "many"):
        path = reports / f"{name}.ncu-rep.xz"
        for launch in list(open_report(str(path)).report.launches)[:12]:
            today = what_if(f"{path}#L{launch.index}", NOTHING).today
            waves = launch.number("launch__waves_per_multiprocessor")
            assert today.waves == pytest.approx(waves)
            assert today.limits["shared memory"] == launch.number(
                "launch__occupancy_limit_shared_mem"
            )


def test_a_change_to_what_is_already_there_changes_nothing(before: str) -> None:
    found = what_if(before, Change(block=128, grid=64, registers=34, shared_bytes=1024, cluster=1))
    assert found.changed == found.today
    assert found.forecast is not None
    gain = found.forecast.speedup
    assert (gain.low, gain.expected, gain.high) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("k", [2, 4, 8])
def test_a_split_grid_gains_what_the_digest_predicts(before: str, k: int) -> None:
    opened = open_report(before)
    facts = Facts(opened.launch, opened.report.sm_count or 0, {})
    split = split_model(facts)
    assert split is not None
    found = what_if(before, Change(grid=64 * k))
    assert found.forecast is not None
    gain = found.forecast.speedup
    assert (gain.low, gain.expected, gain.high) == pytest.approx(split.gains(k), abs=1e-3)
    duration = found.forecast.duration
    assert duration is not None
    assert duration.expected_ns == pytest.approx((facts.duration_ns or 0) / gain.expected)
    assert duration.low_ns <= duration.expected_ns <= duration.high_ns


def test_smaller_blocks_keep_the_threads_in_all(before: str) -> None:
    changed = what_if(before, Change(block=32)).changed
    assert changed is not None
    assert (changed.grid_blocks, changed.block_threads, changed.idle_sms) == (256, 32, 0)
    both = what_if(before, Change(block=32, grid=64)).changed
    assert both is not None
    assert (both.grid_blocks, both.idle_sms) == (64, 68)


def test_registers_limit_and_fewer_warps_cost(reports: Path) -> None:
    found = what_if(f"{reports / 'spill.ncu-rep.xz'}#L0", Change(registers=64))
    assert found.changed is not None
    assert found.today.limiters == ("warps", "registers")
    assert (found.changed.blocks_per_sm, found.changed.limiters) == (1, ("registers",))
    assert (found.changed.last_wave_blocks, found.changed.capacity_blocks) == (124, 132)
    share = found.changed.last_wave_time_share
    assert share is not None
    assert 124 / 256 < share <= 0.5
    assert found.forecast is not None
    gain = found.forecast.speedup
    assert 0.49 <= gain.low <= gain.expected < gain.high <= 1.0


def test_more_shared_memory_needs_another_carveout_and_opting_in(before: str) -> None:
    found = what_if(before, Change(shared_bytes=60_000))
    assert found.changed is not None
    assert found.changed.blocks_per_sm == 3
    assert found.changed.limiters == ("shared memory",)
    assert found.changed.carveout_bytes == 228 * 1024 > found.today.carveout_bytes
    text = " ".join(what_if_text(found).split())
    assert "the driver sets aside 228 KiB" in text
    assert "opts in to more than 48 KiB" in text


def test_clusters_fill_what_the_report_says_they_can(reports: Path) -> None:
    address = f"{reports / 'cluster.ncu-rep.xz'}#L0"
    found = what_if(address, Change(cluster=8))
    assert found.changed is not None
    assert (found.today.capacity_blocks, found.changed.capacity_blocks) == (248 * 4, 124 * 8)
    unknown = what_if(address, Change(cluster=16, block=64))
    assert unknown.changed is not None
    assert unknown.changed.grid_blocks % 16 == 0
    with pytest.raises(BadInput, match="no multiple of the cluster's 4") as caught:
        what_if(address, Change(grid=265))
    assert caught.value.hint == "--grid 268"


def test_the_sweep_is_the_report_s_own_and_computed_where_that_differs(before: str) -> None:
    curves = what_if(before, NOTHING, with_curves=True).curves
    assert [(curve.over, curve.source) for curve in curves] == [
        ("block", "report"),
        ("registers", "report"),
        ("shared_bytes", "report"),
        ("shared_bytes", "computed"),
    ]
    block = {point.at: point.warps for point in curves[0].points}
    for threads in (32, 256, 1024):
        changed = what_if(before, Change(block=threads)).changed
        assert changed is not None
        assert changed.warps_per_sm == block[threads]
    shared = {point.at: point.warps for point in curves[3].points}
    for size in (0, 60 * 1024 // 512 * 512, 200 * 1024):
        changed = what_if(before, Change(shared_bytes=size)).changed
        assert changed is not None
        assert changed.warps_per_sm == shared[size]


def test_a_report_without_curves_gets_computed_ones(shared_reports: Path) -> None:
    export = shared_reports / "hyperspec.rtx2060.2024.3.ncu-rep"
    found = what_if(f"{export}#L0", Change(block=512), with_curves=True)
    assert found.compute_capability == "7.5"
    assert found.changed is not None
    assert found.changed.warps_per_sm == 32


def test_no_utilization_no_prediction(reports: Path) -> None:
    found = what_if(f"{reports / 'two_metrics.ncu-rep.xz'}#L0", Change(block=64))
    assert (found.forecast, found.today.last_wave_time_share) == (None, None)
    assert found.changed is not None
    assert "what_if.no_utilization" in {caution.id for caution in found.cautions}
    assert "not predicted" in what_if_text(found)


def test_text_is_80_columns_and_goes_on(before: str) -> None:
    text = what_if_text(what_if(before, Change(block=64, registers=32, shared_bytes=0), True))
    prose = [line for line in text.splitlines() if "warpwright ncu" not in line]
    assert max(map(len, prose[1:])) <= 80
    assert "today" in text
    assert f"warpwright ncu digest '{before}#L0'" in text


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Change(block=1025), "1 to 1024 threads"),
        (Change(block=0), "1 to 1024 threads"),
        (Change(grid=-1), "1 to 2147483647 blocks"),
        (Change(grid=10**30), "1 to 2147483647 blocks"),
        (Change(registers=256), "1 to 255 registers"),
        (Change(shared_bytes=232_449), "0 to 232448 bytes"),
        (Change(cluster=17), "1 to 16 blocks"),
        (Change(block=1024, registers=128), r"does not fit: .* \(by registers\)"),
    ],
)
def test_what_cannot_be(before: str, asked: Change, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        what_if(before, asked)
    assert caught.value.hint
    assert "\n" not in str(caught.value)


def test_what_has_no_configuration(reports: Path, before: str, shared_reports: Path) -> None:
    damaged = shared_reports / "esmm_nan_last_launch.a10g.2023.1.ncu-rep"
    for address, message in (
        (f"{reports / 'range.ncu-rep.xz'}#L0", "is a whole range measured as one"),
        (f"{reports / 'graph_whole.ncu-rep.xz'}#L0", "is a whole graph measured as one"),
        (f"{before}#L0/finding/x", "names a finding"),
        (f"{damaged}#L3", "does not tell its registers"),
        (str(reports / "multi.ncu-rep.xz"), "12 launches: say which"),
    ):
        with pytest.raises(BadInput, match=message) as caught:
            what_if(address, NOTHING)
        assert caught.value.hint
