"""A query can only read, within its bounds."""

import time
from contextlib import closing

import pytest

from warpwright.query.sqlite_ask import FAULTS, TooSlow, ask, open_tables, tables_read
from warpwright.query.sqlite_fill import create_tables

ENDLESS = "with recursive t(x) as (select 1 union all select x + 1 from t) select count(*) from t"


@pytest.fixture
def tables():
    with closing(open_tables()) as connection:
        create_tables(connection)
        connection.execute("insert into report values('r', null, 'GPU', '9.0', 132, 1)")
        yield connection


@pytest.mark.parametrize(
    "query",
    [
        "insert into report values('x', null, null, null, null, 0)",
        "update report set path = 'x'",
        "delete from report",
        "replace into report values('x', null, null, null, null, 0)",
        "with x as (select 1) delete from report",
        "create table x(a)",
        "create temp table x(a)",
        "create view x as select 1",
        "create trigger x after insert on report begin select 1; end",
        "drop table report",
        "alter table report rename to x",
        "attach 'x.db' as x",
        "detach main",
        "pragma query_only",
        "pragma writable_schema = 1",
        "select * from pragma_table_info('report')",
        "begin",
        "savepoint x",
        "vacuum",
        "vacuum into 'x.db'",
        "analyze",
        "reindex",
        "select load_extension('x')",
    ],
)
def test_nothing_but_reading_is_let_through(tables, query, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FAULTS) as caught:
        ask(tables, query, 10, 5.0)
    assert "authoriz" in str(caught.value)
    assert not list(tmp_path.iterdir())
    assert ask(tables, "select * from report", 10, 5.0)[1] == [("r", None, "GPU", "9.0", 132, 1)]


def test_two_statements_are_refused(tables):
    with pytest.raises(FAULTS):
        ask(tables, "select 1; delete from report", 10, 5.0)


@pytest.mark.parametrize(
    "query",
    ["select zeroblob(100000000)", "select hex(zeroblob(900000))", f"select {'(' * 500}1"],
)
def test_a_bound_of_memory_holds(tables, query):
    with pytest.raises(FAULTS):
        ask(tables, query, 10, 5.0)


def test_an_endless_query_is_stopped(tables):
    assert tables_read(tables, ENDLESS) == set()
    start = time.monotonic()
    with pytest.raises(TooSlow):
        ask(tables, ENDLESS, 10, 0.2)
    assert time.monotonic() - start < 2
    assert ask(tables, "select 1", 1, 5.0)[1] == [(1,)]


def test_rows_beyond_the_limit_are_told(tables):
    columns, rows, more = ask(tables, "select 1 as a union all select 2", 1, 5.0)
    assert (columns, rows, more) == (("a",), [(1,)], True)
    assert ask(tables, "select 1 union all select 2", 2, 5.0)[2] is False


def test_values_keep_their_types(tables):
    rows = ask(tables, "select 1, 1.0, '1', null, x'00ff', cast(x'ff' as text)", 1, 5.0)[1]
    assert [type(cell) for cell in rows[0]] == [int, float, str, type(None), str, str]
    assert rows[0][4] == "00ff"


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("select count(*) from launches", {"launches"}),
        ("select kernel from launches join rules using(launch)", {"launches", "rules"}),
        ("with a as (select launch from nvtx) select * from a", {"nvtx"}),
        (
            "select (select count(*) from lines where launch = l.launch) from launches l",
            {"lines", "launches"},
        ),
        ("select metric from metric_names where metric = 'x'", {"metric_names"}),
        ("select value from metrics", {"metric_values", "metric_names"}),
        ("select 1 from instances where metric = 'x'", {"instance_values", "metric_names"}),
        ("select 1", set()),
    ],
)
def test_the_tables_that_a_query_reads_are_known_before(tables, query, read):
    assert tables_read(tables, query) == read
