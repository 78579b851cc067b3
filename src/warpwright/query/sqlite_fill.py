"""Put the tables of a report into SQLite, launch by launch.

`metrics` and `instances` are views: their tables (`metric_values`, `instance_values`) hold a
number for each metric's name, which makes them small and quick to fill.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from warpwright.model.query_result import TableNote
from warpwright.model.report import Launch, Report
from warpwright.query.table_rows import (
    Around,
    Row,
    metric_name_row,
    report_row,
    value_rows,
)
from warpwright.query.tables import TABLES, table_list

_VALUES = {"metrics": "metric_values", "instances": "instance_values"}
_TABLES = """
CREATE TABLE metric_names(
  metric TEXT UNIQUE, unit TEXT, label TEXT, meaning TEXT, metric_id INTEGER PRIMARY KEY
);
CREATE TABLE metric_values(launch INTEGER, metric_id INTEGER, value, state TEXT);
CREATE TABLE instance_values(
  launch INTEGER, metric_id INTEGER, position INTEGER, id, value,
  PRIMARY KEY(launch, metric_id, position)
) WITHOUT ROWID;
CREATE VIEW metrics AS SELECT launch, metric, value, unit, coalesce(state, 'ok') AS state
  FROM metric_values JOIN metric_names USING(metric_id);
CREATE VIEW instances AS SELECT launch, metric, position, id, value
  FROM instance_values JOIN metric_names USING(metric_id);
"""
_AT_ONCE = 100  # rows that one statement inserts: twice as fast as one at a time


def create_tables(connection: sqlite3.Connection) -> None:
    """Make all tables and views, empty."""
    connection.executescript(_TABLES)
    for note in table_list().tables:
        if note.name not in (*_VALUES, "metric_names"):
            connection.execute(f"CREATE TABLE {note.name}(\n{_definitions(note)})")


def _definitions(note: TableNote) -> str:
    """A line for each column, with its meaning as a comment, which SQLite keeps."""
    lines = []
    for number, column in enumerate(note.columns, 1):
        kind = "" if column.type == "ANY" else f" {column.type}"
        comma = "," if number < len(note.columns) else ""
        unit = f" [{column.unit}]" if column.unit else ""
        lines.append(f"  {column.name}{kind}{comma} -- {column.meaning}{unit}\n")
    return "".join(lines)


def fill_tables(
    connection: sqlite3.Connection,
    report: Report,
    launches: Iterable[Launch],
    around: Around,
    tables: Collection[str] | None = None,
) -> dict[str, int]:
    """Fill tables that `create_tables` made, in one transaction, and index them.

    Args:
        connection: where.
        report: whose tables.
        launches: those of its launches that are wanted; each is let go before the next.
        around: what the rows tell beside the launches.
        tables: the names of those to fill, as `tables_read` gives them; default: all.

    Returns:
        How many rows each table got.
    """
    wanted = [t for t in TABLES if tables is None or _VALUES.get(t.name, t.name) in tables]
    named = tables is None or not {"metric_names", *_VALUES.values()}.isdisjoint(tables)
    ids: dict[str, int] = {}
    counts = dict.fromkeys((table.name for table in wanted), 0)
    connection.execute("BEGIN")
    _insert(connection, "report", [report_row(report)])
    for launch in launches if wanted or named else ():
        values = value_rows(launch, ids) if named else {}
        for table in wanted:
            rows = values.get(table.name)
            if rows is None:
                rows = [(launch.index, *row) for row in table.rows(launch, around)]
            _insert(connection, _VALUES.get(table.name, table.name), rows)
            counts[table.name] += len(rows)
    names = [(*metric_name_row(name), number) for name, number in ids.items()]
    _insert(connection, "metric_names", names)
    connection.execute("CREATE INDEX metric_values_by_metric ON metric_values(metric_id, launch)")
    for table in wanted:
        if table.name not in _VALUES:
            connection.execute(f"CREATE INDEX {table.name}_by_launch ON {table.name}(launch)")
    connection.execute("COMMIT")
    return counts | ({"metric_names": len(names)} if named else {}) | {"report": 1}


def _insert(connection: sqlite3.Connection, into: str, rows: Sequence[Row]) -> None:
    if not rows:
        return
    one = f"({', '.join('?' * len(rows[0]))})"
    many = f"INSERT INTO {into} VALUES{', '.join([one] * _AT_ONCE)}"
    whole = len(rows) - len(rows) % _AT_ONCE
    for start in range(0, whole, _AT_ONCE):
        connection.execute(many, tuple(chain.from_iterable(rows[start : start + _AT_ONCE])))
    connection.executemany(f"INSERT INTO {into} VALUES{one}", rows[whole:])
