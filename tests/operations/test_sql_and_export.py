"""`ncu sql` and `ncu export` over a recorded report, by the command line and below it."""

import csv
import json
import runpy
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from warpwright.cli.app import run
from warpwright.errors import BadInput, UsageError
from warpwright.model.report_tables import ReportExport
from warpwright.operations.export_report import export_report
from warpwright.operations.locate import locate_report
from warpwright.operations.opened import open_report
from warpwright.operations.sql import query_report
from warpwright.query import sqlite_fill

BEFORE = Path("examples/kda/runs/h200/before.ncu-rep")


@pytest.fixture(scope="module")
def before(pytestconfig) -> str:
    return str(pytestconfig.rootpath / BEFORE)


@pytest.fixture(scope="module")
def launch(before):
    return open_report(before).launch


@pytest.fixture(scope="module")
def database(before, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("export") / "report.db"
    export_report(before, "sqlite", path)
    return path


@pytest.fixture
def asked(database):
    with closing(sqlite3.connect(database)) as connection:
        yield lambda query: connection.execute(query).fetchall()


def test_every_metric_is_there_with_its_value_and_type(asked, launch):
    rows = {
        name: (value, state)
        for name, value, state in asked("select metric, value, state from metrics")
    }
    assert rows.keys() == launch.metrics.keys()
    for name, metric in launch.metrics.items():
        value, state = rows[name]
        if metric.value is None:
            assert (value, state) == (None, "absent"), name
        else:
            assert (type(value), value, state) == (type(metric.value), metric.value, "ok"), name


def test_every_instance_is_there(asked, launch):
    expected = [
        (name, place, key if metric.has_ids else None, value)
        for name, metric in launch.metrics.items()
        for place, (key, value) in enumerate(metric.instances.items())
    ]
    found = asked("select metric, position, id, value from instances")
    assert len(expected) > 10_000 and sorted(found, key=str) == sorted(expected, key=str)


def test_the_tables_agree_with_each_other(asked):
    by_line = asked("select sum(samples) from lines")
    assert by_line == asked("select sum(samples) from instructions where line is not null")
    assert asked("select sum(samples) from stalls") == asked(
        "select sum(samples) from instructions"
    )
    executed = asked("select sum(value) from instances where metric = 'inst_executed'")
    assert executed == asked("select sum(inst_executed) from instructions")
    (duration,) = asked("select duration_ns from launches")[0]
    assert asked("select value, unit from metrics where metric = 'gpu__time_duration.sum'") == [
        (duration, "ns")
    ]


def test_columns_explain_themselves_in_the_file(asked):
    (made,) = asked("select sql from sqlite_master where name = 'launches'")[0]
    assert "-- Time on the GPU; NULL where it was not measured. [ns]" in made


def test_only_what_a_query_reads_is_filled(before, monkeypatch):
    filled = []
    insert = sqlite_fill._insert
    monkeypatch.setattr(
        sqlite_fill,
        "_insert",
        lambda connection, into, rows: filled.append(into) or insert(connection, into, rows),
    )
    result = query_report(before, "select kernel, value from launches join metrics using(launch)")
    assert result.truncated and len(result.rows) == 100
    assert filled == ["report", "launches", "metric_values", "metric_names"]


def test_a_names_meaning_can_be_asked_alone(before):
    query = "select unit, meaning from metric_names where metric = 'gpu__time_duration.sum'"
    ((unit, meaning),) = query_report(before, query).rows
    assert unit == "ns" and meaning


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select durations_ns from launches", "duration_ns (of launches)"),
        ("select * from launch", "launches, metrics"),
        ("drop table launches", "SELECT"),
        ("", "the tables are"),
        ("-- nothing", "the tables are"),
        ("selec", "the tables are"),
        ("select 'not\nended", "the tables are"),
        ("select 1; select 2", "the tables are"),
    ],
)
def test_a_bad_query_says_what_would_do(before, query, said):
    with pytest.raises(BadInput) as caught:
        query_report(before, query)
    assert "\n" not in str(caught.value) and said in (caught.value.hint or "")


def test_json_is_the_documented_document(before, tmp_path, launch):
    path = tmp_path / "report.json"
    notice = export_report(before, "json", path)
    document = ReportExport.model_validate_json(path.read_text())
    (one,) = document.launches
    assert {m.metric: m.value for m in one.metrics} == {
        name: metric.value for name, metric in launch.metrics.items()
    }
    assert notice.rows["instances"] == len(one.instances)
    assert {m.metric for m in document.metric_names} == launch.metrics.keys()


def test_json_and_the_database_hold_the_same(before, tmp_path, database, asked):
    path = tmp_path / "report.json"
    notice = export_report(before, "json", path)
    assert notice.rows == {
        name: asked(f"select count(*) from {name}")[0][0] for name in notice.rows
    }


@pytest.mark.parametrize("table", ["metrics", "launches", "lines", "metric_names", "report"])
def test_csv_holds_one_table(before, tmp_path, table, asked):
    path = tmp_path / "report.csv"
    notice = export_report(before, "csv", path, table=table)
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)
    assert (len(rows), notice.rows) == (
        asked(f"select count(*) from {table}")[0][0],
        {table: len(rows)},
    )
    columns = ", ".join(head)
    expected = [
        tuple("" if c is None else str(c) for c in row)
        for row in asked(f"select {columns} from {table}")
    ]
    assert Counter(map(tuple, rows)) == Counter(expected)


def test_nothing_is_overwritten_unasked_nor_left_half_written(before, tmp_path):
    path = tmp_path / "report.csv"
    path.write_text("mine")
    with pytest.raises(BadInput, match="is there already"):
        export_report(before, "csv", path)
    assert path.read_text() == "mine"
    export_report(before, "csv", path, force=True)
    assert path.read_text().startswith("launch,metric,value,unit,state\n")
    with pytest.raises(BadInput, match="is a folder"):
        export_report(before, "json", tmp_path, force=True)
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_export_leaves_nothing(before, tmp_path, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(sqlite_fill, "_insert", stopped)
    with pytest.raises(KeyboardInterrupt):
        export_report(before, "sqlite", tmp_path / "report.db")
    assert not list(tmp_path.iterdir())


def test_the_report_itself_is_never_written_over(before, tmp_path):
    copy = tmp_path / "copy.ncu-rep"
    copy.write_bytes(locate_report(Path(before)).read_bytes())
    size = copy.stat().st_size
    with pytest.raises(BadInput, match="the report itself"):
        export_report(str(copy), "csv", copy, force=True)
    assert copy.stat().st_size == size


@pytest.mark.parametrize(("format_", "table"), [("json", "lines"), ("csv", "nothing")])
def test_a_table_is_of_csv_and_known(before, tmp_path, format_, table):
    with pytest.raises(BadInput) as caught:
        export_report(before, format_, tmp_path / "x", table=table)
    assert isinstance(caught.value, UsageError) == (format_ == "json")


def test_the_command_line(before, tmp_path, capsys):
    assert run(["ncu", "sql", "--schema", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "warpwright.tables/1"
    assert run(["ncu", "sql", f"{before}#L0", "select count(*) n from launches", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["rows"]) == ("warpwright.query/1", [[1]])
    assert run(["ncu", "sql", f"{before}#L7", "select 1"]) == 2
    assert run(["ncu", "sql", f"{before}#L0/metric/x", "select 1"]) == 2
    assert run(["ncu", "sql", before]) == 2
    assert run(["ncu", "export", before, "--format", "sqlite", "-o", "-"]) == 2
    capsys.readouterr()
    stdout = ["ncu", "export", before, "--format", "csv", "--table", "launches", "-o", "-"]
    assert run(stdout) == 0
    assert capsys.readouterr().out.startswith("launch,address,kernel,")
    target = tmp_path / "a" / "report.json"
    assert run(["ncu", "export", before, "--format", "json", "-o", str(target), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"]["launches"] == 1
    assert json.loads(target.read_text())["schema"] == "warpwright.report-export/1"


def test_a_large_report_repeats_real_launches(before, root, tmp_path, launch):
    write_large = runpy.run_path(str(root / "benchmarks" / "large_report.py"))["write_large"]
    small, large = locate_report(Path(before)), tmp_path / "large.ncu-rep"
    write_large(small, large, launches=3, size_bytes=0)
    query = "select launch, address, sum(value) over () from launches join metrics using(launch) "
    query += "where metric = 'gpu__time_duration.sum'"
    rows = query_report(str(large), query).rows
    total = 3 * launch.number("gpu__time_duration.sum")
    assert rows == tuple((i, f"{large}#L{i}", total) for i in range(3))
    (only,) = query_report(f"{large}#L1", "select launch from launches").rows
    assert only == (1,)
