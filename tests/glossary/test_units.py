"""Units, against what NVIDIA's library says of every metric of real reports."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from warpwright.glossary import describe

RECORDED = Path(__file__).with_name("reports.tsv.xz")

# Of these the library has said two units, depending on the report. Ours is the other one.
DIFFERENCES = {
    ("derived__memory_l2_theoretical_sectors_global_excessive", "byte"),  # it counts sectors
    ("sass__inst_executed_register_spilling_mem_local", "byte"),  # all its kin count instructions
    ("sass__inst_executed_register_spilling_mem_shared", "byte"),
    ("smsp__pcsamp_warps_issue_stalled_no_instructions", "warp"),  # mostly `inst`, as its kin
}


def recorded() -> list[list[str]]:
    with lzma.open(RECORDED, "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def test_units_agree_with_the_library() -> None:
    rows = recorded()
    differ = {(name, unit) for name, unit, _ in rows if (describe(name).unit or "") != unit}
    assert len(rows) > 2300
    assert differ == DIFFERENCES


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        # counter, roll-up and submetric, as `ncu --query-metrics-mode all` writes them
        ("lts__t_sectors_op_read_new_kind.sum", "sector"),
        ("lts__t_sectors_op_read_new_kind.sum.per_second", "sector/s"),
        ("lts__t_sectors_op_read_new_kind.avg.peak_sustained", "sector/cycle"),
        ("lts__t_sectors_op_read_new_kind.avg.peak_sustained_elapsed", "sector"),
        ("lts__t_sectors_op_read_new_kind.avg.peak_sustained_elapsed.per_second", "sector/s"),
        ("lts__t_sectors_op_read_new_kind.max.pct_of_peak_sustained_active", "%"),
        # cycles per second are a frequency, cycles per cycle a plain number
        ("sm__new_cycles_active.avg.per_second", "hz"),
        ("sm__new_cycles_active.avg.per_cycle_elapsed", None),
        # a state added up every cycle is, per cycle, a number of warps
        ("smsp__warps_active.sum", "warp"),
        ("smsp__warps_active.avg.per_cycle_active", "warp"),
        ("smsp__warps_active.sum.per_second", "warp/s"),
        ("sm__warps_launched.sum.per_cycle_elapsed", "warp/cycle"),
        # countable things without a unit
        ("l1tex__data_bank_conflicts_pipe_lsu.sum", None),
        ("l1tex__data_bank_conflicts_pipe_lsu.sum.per_second", "1/s"),
        ("l1tex__t_requests_pipe_lsu.avg.per_cycle_active", "1/cycle"),
        ("gpu__time_duration.sum", "ns"),
        ("gpu__time_duration.sum.per_second", "ns/s"),
        # ratios
        ("smsp__average_inst_executed_per_warp.ratio", "inst/warp"),
        ("smsp__average_inst_executed_per_warp.pct", "%"),
        # a counter domain, and names that hold names
        ("TPC.TriageCompute.sm__inst_executed_realtime.avg.per_cycle_active", "inst/cycle"),
        ("pmsampling:dram__bytes.sum.per_second", "byte/s"),
        ("launch__registers_per_thread", "register/thread"),
        ("device__attribute_max_warps_per_scheduler", None),
    ],
)
def test_rules(name: str, unit: str | None) -> None:
    assert describe(name).unit == unit


@pytest.mark.parametrize(
    "name", ["", ".", "a", "a.b.c", "x__", "__", "::", "smsp__", "nonsense.sum"]
)
def test_unknown_names_have_no_unit(name: str) -> None:
    assert describe(name).unit is None
