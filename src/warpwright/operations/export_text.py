"""A report as JSON or CSV, written launch by launch."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from typing import Any, TextIO

from warpwright.model.base import Model
from warpwright.model.report_tables import MetricNameRecord, ReportRecord
from warpwright.operations.opened import Opened
from warpwright.query.table_rows import Around, Row, metric_name_row, report_row
from warpwright.query.tables import TABLES

_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def write_json(opened: Opened, around: Around, out: TextIO) -> dict[str, int]:
    """Write one document, a `model.report_tables.ReportExport`. Returns each table's rows."""
    first, *others = TABLES
    counts = dict.fromkeys((table.name for table in TABLES), 0)
    columns = {table.name: tuple(table.row.model_fields) for table in others}
    names: dict[str, None] = {}
    head = _ENCODE(_object(ReportRecord, report_row(opened.report)))
    out.write(f'{{"schema":"warpwright.report-export/1","report":{head},"launches":[')
    for launch in opened.launches:
        (facts,) = first.rows(launch, around)
        told: dict[str, Any] = {"launch": launch.index, **_object(first.row, facts)}
        for table in others:
            fields = columns[table.name]
            told[table.name] = [
                dict(zip(fields, r, strict=True)) for r in table.rows(launch, around)
            ]
            counts[table.name] += len(told[table.name])
        out.write((",\n" if counts[first.name] else "\n") + _ENCODE(told))
        counts[first.name] += 1
        names |= dict.fromkeys(launch.metrics)
    meanings = [_object(MetricNameRecord, metric_name_row(name)) for name in names]
    out.write(f'\n],"metric_names":{_ENCODE(meanings)}}}\n')
    return counts | {"metric_names": len(names), "report": 1}


def write_csv(opened: Opened, around: Around, name: str, out: TextIO) -> dict[str, int]:
    """Write the table `name` under a line of its columns. NULL is an empty field.

    Returns the table's rows.
    """
    writer = csv.writer(out, lineterminator="\n")
    count = 0
    for row in _csv_rows(opened, around, name):
        writer.writerow(row)
        count += 1
    return {name: count - 1}


def _csv_rows(opened: Opened, around: Around, name: str) -> Iterator[Row]:
    if name == "report":
        yield tuple(ReportRecord.model_fields)
        yield report_row(opened.report)
    elif name == "metric_names":
        yield tuple(MetricNameRecord.model_fields)
        names = dict.fromkeys(name for launch in opened.launches for name in launch.metrics)
        yield from map(metric_name_row, names)
    else:
        table = next(table for table in TABLES if table.name == name)
        yield table.columns
        for launch in opened.launches:
            for row in table.rows(launch, around):
                yield (launch.index, *row)


def _object(row: type[Model], cells: Row) -> dict[str, Any]:
    return dict(zip(row.model_fields, cells, strict=True))
