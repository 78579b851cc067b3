"""Find the tables of `ncu --csv` in a text that holds other things too.

A table begins with its header: a line with the columns ID and Kernel Name (details and raw
pages), or Source beside Address or Line No (source page). Its rows are the later lines that fit
it; what ncu and the program printed in between is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from warpwright.report.csv_lines import IS_HEADER, cells_of, records

Page = Literal["details", "raw", "source"]

TITLES = ("Kernel Name", "Function Name", "File Path", "File Name")
ADDRESS, LINE = ("Address", "# Address"), ("Line No", "# Line")
_TITLE = re.compile(rf'"?({"|".join(TITLES)})"?([,;\t])')
_COUNT = re.compile(r"\d+(\D\d{3})*")
_PLACE = re.compile(r"(0x)?[0-9a-fA-F]+")


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row, and the line (from 1) that it begins on."""

    line: int
    cells: Sequence[str]


@dataclass(slots=True)
class Table:
    """One table of one page.

    `titles` are the lines above a table of the source page: its kernel, its file. `units` is the
    second row of a raw page. `cut` holds the lines of rows that are cut off or damaged.
    """

    page: Page
    line: int
    header: Sequence[str]
    delimiter: str
    titles: dict[str, str] = field(default_factory=dict)
    units: Sequence[str] = ()
    rows: list[Row] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)
    positions: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Note where each column stands; of two with one name, the first."""
        self.positions = {name: at for at, name in reversed(list(enumerate(self.header)))}

    def column(self, *names: str) -> int | None:
        """The position of the column that has one of these names."""
        return next((self.positions[name] for name in names if name in self.positions), None)

    def cell(self, row: Row, *names: str) -> str:
        """The text in the column of one of these names; empty if there is none."""
        at = self.column(*names)
        return row.cells[at].strip() if at is not None and at < len(row.cells) else ""


def tables(text: str) -> list[Table]:
    """All tables of a text, in its order."""
    found: list[Table] = []
    titles: dict[str, str] = {}
    for number, line, whole in records(text):
        if start := IS_HEADER.match(line):
            delimiter = next(group for group in start.groups()[1:] if group in (",", ";", "\t"))
            header = [cell.strip() for cell in cells_of(line.lstrip("/* \t"), delimiter, 0)]
            if page := _page(header):
                found.append(Table(page, number, _trimmed(header, 0), delimiter, titles))
                continue
        if title := _TITLE.match(line):
            cells = cells_of(line, title[2], 2)
            titles = _titled(titles, title[1], cells[1].strip() if len(cells) > 1 else "")
        elif found and found[-1].delimiter in line:
            _add(found[-1], number, line, whole)
    return found


def _page(header: Sequence[str]) -> Page | None:
    if "Source" in header:
        return "source"
    if "ID" not in header or "Kernel Name" not in header:
        return None
    return "details" if "Metric Name" in header or "Rule Name" in header else "raw"


def _titled(titles: dict[str, str], name: str, text: str) -> dict[str, str]:
    """The titles that hold after one more: a function is in the file above it."""
    above = titles if name == "Function Name" else {}
    return {**above, name.replace("File Name", "File Path"): text}


def _trimmed(cells: list[str], width: int) -> list[str]:
    """Without empty cells at the end that a trailing comma makes."""
    while len(cells) > width and not cells[-1]:
        cells.pop()
    return cells


def _add(table: Table, number: int, line: str, whole: bool) -> None:
    """Take a line into the table if it is one of its rows."""
    width = len(table.header)
    cells = _trimmed(cells_of(line, table.delimiter, width), width)
    if table.page == "source" and (surplus := len(cells) - width) > 0:  # source text held `","`
        at = table.positions["Source"]
        text = f'"{table.delimiter}"'.join(cells[at : at + surplus + 1])
        cells = [*cells[:at], text, *cells[at + surplus + 1 :]]
    whole = whole or (table.page == "source" and len(cells) == width and line.endswith('"'))
    if table.page == "raw" and not table.units and not table.rows and _is_units(table, cells):
        table.units = cells
    elif whole and _fits(table, cells):
        table.rows.append(Row(number, cells))
    elif _belongs(table, cells):
        table.cut.append(number)


def _is_units(table: Table, cells: Sequence[str]) -> bool:
    named = [table.column(name) for name in ("ID", "Process ID", "Kernel Name")]
    return len(cells) == len(table.header) and not any(cells[i] for i in named if i is not None)


def _fits(table: Table, cells: Sequence[str]) -> bool:
    width = len(table.header)
    if table.page == "source":
        return len(cells) == width and _is_place(table, cells)
    least = width if table.page == "raw" else (table.column("Metric Value") or width - 1) + 1
    if not least <= len(cells) <= width or not cells[table.positions["Kernel Name"]].strip():
        return False
    counts = (table.column("ID"), table.column("Process ID"))
    return all(_COUNT.fullmatch(cells[at].strip()) for at in counts if at is not None)


def _is_place(table: Table, cells: Sequence[str]) -> bool:
    at, line = table.column(*ADDRESS), table.column(*LINE)
    return bool(
        (at is not None and at < len(cells) and _PLACE.fullmatch(cells[at].strip()))
        or (line is not None and line < len(cells) and _COUNT.fullmatch(cells[line].strip()))
    )


def _belongs(table: Table, cells: Sequence[str]) -> bool:
    """Whether cells that do not fit are what is left of a row."""
    if table.page == "source":
        return any(cell.startswith("0x") for cell in cells[:3])
    return any(cells[:2] == row.cells[:2] for row in table.rows[-1:])
