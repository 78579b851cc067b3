"""How to profile."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from warpwright.model.profile import ClockControl, Preset, Replay, TargetProcesses


@dataclass(frozen=True, slots=True)
class Options:
    """What to collect, of which launches, and where the report goes.

    `kernel` is a regular expression over function names; `launch_skip` and `launch_count` count
    the launches that it matches (`launch_count` None: all). `timeout_s` is wall-clock.
    """

    output: Path
    preset: Preset = "full"
    clock_control: ClockControl = "none"
    kernel: str | None = None
    launch_skip: int = 0
    launch_count: int | None = None
    target_processes: TargetProcesses = "all"
    replay: Replay = "kernel"
    timeout_s: float = 600.0
    force: bool = False
