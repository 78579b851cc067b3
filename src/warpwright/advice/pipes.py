"""The pipelines of an SM: how busy each was while the SM worked, and what was issued."""

from __future__ import annotations

from warpwright.advice.facts import Facts

_ACTIVE = "avg.pct_of_peak_sustained_active"
_PIPES = {
    "FP64": f"sm__pipe_fp64_cycles_active.{_ACTIVE}",
    "XU": f"sm__inst_executed_pipe_xu.{_ACTIVE}",
    "ALU": f"sm__inst_executed_pipe_alu.{_ACTIVE}",
    "FMA": f"sm__inst_executed_pipe_fma.{_ACTIVE}",
    "LSU": f"sm__inst_executed_pipe_lsu.{_ACTIVE}",
    "tensor": f"sm__pipe_tensor_cycles_active.{_ACTIVE}",
}
_ISSUE = f"smsp__issue_active.{_ACTIVE}"


def pipe_shares(facts: Facts) -> dict[str, float]:
    """Busy share (0..1) of each pipe that the report tells of."""
    told = {name: facts.launch.number(metric) for name, metric in _PIPES.items()}
    return {name: min(value / 100, 1.0) for name, value in told.items() if value is not None}


def pipe_metric(name: str) -> str:
    """The metric behind a pipe's share."""
    return _PIPES[name]


def issue_share(facts: Facts) -> float | None:
    """Share (0..1) of the cycles in which a scheduler issued an instruction."""
    value = facts.launch.number(_ISSUE)
    return None if value is None else min(value / 100, 1.0)


def opcode_counts(facts: Facts) -> dict[str, float]:
    """Executed warp instructions by opcode; empty where they were not counted."""
    metric = facts.launch.metrics.get("sass__inst_executed_per_opcode")
    pairs = metric.instances.items() if metric is not None else ()
    return {str(name): float(n) for name, n in pairs if not isinstance(n, str)}


def busy_without(facts: Facts, *without: str) -> float:
    """The busiest of memory and of the pipes other than `without`, 0..1."""
    memory = [busy.fullest for busy in facts.busy if busy.name != "SM pipes"]
    pipes = [share for name, share in pipe_shares(facts).items() if name not in without]
    return max([*memory, *pipes], default=0.0)
