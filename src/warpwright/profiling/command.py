"""The command line of Nsight Compute. Pure: options in, arguments out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from warpwright.profiling.options import Options
from warpwright.profiling.tool import Tool

QUICK_SECTIONS = (
    "SpeedOfLight",
    "LaunchStats",
    "Occupancy",
    "MemoryWorkloadAnalysis",
    "MemoryWorkloadAnalysis_Tables",
    "MemoryWorkloadAnalysis_Chart",
    "WarpStateStats",
    "SchedulerStats",
    "SourceCounters",
    "ComputeWorkloadAnalysis",
    "InstructionStats",
    "WorkloadDistribution",
)
"""What the findings read. About ten passes a launch."""

EXTRA_SECTIONS = ("PmSampling", "PmSampling_WarpStates", "SourceCounters", "WarpStateStats")
"""On top of `--set full`, which lacks some of them in some versions."""


def ncu_command(
    tool: Tool,
    program: Sequence[str],
    options: Options,
    *,
    report: Path,
    range_only: bool = False,
    source_folder: Path | None = None,
) -> list[str]:
    """Arguments that profile `program` into `report`.

    Args:
        tool: the profiler, with the sections and options that its version has.
        program: the program and its arguments.
        options: what to collect of which launches (`output` and `timeout_s` are not used here).
        report: where Nsight Compute is to write.
        range_only: profile only between cudaProfilerStart and cudaProfilerStop.
        source_folder: where the source lies that the line table names.
    """
    command = [str(tool.path), *section_arguments(options, tool.sections)]
    command += ["--clock-control", options.clock_control, "--replay-mode", options.replay]
    command += ["--target-processes", options.target_processes]
    if range_only and options.replay != "range":  # range replay waits for the range by itself
        command += ["--profile-from-start", "off"]
    if options.kernel is not None:
        command += ["--kernel-name", f"regex:{options.kernel}"]
    if options.launch_skip:
        command += ["--launch-skip", str(options.launch_skip)]
    if options.launch_count is not None:
        command += ["--launch-count", str(options.launch_count)]
    if tool.has("--import-source"):
        command += ["--import-source", "yes"]
    if source_folder is not None and tool.has("--source-folders"):
        command += ["--source-folders", str(source_folder)]
    return [*command, "--force-overwrite", "--export", str(report), *program]


def section_arguments(options: Options, available: frozenset[str]) -> list[str]:
    """`--set` and `--section` arguments, without the sections that this version lacks.

    An empty `available` means that the profiler did not tell: then nothing is left out.
    """
    if options.preset == "full":
        return ["--set", "full", *_sections(EXTRA_SECTIONS, available)]
    return _sections(QUICK_SECTIONS, available)


def _sections(names: Iterable[str], available: frozenset[str]) -> list[str]:
    kept = [name for name in names if name in available or not available]
    return [argument for name in kept for argument in ("--section", name)]
