"""The rows that a launch gives each table, as tuples in the order of the row models' fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from warpwright.cubin.sass import Disassembly
from warpwright.glossary import describe
from warpwright.model.address import Address
from warpwright.model.report import Launch, Report, Value
from warpwright.model.report_tables import State
from warpwright.model.source_view import Cost
from warpwright.query.hotspots import InstructionCost, by_instruction, by_line, ranking
from warpwright.query.line_names import short_names, source_files

Cell = Value | None
Row = tuple[Cell, ...]

_MOST_INT = (1 << 63) - 1  # a larger one becomes a float, as SQLite has it


@dataclass(frozen=True, slots=True)
class Around:
    """What rows tell beside the launch itself.

    `report` is what addresses call it; `code_of` gives a launch's instructions.
    """

    report: str
    code_of: Callable[[Launch], Disassembly | None]


def launch_rows(launch: Launch, around: Around) -> Iterator[Row]:
    """Its one row."""
    yield (
        str(Address(around.report, launch.index)),
        launch.kernel,
        launch.demangled,
        launch.mangled or None,
        launch.workload,
        _finite(launch.number("gpu__time_duration.sum")),
        *(launch.grid if any(launch.grid) else (None, None, None)),
        *(launch.block if any(launch.block) else (None, None, None)),
        launch.context,
        launch.stream,
        launch.process,
        launch.thread,
        launch.created_s,
    )


def metric_rows(launch: Launch, _: Around) -> Iterator[Row]:
    """A row for each metric."""
    for name, metric in launch.metrics.items():
        value = told(metric.value)
        yield name, value, _unit(name), _why(metric.value) if value is None else "ok"


def instance_rows(launch: Launch, _: Around) -> Iterator[Row]:
    """A row for each instance of each metric."""
    for name, metric in launch.metrics.items():
        has_ids = metric.has_ids
        for position, (identity, value) in enumerate(metric.instances.items()):
            yield name, position, told(identity) if has_ids else None, told(value)


def value_rows(launch: Launch, ids: dict[str, int]) -> dict[str, list[Row]]:
    """The rows of metrics and of instances in one walk, for the tables that hold ids for names.

    Args:
        launch: whose.
        ids: of the names; those that are new get one.

    Returns:
        `metrics`: launch, id of the name, value, state (None: ok, as almost all are).
        `instances`: launch, id of the name, position, correlation id, value.
    """
    at = launch.index
    metrics: list[Row] = []
    instances: list[Row] = []
    for name, metric in launch.metrics.items():
        key, has_ids = ids.setdefault(name, len(ids)), metric.has_ids
        value = told(metric.value)
        metrics.append((at, key, value, None if value is not None else _why(metric.value)))
        if metric.instances:
            instances += [
                (at, key, position, told(identity) if has_ids else None, told(held))
                for position, (identity, held) in enumerate(metric.instances.items())
            ]
    return {"metrics": metrics, "instances": instances}


def _has_costs(launch: Launch) -> bool:
    """Whether there are source metrics; by their names first, since most launches have none."""
    names = launch.metrics
    sampled = "smsp__pcsamp" in " ".join(names)
    return (sampled or "inst_executed" in names) and ranking(launch) is not None


def line_rows(launch: Launch, around: Around) -> Iterator[Row]:
    """A row for each source line; none without source metrics."""
    if _has_costs(launch):
        short = short_names(source_files(launch))
        for hot in by_line(launch):
            file, line = hot.line.file, hot.line.line
            yield (
                file,
                line,
                str(Address(around.report, launch.index, "line", f"{short[file]}:{line}")),
                *_cost(hot.own),
                hot.inlined.samples if hot.inlined else None,
                hot.inlined.inst_executed if hot.inlined else None,
            )


def instruction_rows(launch: Launch, around: Around) -> Iterator[Row]:
    """A row for each instruction; none without source metrics."""
    if _has_costs(launch):
        base = launch.code.base
        for hot in by_instruction(launch, around.code_of(launch)):
            code = hot.instruction
            sass = f"{code.predicate} {code.opcode} {code.operands}".strip() if code else None
            yield (hot.offset, base + hot.offset, sass, *_place(hot), *_cost(hot.cost))


def stall_rows(launch: Launch, _: Around) -> Iterator[Row]:
    """A row for each instruction and stall reason with samples."""
    for hot in by_instruction(launch, None) if _has_costs(launch) else ():
        not_issued = hot.cost.not_issued
        for reason, samples in (hot.cost.stalls or {}).items():
            stuck = not_issued.get(reason, 0) if not_issued is not None else None
            yield (hot.offset, *_place(hot), reason, samples, stuck)


def _place(hot: InstructionCost) -> Row:
    return (hot.line.file, hot.line.line) if hot.line else (None, None)


def _cost(cost: Cost | None) -> Row:
    told = cost or Cost()
    return (
        told.samples,
        next(iter(told.stalls), None) if told.stalls else None,
        told.inst_executed,
        told.thread_inst_executed,
        told.active_lanes,
        told.predicated_on_lanes,
        told.l2_global_sectors,
        told.l2_global_sectors_ideal,
        told.shared_wavefronts,
        told.shared_wavefronts_ideal,
        told.local_inst_executed,
        told.l2_local_sectors,
    )


def rule_rows(launch: Launch, _: Around) -> Iterator[Row]:
    """A row for each message of a rule."""
    for rule in launch.annotations.rules:
        estimate = rule.speedup
        yield (
            rule.rule,
            rule.name,
            rule.section,
            rule.kind,
            rule.title,
            rule.message,
            _finite(estimate.pct) if estimate else None,
            estimate.scope if estimate else None,
        )


def section_rows(launch: Launch, _: Around) -> Iterator[Row]:
    """A row for each section."""
    for position, section in enumerate(launch.annotations.sections):
        yield position, section.id, section.name, section.parent


def nvtx_rows(launch: Launch, _: Around) -> Iterator[Row]:
    """A row for each open range."""
    for position, range_ in enumerate(launch.annotations.nvtx):
        yield position, range_.name, range_.domain, range_.kind, range_.thread


def metric_name_row(name: str) -> Row:
    """Of the table `metric_names`."""
    known = describe(name)
    return name, known.unit, known.label, known.meaning


def report_row(report: Report) -> Row:
    """Of the table `report`."""
    return (
        report.path,
        report.tool_version,
        report.device,
        report.capability_text,
        report.sm_count,
        len(report.launches),
    )


def _why(value: Cell) -> State:
    """Why `told` has no value."""
    if value is None:
        return "absent"
    return "nan" if value != value else "infinite"


def told(value: Cell) -> Cell:
    """A value as tables hold it: None where it is not finite."""
    if value.__class__ is float:
        return value if -math.inf < value < math.inf else None
    return float(value) if value.__class__ is int and value > _MOST_INT else value


@cache
def _unit(name: str) -> str | None:
    return describe(name).unit


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None
