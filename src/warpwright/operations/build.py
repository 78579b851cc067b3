"""Build a candidate and report what the compiler made of it."""

from __future__ import annotations

from pathlib import Path

from warpwright.build.candidates import load_candidate
from warpwright.build.compile import build_candidate
from warpwright.build.recipes import Via
from warpwright.model.build import BuildReport
from warpwright.operations.record import recorded_command
from warpwright.tasks import load_task


def build(
    task_path: Path | None, candidate_path: Path, target: str | None = None, via: Via = "nvcc"
) -> BuildReport:
    """Compile a candidate, or find the finished build; records it into the active run.

    Args:
        task_path: a task's folder or task.toml; None: only Triton and via="torch" miss it.
        candidate_path: one source file.
        target: sm_90a and the like; None: this machine's GPU, else sm_90a.
        via: nvcc alone, or torch's extension builder.

    Raises:
        BadTask, BadCandidate, BuildFailed, BadInput, ToolMissing: see `build_candidate`.
    """
    task = load_task(task_path) if task_path else None
    candidate = load_candidate(candidate_path)
    recorded = recorded_command()
    if recorded:
        recorded.keep(candidate)
    report = build_candidate(candidate, target=target, via=via, task=task).report
    if recorded:
        recorded.built(candidate, report)
    return report
