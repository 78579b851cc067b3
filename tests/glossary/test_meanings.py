"""Labels and meanings."""

from __future__ import annotations

import time

import pytest

from tests.glossary.test_units import recorded
from warpwright.glossary import describe


def test_labels_are_those_that_the_library_shows() -> None:
    shown: dict[str, set[str]] = {}
    for name, _, label in recorded():
        if label:
            shown.setdefault(name, set()).add(label)
    ours = {name: label for name in shown if (label := describe(name).label)}
    assert len(ours) > 140
    assert not {name: label for name, label in ours.items() if label not in shown[name]}
    assert not [label for label in ours.values() if "{" in label]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("gpu__time_duration.sum", "Duration"),
        ("gpc__cycles_elapsed.max", "Elapsed Cycles"),
        ("gpc__cycles_elapsed.avg.per_second", "SM Frequency"),
        ("launch__registers_per_thread", "Registers Per Thread"),
        ("launch__waves_per_multiprocessor", "Waves Per SM"),
        ("sm__warps_active.avg.pct_of_peak_sustained_active", "Achieved Occupancy"),
        ("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "Memory Throughput"),
        ("memory_l2_theoretical_sectors_global", "L2 Theoretical Sectors Global"),
        ("breakdown:sm__throughput.avg.pct_of_peak_sustained_elapsed", None),
        ("lts__t_sectors_op_read_new_kind.sum", None),
    ],
)
def test_labels(name: str, label: str | None) -> None:
    assert describe(name).label == label


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        (
            "lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum.per_second",
            "L2, tag stage: sectors (32 bytes), asked for by L1/TEX, reads, that missed;"
            " sum over the slices, per second",
        ),
        (
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
            "L1/TEX, data stage: bank conflicts (extra cycles), load/store unit pipe,"
            " shared memory, stores; sum over the SMs",
        ),
        (
            "SM_A.TriageCompute.sm__inst_executed_pipe_newpipe.avg.pct_of_peak_sustained_active",
            "SM: warp instructions executed, newpipe pipe; average of the SMs,"
            " in % of the sustainable peak, while active",
        ),
        (
            "newunit__new_words_sectors.sum",
            "Newunit: new words, sectors (32 bytes); sum over the units",
        ),
        ("device__attribute_max_new_things", "Device attribute: max new things"),
        ("gpu__time_duration.sum.new_submetric", None),
        ("something", "Something"),
        ("", ""),
    ],
)
def test_composed(name: str, meaning: str | None) -> None:
    said = describe(name).meaning
    assert said == meaning if meaning is not None else "new submetric" in said


def test_stall_reasons_read_alike_whatever_counts_them() -> None:
    sampled = describe("smsp__pcsamp_warps_issue_stalled_no_instructions_not_issued").meaning
    averaged = describe(
        "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio"
    ).meaning
    waits = "wait for their next instruction to be fetched"
    assert sampled.startswith(
        f"Samples of warps that {waits} (while the scheduler issued nothing);"
    )
    assert averaged.startswith(f"Warps that {waits}, per issued instruction;")
    assert sampled.partition(";")[2] == averaged.partition(";")[2]


def test_every_stall_of_the_reports_is_explained() -> None:
    stalls = [name for name, _, _ in recorded() if "warps_issue_stalled" in name]
    assert len(stalls) > 60
    assert not [name for name in stalls if " that " not in describe(name).meaning]


def test_every_metric_has_one_line() -> None:
    said = {name: describe(name).meaning for name, _, _ in recorded()}
    assert not [n for n, line in said.items() if not line or "\n" in line or "\t" in line]
    assert not [n for n, line in said.items() if "{" in line or ", ," in line or "  " in line]


def test_a_report_of_metrics_takes_little_time() -> None:
    names = [name for name, _, _ in recorded()]
    start = time.perf_counter()
    for name in names:
        describe(name)
    assert time.perf_counter() - start < 1.0  # 0.04 s on an idle machine
