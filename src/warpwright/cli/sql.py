"""`warpwright ncu sql`: ask the tables of a report."""

from __future__ import annotations

from typing import Annotated

import typer

from warpwright.cli.limit import limit_option
from warpwright.errors import UsageError


def sql(
    report: Annotated[
        str | None, typer.Argument(metavar="REPORT", help="A report, or REPORT#L0.")
    ] = None,
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY", help='One SELECT, as "select * from launches".')
    ] = None,
    limit: Annotated[int, limit_option("Rows to print.")] = 100,
    timeout: Annotated[
        float, typer.Option(min=0.001, metavar="SECONDS", help="It may run so long.")
    ] = 10.0,
    schema: Annotated[bool, typer.Option("--schema", help="Print every table and column.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Ask a report in SQL (SQLite's, read-only); `--schema` prints the tables."""
    from warpwright.cli.output import emit
    from warpwright.operations.sql import query_report, tables
    from warpwright.render.query_result import query_text, tables_text

    if schema:
        emit(tables(), as_json, tables_text)
        return
    if report is None or query is None:
        raise UsageError(
            f"{'REPORT and QUERY are' if report is None else 'QUERY is'} missing",
            hint='warpwright ncu sql REPORT "select address, kernel, duration_ns from launches"; '
            "`--schema` prints the tables",
        )
    emit(query_report(report, query, limit, timeout), as_json, query_text)
