"""The tables of a report: what `ncu sql` asks and `ncu export` writes (warpwright.report-export/1).

Each model is the row of one table. Its fields, in order, are the table's columns; in the tables
of launches a column `launch`, the launch's index, stands before them. None is NULL.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.report import Value

State = Literal["ok", "nan", "infinite", "absent"]


def _column(meaning: str, unit: str | None = None) -> Any:
    return Field(description=meaning, json_schema_extra={"unit": unit} if unit else None)


class LaunchRecord(Model):
    """One profiled kernel launch, or a range or graph that was measured as one."""

    address: str = _column("What every command takes for this launch.")
    kernel: str = _column("The function's name without its arguments.")
    demangled: str = _column("The function's whole name.")
    mangled: str | None = _column("The function's name in the machine code.")
    workload: str = _column("kernel, range, graph or cmdlist.")
    duration_ns: float | None = _column("Time on the GPU; NULL where it was not measured.", "ns")
    grid_x: int | None = _column("Blocks along x; NULL for what is no kernel.", "block")
    grid_y: int | None = _column("Blocks along y.", "block")
    grid_z: int | None = _column("Blocks along z.", "block")
    block_x: int | None = _column("Threads of a block along x; NULL for no kernel.", "thread")
    block_y: int | None = _column("Threads of a block along y.", "thread")
    block_z: int | None = _column("Threads of a block along z.", "thread")
    context: int | None = _column("The CUDA context.")
    stream: int | None = _column("The CUDA stream.")
    process: int | None = _column("The process that launched it.")
    thread: int | None = _column("The thread that launched it.")
    created_s: int | None = _column("When it was profiled, since 1970 UTC.", "s")


class MetricRecord(Model):
    """One metric of one launch."""

    metric: str = _column("The metric's name.")
    value: Value | None = _column("A number or a text; NULL unless `state` is ok.")
    unit: str | None = _column("The unit of `value`; NULL where it has none or is not known.")
    state: State = _column("ok; nan: the counter could not be read; infinite; absent: no value.")


class InstanceRecord(Model):
    """One instance of a metric: its value for one instruction, opcode, size, unit ..."""

    metric: str = _column("The metric's name.")
    position: int = _column("Its place among the metric's instances, from 0.")
    id: Value | None = _column("What it is of: a PC, an opcode, a size; NULL if only its place.")
    value: Value | None = _column("A number or a text; NULL where it could not be read.")


class _Cost(Model):
    samples: int | None = _column("Warps seen here by the sampler.", "warp")
    top_stall: str | None = _column("What most of them waited for; `selected`: they issued.")
    inst_executed: int | None = _column("Executions by warps.", "inst")
    thread_inst_executed: int | None = _column("Executions by threads.", "inst")
    active_lanes: float | None = _column("Threads of a warp that took part, of 32.", "thread")
    predicated_on_lanes: float | None = _column("Of those, not predicated off.", "thread")
    l2_global_sectors: int | None = _column("Sectors of global memory at L2.", "sector")
    l2_global_sectors_ideal: int | None = _column("As few as would do.", "sector")
    shared_wavefronts: int | None = _column("Passes through shared memory.", "wavefront")
    shared_wavefronts_ideal: int | None = _column("Without bank conflicts.", "wavefront")
    local_inst_executed: int | None = _column("Executions that access local memory.", "inst")
    l2_local_sectors: int | None = _column("Sectors of local memory at L2.", "sector")


class _Line(Model):
    file: str = _column("The source file.")
    line: int = _column("The line in it, from 1.")
    address: str = _column("What `ncu show` and `ncu source` take for this line.")


class LineRecord(_Cost, _Line):
    """One source line that machine code comes from, and what its own instructions cost."""

    inlined_samples: int | None = _column("Warps seen in what was inlined at it.", "warp")
    inlined_inst_executed: int | None = _column("Executions of what was inlined at it.", "inst")


class _Instruction(Model):
    offset: int = _column("Where it stands, from the function's start.", "byte")
    pc: int = _column("Its address: the `id` of instances of source metrics.")
    sass: str | None = _column("The instruction; NULL without a disassembler.")
    file: str | None = _column("The source file that it comes from.")
    line: int | None = _column("The line that it counts for.")


class InstructionRecord(_Cost, _Instruction):
    """One machine instruction and what it cost."""


class StallRecord(Model):
    """The samples of one instruction with one stall reason."""

    offset: int = _column("The instruction, from the function's start.", "byte")
    file: str | None = _column("The source file that it comes from.")
    line: int | None = _column("The line that it counts for.")
    reason: str = _column("What warps waited for; `selected`: they issued.")
    samples: int = _column("Warps seen.", "warp")
    not_issued: int | None = _column("Of those, when the scheduler issued nothing.", "warp")


class RuleRecord(Model):
    """One message of one of Nsight Compute's own rules."""

    rule: str = _column("The rule's identifier.")
    name: str = _column("The rule's name.")
    section: str | None = _column("The section that it belongs to (sections.section).")
    kind: str = _column("optimization (warning before 2023.2), warning, error, ok or none.")
    title: str | None = _column("The message's title.")
    message: str = _column("The message, with the tool's @markup@.")
    speedup_pct: float | None = _column("The tool's estimate; see `speedup_scope`.", "%")
    speedup_scope: str | None = _column("global: of the kernel's time; local: of one unit only.")


class SectionRecord(Model):
    """One section that was collected."""

    position: int = _column("Its place in the order in which the tool shows them, from 0.")
    section: str = _column("The section's identifier.")
    name: str = _column("The section's name.")
    parent: str | None = _column("The section that it extends.")


class NvtxRecord(Model):
    """One NVTX range that was open at the launch, the outermost first."""

    position: int = _column("Its place, from 0.")
    name: str = _column("The range's name.")
    domain: str = _column("The range's domain.")
    kind: str = _column("push_pop or start_end.")
    thread: int | None = _column("The thread that opened it.")


class MetricNameRecord(Model):
    """One metric that occurs in the report."""

    metric: str = _column("The metric's name.")
    unit: str | None = _column("The unit of its values.")
    label: str | None = _column("What Nsight Compute's pages call it.")
    meaning: str = _column("What it measures.")


class ReportRecord(Model):
    """The report itself: one row."""

    path: str = _column("The file.")
    tool_version: str | None = _column("Of the Nsight Compute that wrote it.")
    device: str | None = _column("The GPU.")
    compute_capability: str | None = _column("As 9.0.")
    sm_count: int | None = _column("The GPU's multiprocessors.")
    launches: int = _column("How many launches the file holds.")


class ExportedLaunch(LaunchRecord):
    """A launch with its rows of all other tables."""

    launch: int = _column("Its index, from 0: L0.")
    metrics: tuple[MetricRecord, ...]
    instances: tuple[InstanceRecord, ...]
    lines: tuple[LineRecord, ...]
    instructions: tuple[InstructionRecord, ...]
    stalls: tuple[StallRecord, ...]
    rules: tuple[RuleRecord, ...]
    sections: tuple[SectionRecord, ...]
    nvtx: tuple[NvtxRecord, ...]


class ReportExport(Model):
    """A whole report, as `ncu export --format json` writes it, launch by launch."""

    schema_name: Literal["warpwright.report-export/1"] = Field(
        default="warpwright.report-export/1", alias="schema"
    )
    report: ReportRecord
    launches: tuple[ExportedLaunch, ...]
    metric_names: tuple[MetricNameRecord, ...]
