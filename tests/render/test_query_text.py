"""A query's answer as text: 80 columns, nothing lost unsaid."""

from warpwright.model.query_result import QueryResult
from warpwright.query.tables import table_list
from warpwright.render.query_result import query_text, tables_text


def _result(columns: tuple[str, ...], *rows: tuple, truncated: bool = False) -> QueryResult:
    return QueryResult(
        report="r", query="q", columns=columns, rows=rows, truncated=truncated, cautions=()
    )


def test_numbers_end_flush_and_null_is_no_zero():
    text = query_text(_result(("name", "n"), ("a", 7), ("b", None), ("c", 12345678.0)))
    assert text.splitlines()[:4] == [
        "name         n",
        "a            7",
        "b            -",
        "c     12345678",
    ]
    assert "3 rows" in text


def test_a_long_text_is_cut_and_that_is_said():
    text = query_text(_result(("kernel", "ns"), ("k" * 200, 1.5), truncated=True))
    assert max(map(len, text.splitlines())) <= 80
    assert "--json has them whole" in text and "--limit" in text


def test_many_columns_become_blocks_with_whole_texts():
    columns = tuple(f"column_{i}" for i in range(12))
    message = "word " * 60
    text = query_text(_result(columns, (*range(11), message), (*range(11), "short")))
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("word") == 60
    assert "column_11  short" in text


def test_the_list_of_tables_fits_and_names_every_column():
    text = tables_text(table_list())
    assert max(map(len, text.splitlines())) <= 80
    for table in table_list().tables:
        assert f"\n{table.name}: " in f"\n{text}"
        assert all(column.meaning for column in table.columns)
        assert all(f"  {column.name} " in text for column in table.columns)
