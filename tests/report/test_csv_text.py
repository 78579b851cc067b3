"""Tables among everything else that a terminal shows."""

from __future__ import annotations

import pytest

from warpwright.report.csv_lines import csv_as_text, looks_like_csv
from warpwright.report.csv_text import tables

DETAILS = (
    '"ID","Process ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"'
)
SUMMARY = '"Process ID","Kernel Name","Invocations","Section Name","Metric Name","Average"'
RAW = '"ID","Process ID","Kernel Name","gpu__time_duration.sum"'
UNITS = '"","","","us"'
SASS = '"Address","Source","# Samples"'
BOTH = '"Line No","Source","Address","Source","# Samples"'


def test_rows_are_found_among_noise() -> None:
    text = "\n".join(
        [
            '==PROF== Connected to process 4711 (app, "quoted")',
            "step,loss\n0,1.25\n1,0.75",
            DETAILS,
            '"0","4711","k(int, float)","S","Duration","us","6.97"',
            '==WARNING== "0","4711" is not a row',
            'progress: 50%, "almost", done',
            '"0","4711","k(int, float)","S","Elapsed Cycles","cycle","1,234"',
            "Available Kernels:\n1. a<int, float>\n2. b, c",
            "==PROF== Disconnected from process 4711",
        ]
    )
    (table,) = tables(text)
    assert table.page == "details"
    assert [table.cell(row, "Metric Value") for row in table.rows] == ["6.97", "1,234"]
    assert [row.line for row in table.rows] == [6, 9]
    assert table.cut == []


def test_several_tables_of_several_pages() -> None:
    text = "\r\n".join(
        [
            DETAILS,
            '"0","1","k","S","Duration","us","6.97"',
            RAW,
            UNITS,
            '"0","1","k","6.97"',
            '"Kernel Name","k"',
            SASS,
            '"0x10","EXIT","3"',
        ]
    )
    found = tables("\ufeff" + text)
    assert [table.page for table in found] == ["details", "raw", "source"]
    assert found[1].units == ["", "", "", "us"]
    assert found[2].titles == {"Kernel Name": "k"}
    assert [len(table.rows) for table in found] == [1, 1, 1]


def test_a_rule_that_spans_lines_is_one_row_and_an_open_quote_swallows_nothing() -> None:
    rule = '"Rule Name","Rule Type","Rule Description"'
    text = "\n".join(
        [
            f"{DETAILS},{rule}",
            '"0","1","k","S","","","","R","OPT","first ""line"",',
            'second line"',
            '"0","1","k","S","","","","R","OPT","never closed',
            '"0","1","k","S","Duration","us","6.97"',
        ]
    )
    (table,) = tables(text)
    assert table.cell(table.rows[0], "Rule Description") == 'first "line",\nsecond line'
    assert table.cell(table.rows[1], "Metric Value") == "6.97"
    assert table.cut == [4]


@pytest.mark.parametrize(
    "cut", ['"0","1","k","6.9', '"0","1","k"', '"0","1', '"0","1","k","6.97","8"']
)
def test_a_row_that_was_cut_or_damaged_is_told(cut: str) -> None:
    (table,) = tables(f'{RAW}\n{UNITS}\n"0","1","k","1.5"\n{cut}')
    assert len(table.rows) == 1
    assert table.cut == [4]


def test_trailing_commas_and_other_delimiters() -> None:
    (comma,) = tables(f'{SASS},\n"0x10","EXIT","3",')
    assert comma.rows[0].cells == ["0x10", "EXIT", "3"]
    (semicolon,) = tables("ID;Process ID;Kernel Name;a__b.sum\n;;;byte\n0;1;k(int, int);3,5")
    assert semicolon.cell(semicolon.rows[0], "a__b.sum") == "3,5"
    (tab,) = tables("ID\tProcess ID\tKernel Name\ta__b.sum\n\t\t\tbyte\n0\t1\tk\t3")
    assert tab.cell(tab.rows[0], "a__b.sum") == "3"


@pytest.mark.parametrize("header", [DETAILS, RAW, SASS, BOTH, f"  {RAW}", f"// {DETAILS}"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_an_export_is_recognized_in_every_encoding(header: str, encoding: str) -> None:
    text = f"==PROF== Connected\nnaïve 1\u00a0234\n{header}\n"
    data = text.encode(encoding)
    assert looks_like_csv(data)
    assert csv_as_text(data) == text


@pytest.mark.parametrize("line", [SUMMARY, "==ERROR== ERR_NVGPUCTRPERM", "==PROF== Connected"])
def test_a_log_without_a_table_goes_to_the_reader_that_says_what_it_is(line: str) -> None:
    assert looks_like_csv(line.encode())


@pytest.mark.parametrize(
    "data",
    [b"", b"NVR\0\x0c", b"a,b\n1,2\n", b"ID,Name\n0,x\n", b"the ID, say", b"a ==PROF== b"],
)
def test_other_bytes_are_no_export(data: bytes) -> None:
    assert not looks_like_csv(data)
