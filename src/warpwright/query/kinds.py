"""Which metrics explain the time of a launch: few of the thousands, and one of each family."""

from __future__ import annotations

import math
import re
from functools import cache

from warpwright.glossary import describe
from warpwright.model.difference import MetricKind

_PEAK = r"\.avg\.pct_of_peak_sustained_(elapsed|active)"
_EXPLAINING: dict[MetricKind, str] = {
    "time": r"gpu__time_duration\.sum|sm__cycles_elapsed\.(max|avg\.per_second)",
    "stall": r"smsp__average_warps?_(latency_)?issue_stalled_\w+_per_issue_active\.ratio",
    "throughput": (
        r"(sm|gpu__compute_memory|l1tex|lts|gpu__dram|dram)_*throughput" + _PEAK + "|"
        rf"sm__inst_executed_pipe_(?!\w*pred_on)\w+{_PEAK}|"
        rf"(sm__pipe_\w+_cycles_active|sm__issue_active|l1tex__data_pipe_lsu_wavefronts){_PEAK}"
    ),
    "traffic": (
        r"dram__bytes(_read|_write)?\.sum|"
        r"lts__t_sectors(_op_\w+)?\.sum|lts__t_sectors_srcunit_tex\.sum|"
        r"l1tex__t_sectors_pipe_lsu_mem_(global|local)_op_[a-z]+\.sum|"
        r"l1tex__data_bank_conflicts_pipe_lsu_mem_shared(_op_[a-z]+)?\.sum|"
        r"l1tex__data_pipe_lsu_wavefronts_mem_shared\.sum|"
        r"(l1tex|lts)__t_sector_hit_rate\.pct|"
        r"smsp__sass_average_data_bytes_per_sector_mem_global_op_(ld|st)\.(ratio|pct)"
    ),
    "occupancy": (
        r"sm__warps_active\.avg\.pct_of_peak_sustained_active|"
        r"sm__maximum_warps_per_active_cycle_pct|"
        r"launch__(registers_per_thread|shared_mem_per_block_(static|dynamic)|block_size|"
        r"grid_size|waves_per_multiprocessor|cluster_size|stack_size|"
        r"occupancy_limit_(registers|shared_mem|blocks|warps|barriers))"
    ),
    "instructions": (
        r"(sm|smsp)__(sass_)?inst_executed(_op_[a-z_]+)?\.sum|sass__inst_executed_[a-z_]+_(loads|stores)|"
        r"smsp__sass_thread_inst_executed_op_[a-z0-9]+_pred_on\.sum"
    ),
}
_PATTERNS = {kind: re.compile(pattern) for kind, pattern in _EXPLAINING.items()}
# Bytes that one of these moves: a wavefront or conflict takes a cycle of 32 banks of 4 bytes.
_BYTES = {"byte": 1.0, "sector": 32.0}
_WAVEFRONT_BYTES = 128.0
_TINY = 1e-300


@cache
def kind_of(metric: str) -> MetricKind | None:
    """What a metric tells of the time; None if it is none of those that explain it."""
    return next((kind for kind, p in _PATTERNS.items() if p.fullmatch(metric)), None)


def kind_rank(kind: MetricKind | None) -> int:
    """0 for what explains time best; None comes last."""
    return list(_EXPLAINING).index(kind) if kind else len(_EXPLAINING)


def size_of(metric: str, kind: MetricKind | None, before: float, after: float) -> float:
    """How much a change weighs among those of its kind.

    Times and percentages: the difference, the duration first; traffic: the bytes (hit rates come
    last); occupancy and what is of no kind: the ratio, occupancy itself before what limits it.
    """
    size = abs(after - before)
    if kind == "traffic":
        unit = describe(metric).unit
        return size / 100 if unit == "%" else size * _BYTES.get(unit or "", _WAVEFRONT_BYTES)
    if kind in ("occupancy", None):
        ratio = size / max(abs(before), abs(after), _TINY)
        return ratio + 1 if metric.startswith("sm__") else ratio
    return math.inf if metric == "gpu__time_duration.sum" else size
