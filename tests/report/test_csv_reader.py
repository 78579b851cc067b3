"""CSV exports read into the same model as reports."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.report.csv_pages import (
    NEW,
    OLD,
    Write,
    details_page,
    grouped,
    line,
    raw_page,
    source_page,
    who,
)
from tests.report.csv_sample import (
    BOTH,
    DURATION,
    LAUNCH,
    MEMORY,
    NAMES,
    NOISE,
    SOL,
    SOURCE,
)
from warpwright.errors import BadReport
from warpwright.model.report import Launch, Metric, Report, SourceLine, Value
from warpwright.report.csv_reader import read_csv_report


def only(text: str) -> tuple[Report, Launch]:
    report = read_csv_report(text, "x.csv")
    (launch,) = report.launches
    return report, launch


@pytest.mark.parametrize(
    "write",
    [grouped("", "."), grouped(",", "."), grouped(".", ","), grouped("\u202f", ",")],
    ids=["c", "english", "german", "french"],
)
def test_a_raw_page_in_every_locale(write: Write) -> None:
    report, launch = only(NOISE + raw_page([LAUNCH], NAMES, write=write))
    assert report.cautions == ()
    assert (launch.kernel, launch.demangled) == ("k", LAUNCH.demangled)
    assert (launch.grid, launch.block) == (LAUNCH.grid, LAUNCH.block)
    assert launch.compute_capability == (9, 0)
    assert (launch.process, launch.context, launch.stream) == (4711, 1, 7)
    assert launch.number(DURATION) == 6970
    assert launch.number("dram__bytes.sum") == 10240
    assert launch.metrics["smsp__inst_executed.sum"].value == 3310223
    assert launch.metrics["launch__func_cache_config"].value == "CachePreferNone"
    assert launch.metrics["sm__ctas_launched.sum"].value is None
    nan = launch.metrics["dram__throughput.avg.pct_of_peak_sustained_elapsed"].value
    assert isinstance(nan, float) and math.isnan(nan)


@pytest.mark.parametrize(
    ("columns", "units", "busy"),
    [
        (OLD, ("usecond", "Gbyte/second", "cycle/nsecond"), "active"),
        (NEW, ("us", "Gbyte/s", "Ghz"), "elapsed"),
    ],
)
def test_a_details_page_of_both_vintages(
    columns: tuple[str, ...], units: tuple[str, ...], busy: str
) -> None:
    rows = [
        (SOL, "Duration", units[0], 6.97),
        (SOL, "Memory Throughput", "%", 40.5),
        (SOL, "SM Frequency", units[2], 1.06),
        (MEMORY, "Memory Throughput", units[1], 3.5),
        ("Compute Workload Analysis", "SM Busy", "%", 12.5),
        ("My Section", "My Metric", "", 1),
        ("Your Section", "My Metric", "", 2),
        ("Launch Statistics", "Grid Size", "", 6144),
        *([("Launch Statistics", "# TPCs", "", 66)] if columns is NEW else []),
    ]
    _, launch = only(NOISE + details_page(LAUNCH, rows, columns))
    sol = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
    assert launch.number(DURATION) == 6970
    assert launch.number(sol) == 40.5
    assert launch.number("gpc__cycles_elapsed.avg.per_second") == 1.06e9
    assert launch.number("dram__bytes.sum.per_second") == 3.5e9
    name = f"sm__instruction_throughput.avg.pct_of_peak_sustained_{busy}"
    assert launch.number(name) == 12.5
    assert launch.number("My Metric") == 1
    assert launch.number("Your Section: My Metric") == 2
    sections = launch.annotations.sections
    assert [section.id for section in sections][:2] == ["SpeedOfLight", "MemoryWorkloadAnalysis"]
    assert [shown.label for shown in sections[0].header][:2] == ["Duration", "Memory Throughput"]


def test_a_page_without_shapes_gives_their_sizes_and_says_so() -> None:
    rows = [("Launch Statistics", "Grid Size", "", 6144), ("S", "Duration", "us", 1.5)]
    report, launch = only(details_page(LAUNCH, rows, OLD))
    assert (launch.grid, launch.block) == ((6144, 1, 1), (0, 0, 0))
    assert any("shapes" in caution for caution in report.cautions)


def test_rule_results() -> None:
    page = details_page(LAUNCH, [(SOL, "Duration", "us", 6.97)])
    who = page.splitlines()[1].split('"GPU Speed')[0]
    page += who + line(
        ["SpeedOfLight", "", "", "", "SOLBottleneck", "OPT", 'Say "it", twice', "global", "34.6"]
    )
    page += who + line(["Occupancy", "", "", "", "Occupancy", "WRN", "Old advice", "", ""])
    _, launch = only(page)
    first, second = launch.annotations.rules
    assert (first.rule, first.section, first.kind) == (
        "SOLBottleneck",
        "SpeedOfLight",
        "optimization",
    )
    assert first.message == 'Say "it", twice'
    assert first.speedup is not None
    assert (first.speedup.scope, first.speedup.pct) == ("global", 34.6)
    assert (second.kind, second.speedup) == ("warning", None)


def test_pages_of_one_launch_become_one_and_two_exports_two() -> None:
    pages = (
        details_page(LAUNCH, [(SOL, "Duration", "us", 6.97)])
        + raw_page([LAUNCH], NAMES)
        + source_page(LAUNCH, SOURCE)
    )
    report, launch = only(pages)
    assert report.cautions == ()
    assert {DURATION, "dram__bytes.sum", "inst_executed", "Source"} <= launch.metrics.keys()
    assert launch.code.base == 0x7F00
    assert launch.per_pc("inst_executed") == {0: 64, 16: 32}
    assert launch.per_pc("smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued") == {16: 5}
    assert launch.metrics["Source"].instances == {0x7F00: "NOP", 0x7F10: "NOP"}
    assert len(read_csv_report(pages + "done\n" + pages, "x").launches) == 2


def test_source_lines_come_with_their_instructions() -> None:
    report, launch = only(BOTH)
    assert launch.per_pc("inst_executed") == {0: 64, 16: 32}
    assert launch.code.lines == {n: SourceLine("dir/k.cu", 2) for n in (0, 16)}
    assert launch.metrics["Source"].instances[0x7F10] == "STG R1"
    assert report.sources == {"dir/k.cu": "\n  y = f(x);\n\n}"}


def test_a_page_of_source_lines_alone_is_read_with_a_caution() -> None:
    page = (
        line(["File Path", "k.cu"])
        + line(["Function Name", "k"])
        + line(["Line No", "Source", "Instructions Executed"])
        + line(["2", "y = f(x);", "96"])
    )
    report, launch = only(page)
    assert launch.per_pc("inst_executed") == {0: 96}
    assert launch.code.lines == {0: SourceLine("k.cu", 2)}
    assert any("source lines only" in caution for caution in report.cautions)


def test_a_label_that_changed_its_meaning_stays_a_label_where_the_vintage_is_unknown() -> None:
    rows = [("Compute Workload Analysis", "SM Busy", "%", 12.5)]
    _, launch = only(details_page(LAUNCH, rows))
    assert set(launch.metrics) == {"SM Busy"}


def test_rows_below_a_section_s_header_are_kept_apart() -> None:
    columns = [
        *NEW,
        "Section Name",
        "Body Item Label",
        "Metric Name",
        "Metric Unit",
        "Metric Value",
    ]
    page = line(columns)
    for below, name in (("", "Cluster Size"), ("Impact", "Cluster Size"), ("Chart", "a__b.sum")):
        page += line([*who(LAUNCH, NEW), "Launch Statistics", below, name, "", "4"])
    _, launch = only(page)
    assert set(launch.metrics) == {"launch__cluster_size", "Impact: Cluster Size", "a__b.sum"}
    (section,) = launch.annotations.sections
    assert [shown.name for shown in section.header] == ["launch__cluster_size"]


@pytest.mark.parametrize(
    ("cell", "value", "instances", "has_ids"),
    [
        ("1,274.5 (75; 62.25)", 1274500, {0: 75000, 1: 62250}, False),
        ("8 (FADD: 1; FMUL: 7)", 8000, {"FADD": 1000, "FMUL": 7000}, True),
        ("8 (32: 1; 64: 7)", 8000, {32: 1000, 64: 7000}, True),
        ("CachePreferNone (default)", "CachePreferNone (default)", {}, True),
    ],
)
def test_printed_instances(
    cell: str, value: Value, instances: dict[Value, Value], has_ids: bool
) -> None:
    page = line([*NEW, "a__b.sum"]) + line([*[""] * len(NEW), "Kbyte"])
    page += line([*who(LAUNCH, NEW), cell])
    _, launch = only(page)
    assert launch.metrics["a__b.sum"] == Metric("a__b.sum", value, instances, has_ids)


def test_source_text_with_bare_quotes_and_without_numbers() -> None:
    sass = source_page(LAUNCH, SOURCE)
    text = (
        '"File Name","k.cu"\n"Line No","Source"\n'
        '"1","#include "k.h""\n"2","char c = \'"\';"\n"3","f("a","b");"\n'
    )
    report, _ = only(sass + text)
    assert report.cautions == ()
    assert report.sources == {"k.cu": '#include "k.h"\nchar c = \'"\';\nf("a","b");'}
    with pytest.raises(BadReport, match="no row of numbers"):
        read_csv_report(text, "x")


def test_a_listing_without_numbers_is_code_and_no_launch() -> None:
    listing = source_page(LAUNCH, ())
    report = read_csv_report(raw_page([LAUNCH], NAMES) + listing + listing, "x")
    (launch,) = report.launches
    assert launch.metrics["Source"].instances == {0x7F00: "NOP", 0x7F10: "NOP"}
    assert len(read_csv_report(listing + listing, "x").launches) == 1


def test_kernels_within_a_range_are_left_out_with_a_caution() -> None:
    ranges = replace(LAUNCH, demangled="range")
    report, launch = only(raw_page([ranges], NAMES) + source_page(LAUNCH, SOURCE))
    assert launch.workload == "range"
    assert any("source page of 1 kernels" in caution for caution in report.cautions)


def test_words_of_memory_accesses_become_the_report_s_numbers() -> None:
    page = line(["Kernel Name", "k"]) + line(["Address", "Source", "Address Space"])
    page += line(["0x10", "LDGSTS", "Global,Shared"]) + line(["0x20", "TEX", "Texture"])
    page += line(["0x30", "EXIT", "-"])
    _, launch = only(page)
    assert launch.metrics["memory_type"].instances == {0x10: 20, 0x20: "Texture"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no table"),
        ("hello\n", "no table"),
        ("==ERROR== ERR_NVGPUCTRPERM - no permission\n", "ERR_NVGPUCTRPERM"),
        (
            '"Process ID","Kernel Name","Invocations","Metric Name"\n',
            "summary over launches (line 1",
        ),
        (NOISE + raw_page([], NAMES), "no row of numbers follows the header on line 3"),
    ],
)
def test_what_holds_no_launch_is_told_precisely(text: str, said: str) -> None:
    with pytest.raises(BadReport) as error:
        read_csv_report(text, "x.csv")
    assert said in str(error.value)
    assert error.value.hint


def test_damage_and_warnings_become_cautions() -> None:
    text = "==WARNING== clocks\n" + raw_page([LAUNCH], NAMES)
    report = read_csv_report(text + text.splitlines()[-1][:-9], "x")
    assert "clocks" in report.cautions
    assert any("the first on line 5" in caution for caution in report.cautions)
