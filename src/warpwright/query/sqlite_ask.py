"""Ask SQLite one question that can only read, within bounds of time, rows and memory."""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager

from warpwright.query.table_rows import Cell, Row

_READS = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000,  # bytes of one value or row
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}
_STEPS = 10_000  # of SQLite's machine between two looks at the clock: well below a millisecond

FAULTS = (sqlite3.Error, sqlite3.Warning)  # Warning: two statements, before Python 3.12


class TooSlow(Exception):
    """The query was stopped when its time was over."""


def open_tables() -> sqlite3.Connection:
    """An empty database, in memory until it is large, then in a temporary file of its own."""
    connection = sqlite3.connect("", isolation_level=None)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    connection.execute("PRAGMA journal_mode=OFF")
    connection.execute("PRAGMA cache_size=-65536")  # KiB
    return connection


def tables_read(connection: sqlite3.Connection, query: str) -> set[str]:
    """The tables that a query would read. They must be there; they may be empty.

    The query is compiled, and not run. (What an authorizer is told leaves out tables of which
    only the columns of a USING are read.)

    Raises:
        sqlite3.Error: it cannot be understood, or would do more than read.
    """
    if query.lstrip()[:7].lower() == "explain":
        return set()
    with _guarded(connection, math.inf):
        steps = connection.execute(f"EXPLAIN {query}").fetchall()
    opened = {root for _, step, _, root, *_ in steps if step in ("OpenRead", "ReopenIdx")}
    known = connection.execute("SELECT rootpage, tbl_name FROM sqlite_master").fetchall()
    return {table for root, table in known if root in opened}


def ask(
    connection: sqlite3.Connection, query: str, limit: int, timeout_s: float
) -> tuple[tuple[str, ...], list[Row], bool]:
    """The names of the columns, at most `limit` rows, and whether there are more.

    Raises:
        sqlite3.Error: as `tables_read`, or a bound of memory was reached.
        TooSlow: it took longer than `timeout_s`.
    """
    with _guarded(connection, timeout_s):
        cursor = connection.execute(query)
        rows = cursor.fetchmany(limit + 1)
        columns = tuple(name for name, *_ in cursor.description or ())
        cursor.close()
    return columns, [tuple(map(_told, row)) for row in rows[:limit]], len(rows) > limit


def _told(cell: Cell | bytes) -> Cell:
    return cell.hex() if isinstance(cell, bytes) else cell


@contextmanager
def _guarded(connection: sqlite3.Connection, timeout_s: float) -> Iterator[None]:
    end = time.monotonic() + timeout_s

    def may(action: int, _: str | None, second: str | None, *__: str | None) -> int:
        loads = action == sqlite3.SQLITE_FUNCTION and second == "load_extension"
        return sqlite3.SQLITE_OK if action in _READS and not loads else sqlite3.SQLITE_DENY

    for category, most in _LIMITS.items():
        connection.setlimit(category, most)
    connection.set_authorizer(may)
    connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_INTERRUPT:
            raise
        if time.monotonic() <= end:
            raise KeyboardInterrupt from None  # the handler was interrupted, and sqlite tells so
        raise TooSlow from None
    finally:
        connection.set_authorizer(None)
        connection.set_progress_handler(None, 0)
