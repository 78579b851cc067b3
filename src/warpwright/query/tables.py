"""A report as tables: their names, their columns, and what these mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, get_args

from warpwright.model.base import Model
from warpwright.model.query_result import TableColumn, TableList, TableNote
from warpwright.model.report import Launch
from warpwright.model.report_tables import (
    InstanceRecord,
    InstructionRecord,
    LaunchRecord,
    LineRecord,
    MetricNameRecord,
    MetricRecord,
    NvtxRecord,
    ReportRecord,
    RuleRecord,
    SectionRecord,
    StallRecord,
)
from warpwright.query import table_rows as rows
from warpwright.query.table_rows import Around, Row


@dataclass(frozen=True, slots=True)
class Table:
    """A table with some rows for each launch. `rows` yields them in the order of `row`'s fields."""

    name: str
    row: type[Model]
    rows: Callable[[Launch, Around], Iterator[Row]]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns' names; the first is `launch`."""
        return ("launch", *self.row.model_fields)


TABLES = (
    Table("launches", LaunchRecord, rows.launch_rows),
    Table("metrics", MetricRecord, rows.metric_rows),
    Table("instances", InstanceRecord, rows.instance_rows),
    Table("lines", LineRecord, rows.line_rows),
    Table("instructions", InstructionRecord, rows.instruction_rows),
    Table("stalls", StallRecord, rows.stall_rows),
    Table("rules", RuleRecord, rows.rule_rows),
    Table("sections", SectionRecord, rows.section_rows),
    Table("nvtx", NvtxRecord, rows.nvtx_rows),
)


def table_list() -> TableList:
    """Every table, with the type, unit and meaning of every column."""
    launch = TableColumn(
        name="launch", type="INTEGER", unit=None, meaning="The launch's index, from 0: L0."
    )
    ours = [TableNote(name=t.name, **_note(t.row, (launch,))) for t in TABLES]
    ours.append(TableNote(name="metric_names", **_note(MetricNameRecord, ())))
    ours.append(TableNote(name="report", **_note(ReportRecord, ())))
    return TableList(tables=tuple(ours))


def _note(row: type[Model], first: tuple[TableColumn, ...]) -> dict[str, Any]:
    columns = []
    for name, field in row.model_fields.items():
        extra = field.json_schema_extra
        columns.append(
            TableColumn(
                name=name,
                type=_sql_type(field.annotation),
                unit=str(extra["unit"]) if isinstance(extra, dict) else None,
                meaning=field.description or "",
            )
        )
    return {"meaning": row.__doc__, "columns": (*first, *columns)}


def _sql_type(annotation: Any) -> Any:
    kinds = {kind for kind in get_args(annotation) or (annotation,) if kind is not type(None)}
    if kinds == {int}:
        return "INTEGER"
    if kinds == {float}:
        return "REAL"
    return "ANY" if float in kinds else "TEXT"
