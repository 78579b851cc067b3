"""Grids, the atomics of the L2, rows of launches: where arithmetic tells the answer."""

import pytest

from tests.advice.conftest import ELAPSED, STALLED
from warpwright.advice.facts import ATTAINABLE, LAUNCH_NS
from warpwright.advice.findings.atomics import atomics
from warpwright.advice.findings.overhead import INTERVAL_NS, overhead, short_run
from warpwright.advice.findings.reuse import reuse
from warpwright.advice.findings.roofline import compute_roof, memory_roof
from warpwright.advice.findings.shape import balance

MAX_ELAPSED = "max.pct_of_peak_sustained_elapsed"
UNIT = "lts__d_atomic_input_cycles_active"


def cycles(mean: float, most: float) -> dict[str, float]:
    return {"sm__cycles_active.avg": mean, "sm__cycles_active.max": most}


def test_imbalance_is_what_the_number_of_blocks_does_not_explain(facts):
    even = facts(blocks=140, limits=(1, 8, 2, 32), metrics=cycles(140 / 264, 1.0))
    assert balance(even) is None  # 132 blocks, then 8: that is a tail
    uneven = facts(blocks=132, metrics=cycles(100.0, 300.0))
    found = balance(uneven)
    assert found is not None
    assert found.speedup.high == pytest.approx(3.0)


def test_uneven_blocks_below_one_wave_are_seen(facts):
    found = balance(facts(blocks=1000, metrics=cycles(100.0, 900.0)))
    assert found is not None
    assert found.speedup.high == pytest.approx(9.0 / (8 / (1000 / 132)), rel=1e-3)


def atomic_launch(facts, fullest: float, mean: float):
    return facts(
        metrics={
            f"{UNIT}.{MAX_ELAPSED}": fullest,
            f"{UNIT}.{ELAPSED}": mean,
            "sm__cycles_elapsed.max": 2e6,
        },
        per_pc={
            "smsp__pcsamp_sample_count": {0: 10.0, 16: 90.0},
            STALLED + "lg_throttle": {16: 90.0},
            STALLED + "wait": {0: 10.0},
            "memory_type": {16: 4},
            "memory_access_type": {16: 0},
            "thread_inst_executed": {16: 1e6},
        },
    )


def test_one_full_slice_holds_everything_behind_it(facts):
    found = atomics(atomic_launch(facts, 90.0, 2.0))
    assert found is not None
    assert found.speedup.high == pytest.approx(
        1 / (LAUNCH_NS / 1e6 + max((1 - LAUNCH_NS / 1e6) * 0.1, 0.10 / ATTAINABLE)), rel=1e-3
    )
    assert found.confidence == "high"


def test_a_slice_that_is_hardly_busy_costs_its_share(facts):
    found = atomics(atomic_launch(facts, 23.0, 1.0))
    assert found is not None
    assert found.speedup.high == pytest.approx(1 / (1 - 0.25), rel=0.01)


def test_no_atomics_no_finding(facts):
    assert atomics(facts()) is None


def test_a_row_of_short_launches(facts):
    one = facts(metrics={"gpu__time_duration.sum": 2_300.0})
    assert overhead(one) is None
    row = facts(metrics={"gpu__time_duration.sum": 2_300.0}, fellows=(2_300.0,) * 32)
    found = overhead(row)
    assert found is not None
    busy = 0.10 / ATTAINABLE * 32 * 2_300
    assert found.speedup.expected == pytest.approx(32 * INTERVAL_NS / (LAUNCH_NS + busy), rel=1e-3)
    assert found.speedup.low < found.speedup.expected < found.speedup.high


def test_a_row_ends_at_a_long_or_unknown_launch():
    durations = [2e3, 2e3, 1e6, 3e3, 4e3, None, 2e3]
    assert short_run(durations, 3) == (3e3, 4e3)
    assert short_run(durations, 0) == (2e3, 2e3)


def test_reuse_is_bytes_asked_for_over_bytes_there_are(facts):
    sectors = "memory_l2_theoretical_sectors_global_ideal"
    launch = facts(
        metrics={"dram__bytes_read.sum": 3_200.0},
        per_pc={
            "smsp__pcsamp_sample_count": {0: 100.0, 16: 0.0},
            STALLED + "long_scoreboard": {0: 80.0},
            STALLED + "wait": {0: 20.0},
            "memory_type": {0: 4},
            "memory_access_type": {0: 2},
            sectors: {0: 1_000.0},
            "inst_executed": {0: 10.0},
        },
    )
    found = reuse(launch)
    assert found is not None
    assert "10 times" in found.title
    once = facts(metrics={"dram__bytes_read.sum": 32_000.0}, per_pc={sectors: {0: 1_000.0}})
    assert reuse(once) is None


def test_a_short_launch_is_no_roof(facts):
    metrics = {"gpu__time_duration.sum": 1_600.0, f"gpu__dram_throughput.{ELAPSED}": 3.0}
    assert memory_roof(facts(metrics=metrics)) is None
    assert compute_roof(facts(metrics=metrics)) is None


def test_full_issue_slots_are_a_roof(facts):
    metrics = {
        f"sm__issue_active.{MAX_ELAPSED}": 90.0,
        f"sm__inst_executed_pipe_alu.{ELAPSED.replace('elapsed', 'active')}": 60.0,
        f"sm__throughput.{ELAPSED}": 90.0,
    }
    found = compute_roof(facts(metrics=metrics))
    assert found is not None
    assert "issue slots" in found.title
