"""What one table of an export says of one launch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from warpwright.model.annotations import NvtxRange, RuleResult, Section
from warpwright.model.report import Code, Metric, Value
from warpwright.report.csv_numbers import NumberStyle, to_base
from warpwright.report.csv_text import Page, Row, Table

IDENTITY = (
    "ID",
    "Process ID",
    "Process Name",
    "Host Name",
    "Kernel Name",
    "Kernel Time",
    "Context",
    "Stream",
    "Block Size",
    "Grid Size",
    "Device",
    "CC",
)
_MOST_DIGITS = 20
_INSTANCES = re.compile(r"([^()]*) \((.*)\)", re.S)


@dataclass(frozen=True, slots=True)
class Part:
    """One launch as one page shows it. `columns` are the cells that say which launch it is.

    `sources` maps a file to its text, by line number.
    """

    page: Page
    kernel: str
    columns: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    sections: Sequence[Section] = ()
    rules: Sequence[RuleResult] = ()
    nvtx: Sequence[NvtxRange] = ()
    code: Code | None = None
    sources: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """What is the same for one launch on the details and the raw page."""
        return self.columns.get("Process ID", ""), self.columns.get("ID", ""), self.kernel

    def integer(self, column: str) -> int | None:
        """A column that counts or names by number; None where it is absent or none."""
        return as_integer(self.columns.get(column, ""))


def identity(table: Table, row: Row) -> dict[str, str]:
    """The cells of a row that say which launch it is about; absent columns are left out."""
    cells = {name: table.cell(row, name) for name in IDENTITY}
    return {name: cell for name, cell in cells.items() if cell}


def by_launch(table: Table) -> Iterator[tuple[dict[str, str], list[Row]]]:
    """Rows of a table launch by launch, in the order of their first rows."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in table.rows:
        key = tuple(table.cell(row, name) for name in ("Process ID", "ID", "Kernel Name"))
        groups.setdefault(key, []).append(row)
    for rows in groups.values():
        yield identity(table, rows[0]), rows


def printed_metric(name: str, text: str, unit: str, style: NumberStyle) -> tuple[Metric, str]:
    """A metric as a cell shows it, and its base unit.

    `--print-metric-instances` adds instances: `8 (1; 7)`, or `8 (FADD: 1; FMUL: 7)`.
    """
    instances: dict[Value, Value] = {}
    has_ids = True
    if found := _INSTANCES.fullmatch(text):
        pairs = [part.rpartition(": ") for part in found[2].split("; ")]
        values = [style.read(value) for _, _, value in pairs]
        if all(value is not None and not isinstance(value, str) for value in values):
            text, has_ids = found[1], all(key for key, _, _ in pairs)
            keys = [style.read(key) if has_ids else at for at, (key, _, _) in enumerate(pairs)]
            scaled = (to_base(value, unit)[0] for value in values)
            instances = {
                key: value
                for key, value in zip(keys, scaled, strict=True)
                if key is not None and value is not None
            }
    value, base = to_base(style.read(text), unit)
    return Metric(name, value, instances, has_ids), base


def dimensions(text: str) -> tuple[int, int, int] | None:
    """`(256, 1, 1)` as numbers; None if it is not three of them."""
    inner = text.strip().strip("()")
    parts = inner.split(", ") if inner.count(", ") == 2 else inner.split(",")
    numbers = [number for part in parts if (number := as_integer(part)) is not None]
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) == len(parts) == 3 else None


def as_integer(text: str) -> int | None:
    """The digits of a text as a number, however they are grouped; None if none or too many."""
    digits = re.sub(r"\D", "", text)
    return int(digits) if 0 < len(digits) < _MOST_DIGITS else None


def function_name(signature: str) -> str:
    """`void a::b<c>(d)` -> `b`: without result, namespaces, template arguments, parameters."""
    depth, plain = 0, []
    for sign in signature.replace("(anonymous namespace)", ""):
        depth += (sign in "<(") - (sign in ">)")
        if depth == 0 and sign not in ">)":
            plain.append(sign)
    name = "".join(plain).strip().rpartition("::")[2].rpartition(" ")[2]
    return name or signature


def merged(first: Mapping[str, Metric], second: Iterable[Metric]) -> dict[str, Metric]:
    """Metrics of two pages of one launch: a value and instances from the page that has them."""
    metrics = dict(first)
    for metric in second:
        held = metrics.get(metric.name)
        if held is not None:
            value = held.value if metric.value is None else metric.value
            source = metric if metric.instances else held
            metric = Metric(metric.name, value, source.instances, source.has_ids)
        metrics[metric.name] = metric
    return metrics
