"""Each finding on launches whose right answer follows from arithmetic."""

import math

import pytest

from tests.advice.conftest import ELAPSED, STALLED
from warpwright.advice.facts import ATTAINABLE, LAUNCH_NS
from warpwright.advice.findings.latency import dependency, memory_latency
from warpwright.advice.findings.launch import small_grid
from warpwright.advice.findings.local import local_memory
from warpwright.advice.findings.occupancy import registers
from warpwright.advice.findings.roofline import memory_roof
from warpwright.advice.findings.tail import tail
from warpwright.advice.findings.uncoalesced import uncoalesced

FIXED = LAUNCH_NS / 1e6  # of the launches here, which take a millisecond


def beside_the_launch(factor: float) -> object:
    """A factor on all of the time but the launch itself."""
    return pytest.approx(1 / (FIXED + (1 - FIXED) / factor), abs=1e-3)


def at_the_roof(busy: float) -> object:
    """What a resource that is so busy (0..1) leaves."""
    return pytest.approx(1 / (FIXED + busy / ATTAINABLE), abs=1e-3)


def test_a_grid_that_fills_the_device_is_not_small(facts):
    assert small_grid(facts(blocks=8 * 132)) is None


def test_small_grid_without_repeated_waiting_reaches_the_idle_sms(facts):
    """66 blocks on 132 SMs with no waits to repeat: at least twice, at most 16 times (8 per SM)."""
    found = small_grid(facts(blocks=66, per_pc={"smsp__pcsamp_sample_count": {0: 100.0}}))
    assert found is not None
    assert found.speedup.low == beside_the_launch(2.0)
    assert found.speedup.low < found.speedup.expected < found.speedup.high
    assert found.speedup.high == at_the_roof(0.10)  # the pipes' share caps 16x


def test_small_grid_never_beats_the_busiest_resource(facts):
    found = small_grid(facts(blocks=66, metrics={f"sm__throughput.{ELAPSED}": 40.0}))
    assert found is not None
    assert found.speedup.high == at_the_roof(0.40)


def test_small_grid_names_this_kernels_numbers(facts):
    found = small_grid(facts(blocks=64))
    assert found is not None
    text = " ".join([found.title, *found.actions])
    assert "64 blocks leave 68 of 132 SMs idle" in text
    assert "1056 fill the device once" in text


def test_tail_of_one_block_more_than_a_wave(facts):
    capacity = 8 * 132
    found = tail(facts(blocks=capacity + 1))
    assert found is not None
    assert found.speedup.high == pytest.approx(2 * capacity / (capacity + 1), abs=1e-3)
    assert tail(facts(blocks=2 * capacity)) is None
    assert tail(facts(blocks=capacity - 1)) is None


def test_tail_is_bounded_by_the_idle_time_that_was_measured(facts):
    cycles = {"sm__cycles_active.avg": 95.0, "sm__cycles_elapsed.max": 100.0}
    found = tail(facts(blocks=8 * 132 + 1, metrics=cycles))
    assert found is not None
    assert found.speedup.expected == pytest.approx(100 / 95, abs=1e-3)
    assert found.speedup.high == found.speedup.expected


def test_a_tiny_launch_is_promised_little_with_confidence(facts):
    found = small_grid(facts(blocks=1, metrics={"gpu__time_duration.sum": 4500.0}))
    assert found is not None
    assert found.confidence == "low"
    assert found.title.startswith("1 block leaves 131")


def test_registers_need_blocks_that_wait(facts):
    assert registers(facts(blocks=8 * 132)) is None
    found = registers(facts(blocks=16 * 132))
    assert found is not None
    assert found.speedup.high == beside_the_launch(2.0)
    assert 1.0 < found.speedup.expected <= 2.0
    assert "at most 56 registers a thread allow 9 blocks" in found.actions[0]
    assert "at most 32 registers a thread allow 16 blocks" in found.actions[1]


def test_registers_cost_nothing_on_a_saturated_device(facts):
    assert registers(facts(blocks=16 * 132, metrics={f"sm__throughput.{ELAPSED}": 97.0})) is None


def test_registers_that_do_not_limit(facts):
    assert registers(facts(blocks=16 * 132, limits=(16, 32, 8, 32))) is None


def local_launch(facts, spilled: float):
    return facts(
        metrics={
            "sass__inst_executed_local_loads": 100.0,
            "sass__inst_executed_local_stores": 100.0,
            "sass__inst_executed_register_spilling": spilled,
            "smsp__inst_executed.sum": 1000.0,
        },
        per_pc={
            "smsp__pcsamp_sample_count": {0: 50.0, 16: 25.0, 32: 25.0},
            STALLED + "long_scoreboard": {16: 25.0},
            "memory_type": {0: 8},
            "memory_access_type": {0: 2},
        },
    )


def test_local_memory_costs_its_own_time_and_the_waiting_behind_it(facts):
    found = local_memory(local_launch(facts, spilled=0.0))
    assert found is not None
    assert found.speedup.low == beside_the_launch(4.0)
    assert "array" in found.title


def test_spills_are_called_spills(facts):
    found = local_memory(local_launch(facts, spilled=200.0))
    assert found is not None
    assert "spill" in found.title


def test_no_local_access_no_finding(facts):
    assert local_memory(facts()) is None


def test_dependency_is_the_wait_stall(facts):
    samples = {"smsp__pcsamp_sample_count": {0: 100.0}, STALLED + "wait": {0: 50.0}}
    found = dependency(facts(per_pc=samples))
    assert found is not None
    assert found.speedup.low == beside_the_launch(1 / 0.75)
    assert found.speedup.high == beside_the_launch(2.0)
    assert dependency(facts(per_pc={"smsp__pcsamp_sample_count": {0: 100.0}})) is None


def test_dependency_is_worth_nothing_where_the_pipes_are_full(facts):
    samples = {"smsp__pcsamp_sample_count": {0: 100.0}, STALLED + "wait": {0: 50.0}}
    assert dependency(facts(per_pc=samples, metrics={f"sm__throughput.{ELAPSED}": 99.0})) is None


def test_global_waits_are_latency_local_ones_are_not(facts):
    samples = {
        "smsp__pcsamp_sample_count": {0: 10.0, 16: 50.0, 32: 0.0, 48: 40.0},
        STALLED + "long_scoreboard": {16: 50.0, 48: 40.0},
        "memory_type": {0: 4, 32: 8},
        "memory_access_type": {0: 2, 32: 2},
    }
    found = memory_latency(facts(per_pc=samples))
    assert found is not None
    assert found.speedup.high == beside_the_launch(2.0)


@pytest.mark.parametrize(("theoretical", "expected"), [(400.0, True), (102.0, False)])
def test_uncoalesced_is_the_excess_over_ideal(facts, theoretical, expected):
    sectors = "memory_l2_theoretical_sectors_global"
    launch = facts(
        metrics={f"gpu__dram_throughput.{ELAPSED}": 85.0, f"lts__throughput.{ELAPSED}": 60.0},
        per_pc={
            sectors: {0: theoretical},
            sectors + "_ideal": {0: 100.0},
            "memory_l1_tag_requests_global": {0: 25.0},
        },
    )
    found = uncoalesced(launch)
    assert (found is not None) is expected
    if found is not None:
        assert found.speedup.expected == pytest.approx(theoretical / 100.0, rel=0.01)
        assert "16 sectors a request" in found.actions[0]


def test_a_copy_at_the_roof_is_promised_nothing(facts):
    found = memory_roof(facts(metrics={f"gpu__dram_throughput.{ELAPSED}": 92.0}))
    assert found is not None
    assert found.speedup.high == 1.0
    assert memory_roof(facts(metrics={f"gpu__dram_throughput.{ELAPSED}": 50.0})) is None


def test_nan_and_missing_numbers_make_no_findings(facts):
    launch = facts(metrics={"launch__occupancy_limit_registers": math.nan})
    assert launch.capacity == 16 * 132  # the limits that are known
    assert dependency(launch) is None
