"""The build report: what the compiler made of a candidate (schema warpwright.build/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model


class OccupancyLimit(Model):
    """Blocks an SM can hold at a block size, and what limits it."""

    block_threads: int
    blocks_per_sm: int
    warps_per_sm: int
    occupancy_pct: float
    limiter: Literal["registers", "shared memory", "warps", "blocks", "barriers"]


class Access(Model):
    """Memory instructions of one kind at one source line (static count)."""

    space: Literal["global", "local", "shared", "constant", "generic"]
    op: Literal["load", "store", "atomic", "async copy"]
    width_bits: int | None = Field(description="Of one thread; None: a bulk copy.")
    count: int
    file: str | None = None
    line: int | None = None


class KernelBuild(Model):
    """One kernel in the machine code. None: the tool that tells it was not there."""

    name: str
    demangled: str
    registers: int
    stack_bytes: int
    spill_store_bytes: int | None
    spill_load_bytes: int | None
    shared_static_bytes: int
    max_threads: int | None = Field(description="From __launch_bounds__, if any.")
    occupancy: tuple[OccupancyLimit, ...]
    instructions: int | None = None
    opcodes: dict[str, int] = Field(default_factory=dict)
    accesses: tuple[Access, ...] = ()


class BuildReport(Model):
    """What the compiler made of a candidate. Needs no GPU and no counters."""

    schema_name: Literal["warpwright.build/1"] = Field(default="warpwright.build/1", alias="schema")
    candidate: str
    candidate_sha256: str
    language: str
    target: str | None = Field(description="For example sm_90a.")
    compiler: str | None
    command: tuple[str, ...]
    seconds: float
    cached: bool = False
    kernels: tuple[KernelBuild, ...]
    warnings: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
