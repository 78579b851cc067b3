"""Read CSV exports of Nsight Compute (`ncu --csv`, any page, several in one text) as a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from warpwright.errors import BadReport
from warpwright.model.report import Report
from warpwright.model.session_facts import Process, Session
from warpwright.report.csv_details import details_parts
from warpwright.report.csv_join import WORKLOADS, Joined, joined
from warpwright.report.csv_launch import launch_of
from warpwright.report.csv_lines import IS_SUMMARY, csv_as_text, looks_like_csv
from warpwright.report.csv_numbers import NumberStyle, number_style
from warpwright.report.csv_part import Part
from warpwright.report.csv_raw import raw_metric_columns, raw_parts
from warpwright.report.csv_source import source_metric_columns, source_parts
from warpwright.report.csv_text import ADDRESS, Table, tables

__all__ = ["csv_as_text", "looks_like_csv", "read_csv_report"]

_HINT = "export again: ncu --import REPORT --csv --page raw, or give the .ncu-rep itself"
_SAID = re.compile(r"(?m)^[ \t]*==(?:ERROR|WARNING)==[ \t]*(\S.*?)\s*$")
_MOST_SAID = 5


def read_csv_report(text: str, name: str) -> Report:
    """Read a text that holds exports of `ncu --csv`; values come in base units.

    Rows of several pages that are about the same launch (process, ID, kernel) become one launch;
    a source page has no IDs and goes to the launches of its kernel in their order. What a page
    does not print is absent. Instances of the source page are keyed by address, as in a report.

    Args:
        text: the exports, with whatever was printed around them.
        name: what the report is called in addresses and errors.

    Raises:
        BadReport: no table of a page, or none that has a whole row.
    """
    found = tables(text)
    if not found:
        raise _no_table(text, name)
    style = number_style(_numbers(found))
    pages = joined(_parts(found, style))
    if not pages.launches:
        raise BadReport(
            f"{name}: no row of numbers follows the header on line {found[0].line}", hint=_HINT
        )
    launches = [launch_of(at, list(parts.values())) for at, parts in enumerate(pages.launches)]
    first = launches[0]
    device = first.metrics.get("device__attribute_display_name")
    sms = first.number("device__attribute_multiprocessor_count") or first.number("launch__sm_count")
    return Report(
        path=name,
        tool_version=None,
        device=str(device.value) if device and device.value else None,
        compute_capability=first.compute_capability,
        sm_count=int(sms) if sms else None,
        launches=launches,
        sources=_sources(pages),
        session=Session(processes=_processes(pages)),
        cautions=(*style.cautions, *_cautions(found, pages), *said(text)),
    )


def _no_table(text: str, name: str) -> BadReport:
    if at := IS_SUMMARY.search(text):
        line = text.count("\n", 0, at.start()) + 1
        return BadReport(
            f"{name} holds only a summary over launches (line {line}), not the launches",
            hint="export without --print-summary",
        )
    heard = said(text)
    because = f"; ncu said: {heard[0]}" if heard else ""
    return BadReport(f"{name} holds no table that `ncu --csv` writes{because}", hint=_HINT)


def said(text: str) -> tuple[str, ...]:
    """The first errors and warnings of ncu that stand in a text."""
    return tuple(dict.fromkeys(_SAID.findall(text)))[:_MOST_SAID]


def _numbers(found: Iterable[Table]) -> Iterator[str]:
    """All cells that may hold a measured number."""
    for table in found:
        if table.page == "details":
            for row in table.rows:
                yield table.cell(row, "Metric Value")
                yield table.cell(row, "Estimated Speedup")
            continue
        raw = table.page == "raw"
        columns = raw_metric_columns(table) if raw else source_metric_columns(table)
        for row in table.rows:
            yield from (row.cells[at] for at in columns)


def _parts(found: Sequence[Table], style: NumberStyle) -> Iterator[Part]:
    for page, group in groupby(found, key=lambda table: table.page):
        if page == "source":
            yield from source_parts(group, style)
        else:
            read = details_parts if page == "details" else raw_parts
            for table in group:
                yield from read(table, style)


def _sources(pages: Joined) -> dict[str, str]:
    """File -> text. Lines that no export shows are empty, so that the others keep their number."""
    files: dict[str, dict[int, str]] = {}
    for part in (*pages.left, *(part for parts in pages.launches for part in parts.values())):
        for file, lines in part.sources.items():
            files.setdefault(file, {}).update(lines)
    return {
        file: "\n".join(lines.get(number, "") for number in range(1, max(lines) + 1))
        for file, lines in files.items()
    }


def _processes(pages: Joined) -> tuple[Process, ...]:
    found: dict[int, Process] = {}
    for parts in pages.launches:
        for part in parts.values():
            if (pid := part.integer("Process ID")) is not None:
                host, program = part.columns.get("Host Name"), part.columns.get("Process Name")
                found.setdefault(pid, Process(pid, host, program))
    return tuple(found.values())


def _cautions(found: Iterable[Table], pages: Joined) -> Iterator[str]:
    for table in found:
        if table.cut:
            yield f"{len(table.cut)} rows are cut off or damaged, the first on line {table.cut[0]}"
        if table.page == "raw" and not table.units:
            yield f"line {table.line}: no row of units follows, values are as printed"
        lines_only = table.page == "source" and table.column(*ADDRESS) is None
        if lines_only and source_metric_columns(table):
            yield f"line {table.line}: source lines only; each counts as one instruction"
    if left := sum(len(part.metrics) > 1 for part in pages.left):
        yield f"the source page of {left} kernels was left out: it does not say of which launch"
    shapeless = (
        part.kernel not in WORKLOADS and "Grid Size" not in part.columns
        for parts in pages.launches
        for part in parts.values()
        if part.page != "source"
    )
    if any(shapeless):
        yield "the export does not tell the shapes of grids and blocks, only their sizes"
