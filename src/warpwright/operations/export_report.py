"""The verb `export`: a report as a database, as one JSON document, or a table of it as CSV."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, TextIO

from warpwright.errors import BadInput, EnvironmentFault, UsageError
from warpwright.model.query_result import ExportNotice
from warpwright.operations.export_text import write_csv, write_json
from warpwright.operations.locate import locate_report
from warpwright.operations.opened import Opened
from warpwright.operations.sql import around, open_launches
from warpwright.operations.target import check_target
from warpwright.query.sqlite_fill import create_tables, fill_tables
from warpwright.query.tables import table_list

Format = Literal["sqlite", "json", "csv"]
_FAST = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536;"  # KiB


def export_report(
    address: str, format_: Format, target: Path, *, table: str | None = None, force: bool = False
) -> ExportNotice:
    """Write a report, or one launch of it, to a file: whole or not at all.

    Args:
        address: REPORT or REPORT#L0.
        format_: sqlite and json hold every table, csv one.
        target: the file to write.
        table: of csv: which table (default: metrics).
        force: replace a file that is there.

    Raises:
        BadInput: no such table, the file is there already, or it is the report itself; or the
            address names more than a launch.
        BadReport: the report cannot be read.
        EnvironmentFault: the file cannot be written.
    """
    named = _table(format_, table)
    opened = open_launches(address, "export")
    check_target(target, locate_report(Path(opened.place.report)), force)
    try:
        with _whole_file(target) as path:
            if format_ == "sqlite":
                rows = _write_sqlite(opened, path)
            else:
                with path.open("w", encoding="utf-8", newline="") as out:
                    rows = _write_text(opened, format_, named, out)
    except (OSError, sqlite3.Error) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise EnvironmentFault(
            f"{target} cannot be written: {said.lower()}",
            hint="is its folder one that you may write to, and is the disk full?",
        ) from None
    return ExportNotice(
        report=address,
        path=str(target),
        format=format_,
        rows=rows,
        cautions=opened.report.cautions,
    )


def stream_report(address: str, format_: Format, out: TextIO, *, table: str | None = None) -> None:
    """Write a report, or one launch of it, to an open text file, as `export_report` does.

    Raises:
        UsageError: a database cannot be streamed.
        BadInput, BadReport: as `export_report`.
    """
    if format_ == "sqlite":
        raise UsageError("a database cannot go to stdout", hint="name a file: -o report.db")
    named = _table(format_, table)
    _write_text(open_launches(address, "export"), format_, named, out)


def _table(format_: Format, table: str | None) -> str:
    if table is not None and format_ != "csv":
        raise UsageError(
            f"--table is of csv; {format_} holds every table", hint="leave --table out"
        )
    names = [note.name for note in table_list().tables]
    if table is not None and table not in names:
        raise BadInput(f"there is no table '{table}'", hint=f"the tables are {', '.join(names)}")
    return table or "metrics"


def _write_text(opened: Opened, format_: Format, table: str, out: TextIO) -> dict[str, int]:
    if format_ == "json":
        return write_json(opened, around(opened), out)
    return write_csv(opened, around(opened), table, out)


def _write_sqlite(opened: Opened, path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(_FAST)
        create_tables(connection)
        return fill_tables(connection, opened.report, opened.launches, around(opened))


@contextmanager
def _whole_file(target: Path) -> Iterator[Path]:
    """A new file beside `target`, which takes its place if all went well."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".tmp-")
    os.close(handle)
    path = Path(name)
    try:
        yield path
        path.chmod(0o644)
        path.replace(target)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
