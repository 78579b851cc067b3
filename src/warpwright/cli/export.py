"""`warpwright ncu export`: a report as a database, JSON or CSV."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """What to write."""

    sqlite = "sqlite"
    json = "json"
    csv = "csv"


def export(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="A report, or REPORT#L0.")],
    format_: Annotated[
        Format, typer.Option("--format", help="sqlite and json hold every table, csv one.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="PATH", help="`-`: stdout (json and csv).")
    ],
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of csv: which table; left out: metrics.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Say what was written in one JSON document.")
    ] = False,
) -> None:
    """Write a report as SQLite, JSON or CSV; `ncu sql --schema` prints the tables."""
    from warpwright.cli.output import emit
    from warpwright.operations.export_report import export_report, stream_report
    from warpwright.render.query_result import export_text

    if output == Path("-"):
        stream_report(report, format_.value, sys.stdout, table=table)
        return
    if sys.stderr.isatty():
        sys.stderr.write(f"exporting {report} ...\n")
    notice = export_report(report, format_.value, output, table=table, force=force)
    emit(notice, as_json, export_text)
