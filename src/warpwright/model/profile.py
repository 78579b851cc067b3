"""What `ncu profile` prints: where the report is and how it was made (warpwright.profile/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model

Preset = Literal["quick", "full"]
ClockControl = Literal["none", "base"]
TargetProcesses = Literal["all", "application-only"]
Replay = Literal["kernel", "application", "range"]


class Profile(Model):
    """A report of Nsight Compute and how it came about.

    Either `task`, `candidate` and `shape` are set, or `command` is. `launches` is None where the
    profiler's own lines do not tell; `seconds` is the wall-clock of the profiler alone.
    """

    schema_name: Literal["warpwright.profile/1"] = Field(
        default="warpwright.profile/1", alias="schema"
    )
    report: str
    task: str | None = None
    candidate: str | None = None
    shape: str | None = None
    command: tuple[str, ...] | None = None
    ncu_version: str | None
    launches: int | None
    seconds: float
    preset: Preset = Field(alias="set")
    clock_control: ClockControl
    cautions: tuple[str, ...] = ()
