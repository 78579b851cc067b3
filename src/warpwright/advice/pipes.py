"""The pipelines of an SM: how busy each was while the SM worked, and what was issued."""

from __future__ import annotations

from collections.abc import Mapping

from warpwright.advice.facts import Facts

_OF_PEAK = "pct_of_peak_sustained_elapsed"
DATA_PIPE = "l1tex__data_pipe_lsu_wavefronts"
SHARED_WAVEFRONTS = f"{DATA_PIPE}_mem_shared"
GLOBAL_LOADS = "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld"
LOCAL_WAVEFRONTS = tuple(
    f"l1tex__t_output_wavefronts_pipe_lsu_mem_local_op_{op}" for op in ("ld", "st")
)
ATOMIC_WAVEFRONTS = tuple(
    f"l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_{op}" for op in ("red", "atom")
)
_ACTIVE = "avg.pct_of_peak_sustained_active"
# Of the fullest SM, or of all: what a basic report has.
_ELAPSED = ("max.pct_of_peak_sustained_elapsed", "avg.pct_of_peak_sustained_elapsed")


def _either(active: str, elapsed: str) -> tuple[str, ...]:
    return (f"{active}.{_ACTIVE}", *(f"{elapsed}.{kind}" for kind in _ELAPSED))


_PIPES = {
    "FP64": _either("sm__pipe_fp64_cycles_active", "sm__pipe_fp64_cycles_active"),
    "XU": _either("sm__inst_executed_pipe_xu", "sm__inst_executed_pipe_xu"),
    "ALU": _either("sm__inst_executed_pipe_alu", "sm__pipe_alu_cycles_active"),
    "FMA": _either("sm__inst_executed_pipe_fma", "sm__pipe_fma_cycles_active"),
    "FMA heavy": _either("sm__pipe_fmaheavy_cycles_active", "sm__pipe_fmaheavy_cycles_active"),
    "LSU": _either("sm__inst_executed_pipe_lsu", "sm__inst_executed_pipe_lsu"),
    "tensor": _either("sm__pipe_tensor_cycles_active", "sm__pipe_tensor_cycles_active"),
}
_ISSUE = _either("smsp__issue_active", "sm__issue_active")


def pipe_shares(facts: Facts) -> dict[str, float]:
    """Busy share (0..1) of each pipe that the report tells of."""
    found = {}
    for name, metrics in _PIPES.items():
        share = _first(facts, metrics)
        if share is not None:
            found[name] = share
    return found


def pipe_metric(facts: Facts, name: str) -> str:
    """The metric behind a pipe's share in this report."""
    return _told(facts, _PIPES[name])


def issue_metric(facts: Facts) -> str:
    """The metric behind the share of the issue slots in this report."""
    return _told(facts, _ISSUE)


def _told(facts: Facts, metrics: tuple[str, ...]) -> str:
    told = (one for one in metrics if facts.launch.number(one) is not None)
    return next(told, metrics[0])


def _first(facts: Facts, metrics: tuple[str, ...]) -> float | None:
    values = (facts.launch.number(one) for one in metrics)
    value = next((one for one in values if one is not None), None)
    return None if value is None else min(value / 100, 1.0)


def data_pipe_part(facts: Facts, *kinds: str) -> float | None:
    """The part (0..1) of the L1 data pipe's wavefronts that are of these kinds; None: not told.

    Args:
        facts: the launch.
        kinds: metrics of L1 wavefronts, without their rollup.
    """
    pipe = facts.launch.number(f"{DATA_PIPE}.avg.{_OF_PEAK}")
    if not pipe:
        return None
    told = [facts.launch.number(f"{kind}.sum.{_OF_PEAK}") for kind in kinds]
    return min(1.0, sum(one or 0.0 for one in told) / pipe)


def issue_share(facts: Facts) -> float | None:
    """Share (0..1) of the cycles in which a scheduler issued an instruction."""
    return _first(facts, _ISSUE)


def opcode_counts(facts: Facts) -> dict[str, float]:
    """Executed warp instructions by opcode; empty where they were not counted."""
    metric = facts.launch.metrics.get("sass__inst_executed_per_opcode")
    pairs = metric.instances.items() if metric is not None else ()
    return {str(name): float(n) for name, n in pairs if not isinstance(n, str)}


def pipes_left(facts: Facts, instructions: float, pipes: Mapping[str, float]) -> float:
    """What remains (0..1) of the time that the SM's busiest pipe, or its issue slots, need.

    Args:
        facts: the launch.
        instructions: part (0..1) of all instructions that vanishes.
        pipes: by pipe, the part (0..1) of its own work that vanishes.
    """
    issue = issue_share(facts) or 0.0
    shares = pipe_shares(facts)
    now = max([issue, *shares.values()])
    if not now:
        return 1.0
    then = [share * (1 - pipes.get(name, 0.0)) for name, share in shares.items()]
    return max([issue * (1 - instructions), *then]) / now
