"""Real exports of ncu 2025.3.1: `ncu --import REPORT --csv --page PAGE`, recorded on an H200.

Pages of one report agree with each other, and, where it lies beside the checkout, with the report.
"""

from __future__ import annotations

import lzma
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpwright.errors import BadReport
from warpwright.model.annotations import NvtxRange
from warpwright.model.report import Launch, Report, SourceLine, Value
from warpwright.report.csv_reader import csv_as_text, looks_like_csv, read_csv_report
from warpwright.report.reader import read_report

EXPORTS = Path(__file__).parent / "csv"


def export(*names: str) -> Report:
    data = b"".join(lzma.decompress((EXPORTS / f"{name}.csv.xz").read_bytes()) for name in names)
    assert looks_like_csv(data)
    return read_csv_report(csv_as_text(data), "x.csv")


def agree(printed: Value | None, held: Value | None) -> bool:
    """Whether a value of two decimals, perhaps scaled by a thousand, may stand for another."""
    if printed is None or held is None:
        return printed is held or held == ""
    if isinstance(printed, str) or isinstance(held, str):
        return printed == held
    return math.isclose(printed, held, rel_tol=0.006, abs_tol=0.006)


def disagreements(printed: Launch, held: Launch) -> list[tuple[str, Value | None, Value | None]]:
    pairs = [
        (name, metric.value, held.metrics[name].value)
        for name, metric in printed.metrics.items()
        if name in held.metrics and not metric.instances
    ]
    assert len(pairs) > 60
    return [pair for pair in pairs if not agree(*pair[1:])]


@pytest.fixture
def recorded(shared_reports: Path) -> Launch:
    return read_report(shared_reports / "kda_before.h200.ncu-rep.xz").launches[0]


def test_labels_and_units_of_the_details_page_are_those_of_the_raw_page() -> None:
    details, raw = (export(f"kda_before.{page}").launches[0] for page in ("details", "raw_base"))
    assert details.metrics.keys() <= raw.metrics.keys()
    assert disagreements(details, raw) == []


def test_scaled_units_come_back_to_base_units() -> None:
    scaled, base = (export(f"kda_before.{page}").launches[0] for page in ("raw", "raw_base"))
    assert scaled.metrics.keys() == base.metrics.keys()
    assert disagreements(scaled, base) == []


@pytest.mark.parametrize("page", ["details", "raw", "raw_base"])
def test_values_are_those_of_the_report(page: str, recorded: Launch) -> None:
    (launch,) = export(f"kda_before.{page}").launches
    assert launch.metrics.keys() <= recorded.metrics.keys()
    assert disagreements(launch, recorded) == []
    for fact in ("kernel", "grid", "block", "compute_capability", "context", "stream", "process"):
        assert getattr(launch, fact) == getattr(recorded, fact)


def test_rules_are_those_of_the_report(recorded: Launch) -> None:
    (launch,) = export("kda_before.details").launches
    told = [rule for rule in recorded.annotations.rules if rule.message]
    assert len(launch.annotations.rules) == len(told)
    for rule in launch.annotations.rules:
        assert any(
            (rule.rule, rule.section, rule.kind) == (other.rule, other.section, other.kind)
            and (rule.speedup is None) == (other.speedup is None)
            and (
                not rule.speedup
                or not other.speedup
                or (
                    rule.speedup.scope == other.speedup.scope
                    and math.isclose(rule.speedup.pct, other.speedup.pct, rel_tol=0.006)
                )
            )
            for other in told
        )


@pytest.mark.parametrize("view", ["source_sass", "source_both"])
def test_every_instruction_has_the_numbers_of_the_report(view: str, recorded: Launch) -> None:
    (launch,) = export(f"kda_before.{view}").launches
    assert (launch.kernel, launch.demangled) == (recorded.kernel, recorded.demangled)
    assert launch.code.base == recorded.code.base
    compared = 0
    for name in launch.metrics.keys() & recorded.metrics.keys():
        printed, held = launch.per_pc(name), recorded.per_pc(name)
        if name.startswith("group:"):  # sums that ncu makes
            continue
        compared += 1
        for pc in printed.keys() | held.keys():
            assert agree(printed.get(pc, 0), held.get(pc, 0)), (name, pc)
    assert compared > 55
    if view == "source_both":
        assert launch.code.lines == recorded.code.lines


def test_all_pages_together_are_one_launch() -> None:
    pages = ("details", "raw", "source_both")
    report = export(*(f"kda_before.{page}" for page in pages))
    (launch,) = report.launches
    assert report.cautions == ()
    assert (report.device, report.sm_count) == ("NVIDIA H200", 132)
    executed = launch.metrics["inst_executed"]
    assert executed.value == sum(v for v in executed.instances.values() if isinstance(v, int))
    assert launch.annotations.rules
    assert launch.demangled == "void kda::kda_row_before<kda::Bench>(kda::Args)"


def test_an_inlined_instruction_is_under_every_line_that_it_comes_from() -> None:
    (launch,) = export("inlined.source_both").launches
    inner, outer = launch.code.chains[0x130][:2]
    assert (inner, outer) == (SourceLine("/src/pieces.h", 5), SourceLine("/src/cap.cu", 74))
    assert launch.code.lines[0x130] == inner
    assert launch.per_pc("inst_executed")[0x130] == 131072


def test_ranges_are_no_kernels() -> None:
    report = export("range.details", "range.raw")
    assert report.cautions == ()
    assert [launch.workload for launch in report.launches] == ["range", "range"]
    assert [launch.kernel for launch in report.launches] == ["range 0", "range 1"]
    for launch in report.launches:
        assert (launch.grid, launch.block, launch.stream) == ((0, 0, 0), (0, 0, 0), None)
        assert launch.number("launch__block_size") == 1024


def test_nvtx_ranges_are_read() -> None:
    launches = export("multi_nvtx.details").launches
    assert len(launches) == 12
    assert list(launches[0].annotations.nvtx) == [
        NvtxRange("step", "<default domain>", "push_pop", 496),
        NvtxRange("forward", "<default domain>", "push_pop", 496),
    ]
    assert list(launches[3].annotations.nvtx) == [
        NvtxRange("step", "<default domain>", "push_pop", 496),
        NvtxRange("inner", "library", "push_pop", 496),
        NvtxRange("overlapping", "<default domain>", "start_end", None),
    ]
    assert list(launches[8].annotations.nvtx) == []


DAMAGED = b"".join(
    lzma.decompress((EXPORTS / f"{name}.csv.xz").read_bytes())
    for name in ("range.details", "range.raw", "inlined.source_both")
)


@settings(max_examples=80, deadline=None)
@given(
    st.integers(0, len(DAMAGED)),
    st.integers(0, 4000),
    st.binary(max_size=9) | st.text('",\n0.x', max_size=9).map(str.encode),
)
def test_damage_anywhere_gives_a_report_or_says_what_is_wrong(
    at: int, gone: int, instead: bytes
) -> None:
    try:
        report = read_csv_report(csv_as_text(DAMAGED[:at] + instead + DAMAGED[at + gone :]), "x")
    except BadReport as error:
        assert error.hint
        return
    for launch in report.launches:
        for name in launch.metrics:
            launch.number(name)
            launch.per_pc(name)
