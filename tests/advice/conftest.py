"""Launches made by hand: what a finding sees is plain data."""

from collections.abc import Callable

import pytest

from warpwright.advice.facts import Facts
from warpwright.model.report import Launch, Metric, NoCode

ELAPSED = "avg.pct_of_peak_sustained_elapsed"
STALLED = "smsp__pcsamp_warps_issue_stalled_"


def make_facts(
    blocks: int = 1000,
    threads: int = 128,
    metrics: dict[str, float] | None = None,
    per_pc: dict[str, dict[int, float]] | None = None,
    limits: tuple[int, int, int, int] = (8, 32, 16, 32),
    fellows: tuple[float | None, ...] = (),
) -> Facts:
    """Facts of a launch on an H200 (132 SMs) from keyword metrics."""
    values: dict[str, float] = {
        "gpu__time_duration.sum": 1e6,
        "launch__occupancy_limit_registers": limits[0],
        "launch__occupancy_limit_shared_mem": limits[1],
        "launch__occupancy_limit_warps": limits[2],
        "launch__occupancy_limit_blocks": limits[3],
        "launch__registers_per_thread": 64,
        f"sm__throughput.{ELAPSED}": 10.0,
        f"gpu__dram_throughput.{ELAPSED}": 5.0,
    } | (metrics or {})
    table = {name: Metric(name, value) for name, value in values.items()}
    for name, instances in (per_pc or {}).items():
        table[name] = Metric(name, sum(instances.values()), instances)
    launch = Launch(
        0, "k", "k()", "_Z1kv", (blocks, 1, 1), (threads, 1, 1), (9, 0), table, NoCode()
    )
    return Facts(launch, 132, {}, fellows)


@pytest.fixture
def facts() -> Callable[..., Facts]:
    """`make_facts`."""
    return make_facts
