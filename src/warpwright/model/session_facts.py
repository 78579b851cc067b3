"""When, where and with what a report was made: Nsight Compute's session page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine as the report names it."""

    os: str | None = None
    build: str | None = None
    processor: str | None = None
    architecture: str | None = None
    name: str | None = None
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Device:
    """A GPU of the profiled machine. `attributes` are its device__attribute_* values."""

    index: int
    name: str | None
    attributes: Mapping[str, float | int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Process:
    """A profiled process."""

    pid: int
    host: str | None = None
    program: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """The session of a report. Most of it is private: `ncu redact` takes it out.

    `created_s` is in seconds since 1970 UTC. `versions` maps what was there (Nsight Compute,
    CUDA driver ...) to its version. `settings` holds the profiler's options by their field's name.
    """

    tool_version: str | None = None
    driver: str | None = None
    command_line: str | None = None
    created_s: int | None = None
    host: Machine | None = None
    target: Machine | None = None
    executable: str | None = None
    working_folder: str | None = None
    arguments: str | None = None
    environment: str | None = None
    processes: tuple[Process, ...] = ()
    devices: tuple[Device, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
