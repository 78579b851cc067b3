"""What a query over a report gave, and what can be asked (warpwright.query/1, .tables/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from warpwright.model.base import Model
from warpwright.model.report import Value


class QueryResult(Model):
    """The first rows of a query's answer. `null` is NULL; a BLOB is its hexadecimal digits."""

    model_config = ConfigDict(ser_json_inf_nan="strings")

    schema_name: Literal["warpwright.query/1"] = Field(default="warpwright.query/1", alias="schema")
    report: str
    query: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value | None, ...], ...]
    truncated: bool = Field(description="There are more rows than `--limit` let through.")
    cautions: tuple[str, ...] = Field(description="What of the report could not be read.")


class TableColumn(Model):
    """A column. `type`: INTEGER, REAL, TEXT, or ANY for a number or a text, as it comes."""

    name: str
    type: Literal["INTEGER", "REAL", "TEXT", "ANY"]
    unit: str | None
    meaning: str


class TableNote(Model):
    """A table that can be asked."""

    name: str
    meaning: str
    columns: tuple[TableColumn, ...]


class TableList(Model):
    """Every table of `ncu sql` and `ncu export`."""

    schema_name: Literal["warpwright.tables/1"] = Field(
        default="warpwright.tables/1", alias="schema"
    )
    tables: tuple[TableNote, ...]


class ExportNotice(Model):
    """What `ncu export` wrote: how many rows of each table (CSV: of one)."""

    schema_name: Literal["warpwright.export-notice/1"] = Field(
        default="warpwright.export-notice/1", alias="schema"
    )
    report: str
    path: str
    format: Literal["sqlite", "json", "csv"]
    rows: dict[str, int]
    cautions: tuple[str, ...] = Field(description="What of the report could not be read.")
