"""The verb `sql`: ask the tables of a report."""

from __future__ import annotations

import difflib
import math
import re
import sqlite3
from contextlib import closing
from functools import lru_cache, partial

from warpwright.errors import BadInput, EnvironmentFault, UsageError
from warpwright.model.address import Address
from warpwright.model.query_result import QueryResult, TableList
from warpwright.operations.disassembly import disassembled, launch_code
from warpwright.operations.opened import Opened, open_report
from warpwright.query.sqlite_ask import FAULTS, TooSlow, ask, open_tables, tables_read
from warpwright.query.sqlite_fill import create_tables, fill_tables
from warpwright.query.table_rows import Around
from warpwright.query.tables import table_list

_MISSING = re.compile(r"no such (table|column): (?:.*\.)?(.+)")
_SHOW_TABLES = "`warpwright ncu sql --schema` prints every column"


def tables() -> TableList:
    """Every table that can be asked, with its columns."""
    return table_list()


def query_report(
    address: str, query: str, limit: int = 100, timeout_s: float = 10.0
) -> QueryResult:
    """Ask a report, or one launch of it, in SQL. Only the tables that the query reads are filled.

    Args:
        address: REPORT or REPORT#L0.
        query: one SELECT; `table_list` says of what.
        limit: the most rows to return.
        timeout_s: how long the query may run; filling the tables does not count.

    Raises:
        BadInput: the query cannot be understood, would do more than read, or takes too long;
            or the address names more than a launch.
        BadReport: the report cannot be read.
        EnvironmentFault: there is no room for the tables.
    """
    if not math.isfinite(timeout_s):
        raise UsageError(f"--timeout {timeout_s} is no time", hint="give seconds: --timeout 60")
    opened = open_launches(address, "sql")
    with closing(open_tables()) as connection:
        create_tables(connection)
        try:
            needed = tables_read(connection, query)
            _fill(connection, opened, needed)
            columns, rows, more = ask(connection, query, limit, timeout_s)
        except TooSlow:
            raise BadInput(
                f"the query did not end within {timeout_s:g} s",
                hint="narrow it with WHERE, or give it longer: --timeout SECONDS",
            ) from None
        except FAULTS as error:
            raise _bad_query(error) from None
    return QueryResult(
        report=address,
        query=query,
        columns=columns,
        rows=tuple(rows),
        truncated=more,
        cautions=opened.report.cautions,
    )


def open_launches(address: str, verb: str) -> Opened:
    """Open a report or a launch of it.

    Raises:
        BadInput: the address names more than a launch.
        BadReport: the report cannot be read.
    """
    opened = open_report(address)
    place = opened.place
    if place.kind is not None:
        raise BadInput(
            f"'{address}' names a {place.kind}; {verb} takes a report or a launch",
            hint=f"give {Address(place.report, place.launch)}",
        )
    return opened


def around(opened: Opened) -> Around:
    """What the tables tell beside the launches. The same function is disassembled once."""
    return Around(opened.report.path, partial(launch_code, read=lru_cache(16)(disassembled)))


def _fill(connection: sqlite3.Connection, opened: Opened, tables: set[str]) -> None:
    try:
        fill_tables(connection, opened.report, opened.launches, around(opened), tables)
    except sqlite3.Error as error:
        raise EnvironmentFault(
            f"the report's tables cannot be held: {error}",
            hint="free some room, or set SQLITE_TMPDIR to a folder that has it",
        ) from None


def _bad_query(error: Exception) -> BadInput:
    said = " ".join(str(error).split())
    known = table_list().tables
    missing = _MISSING.search(said)
    if missing is None and "authoriz" in said:
        return BadInput(
            f"the query would do more than read: {said}",
            hint="one SELECT (or WITH ... SELECT) over the report's tables is what may be asked",
        )
    if missing and missing[1] == "column":
        places: dict[str, list[str]] = {}
        for table in known:
            for column in table.columns:
                places.setdefault(column.name, []).append(table.name)
        near = difflib.get_close_matches(missing[2].lower(), places, n=3, cutoff=0.5)
        meant = [f"{name} (of {', '.join(places[name])})" for name in near]
        return BadInput(
            f"the query: {said}",
            hint=(f"perhaps {', '.join(meant)}; " if meant else "") + _SHOW_TABLES,
        )
    names = ", ".join(table.name for table in known)
    return BadInput(f"the query: {said}", hint=f"the tables are {names}; {_SHOW_TABLES}")
