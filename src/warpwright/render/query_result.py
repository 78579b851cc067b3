"""A query's answer, the tables that can be asked, and what an export wrote, as text."""

from __future__ import annotations

import shlex

from warpwright.model.query_result import ExportNotice, QueryResult, TableList
from warpwright.model.report import Value
from warpwright.render.layout import WIDTH, shortened, wrapped

_LEAST = 12  # columns of text are not made narrower than this


def query_text(result: QueryResult) -> str:
    """The rows as a table of 80 columns, long texts cut; where that does not do, in blocks."""
    cells = [[_cell(value) for value in row] for row in result.rows]
    widths = _widths(result, cells)
    lines = [*_cautions(result.cautions)]
    lines += _blocks(result, cells) if widths is None else _table(result, cells, widths)
    count = len(cells)
    said = f"{count} row{'' if count == 1 else 's'}"
    lines += ["", f"first {said}; there are more: --limit N" if result.truncated else said]
    if widths and any(len(text) > n for row in cells for text, n in zip(row, widths, strict=True)):
        lines.append("texts were cut: --json has them whole")
    if "address" in result.columns and cells:
        address = cells[0][result.columns.index("address")]
        lines.append(f"next: warpwright ncu show {shlex.quote(address)}")
    else:
        lines.append("next: `warpwright ncu sql --schema` prints what else can be asked")
    return "\n".join(lines) + "\n"


def tables_text(document: TableList) -> str:
    """Every table with its columns, their types, units and meanings."""
    lines = []
    for table in document.tables:
        lines += wrapped(f"{table.name}: {table.meaning}")
        for column in table.columns:
            unit = f" [{column.unit}]" if column.unit else ""
            head = f"  {column.name:<24} {column.type:<8} "
            first, *rest = wrapped(f"{column.meaning}{unit}", " " * len(head))
            lines += [head + first.lstrip(), *rest]
        lines.append("")
    lines.append('next: warpwright ncu sql REPORT "select address, duration_ns from launches"')
    return "\n".join(lines) + "\n"


def export_text(notice: ExportNotice) -> str:
    """What was written where."""
    lines = [*_cautions(notice.cautions), f"wrote {notice.path} ({notice.format})"]
    lines += [f"  {name:<14} {count:>12,} rows" for name, count in notice.rows.items()]
    lines.append("next: `warpwright ncu sql --schema` says what the columns mean")
    return "\n".join(lines) + "\n"


def _cautions(cautions: tuple[str, ...]) -> list[str]:
    return [line for caution in cautions for line in wrapped(f"caution: {caution}", hang=2)]


def _cell(value: Value | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return _number(value)
    return " ".join(value.split()) if isinstance(value, str) else str(value)


def _number(value: float) -> str:
    """Seven digits; a whole number has all of them."""
    if abs(value) < 1e15 and value == int(value):
        return str(int(value))
    return f"{value:.1f}" if 1e6 <= abs(value) < 1e15 else f"{value:.7g}"


def _widths(result: QueryResult, cells: list[list[str]]) -> list[int] | None:
    """Each column's width; None where even narrowed columns of text need more than the page."""
    names = result.columns
    widths = [
        max(len(name), *(min(len(row[i]), WIDTH) for row in cells), 0)
        for i, name in enumerate(names)
    ]
    texts = [i for i in range(len(names)) if any(isinstance(r[i], str) for r in result.rows)]
    while sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        widest = max(texts, key=lambda i: widths[i], default=None)
        if widest is None or widths[widest] <= max(_LEAST, len(names[widest])):
            return None
        widths[widest] -= 1
    return widths


def _table(result: QueryResult, cells: list[list[str]], widths: list[int]) -> list[str]:
    numeric = [all(not isinstance(row[i], str) for row in result.rows) for i in range(len(widths))]

    def line(row: list[str] | tuple[str, ...]) -> str:
        parts = [
            shortened(text, width).rjust(width) if number else shortened(text, width).ljust(width)
            for text, width, number in zip(row, widths, numeric, strict=True)
        ]
        return "  ".join(parts).rstrip()

    return [line(result.columns), *(line(row) for row in cells)]


def _blocks(result: QueryResult, cells: list[list[str]]) -> list[str]:
    widest = min(max(map(len, result.columns)), 30)
    lines: list[str] = []
    for number, row in enumerate(cells):
        lines += [""] if number else []
        for name, text in zip(result.columns, row, strict=True):
            head = f"{shortened(name, widest):<{widest}}  "
            first, *rest = wrapped(text, " " * len(head)) or [""]
            lines += [(head + first.lstrip()).rstrip(), *rest]
    return lines
