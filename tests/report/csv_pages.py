"""Write pages as `ncu --csv` prints them, of any launch, vintage and locale: for tests."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

from warpwright.model.report import Launch, Value

OLD = ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context",
       "Stream")  # fmt: skip
NEW = ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream",
       "Block Size", "Grid Size", "Device", "CC")  # fmt: skip
METRIC = ("Section Name", "Metric Name", "Metric Unit", "Metric Value")
RULE = ("Rule Name", "Rule Type", "Rule Description", "Estimated Speedup Type",
        "Estimated Speedup")  # fmt: skip

Write = Callable[[Value | None], str]


def plain(value: Value | None) -> str:
    """A number as the C locale has it."""
    if value is None:
        return "n/a"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def grouped(group: str, decimal: str) -> Write:
    """How a locale with these signs has it."""

    def write(value: Value | None) -> str:
        if value is None or isinstance(value, str):
            return plain(value)
        shown = f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"
        return shown.replace(",", "G").replace(".", decimal).replace("G", group)

    return write


def line(cells: Sequence[str]) -> str:
    """One line, every cell in quotes."""
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerow(cells)
    return out.getvalue()


def who(launch: Launch, columns: Sequence[str], write: Write = plain) -> list[str]:
    """The cells that say which launch it is."""
    x, y, z = (write(n) for n in launch.block)
    i, j, k = (write(n) for n in launch.grid)
    cells = {
        "ID": str(launch.index),
        "Process ID": "4711",
        "Process Name": "app",
        "Host Name": "127.0.0.1",
        "Kernel Name": launch.demangled,
        "Kernel Time": "2022-Oct-13 12:00:01",
        "Context": "1",
        "Stream": "7",
        "Block Size": f"({x}, {y}, {z})",
        "Grid Size": f"({i}, {j}, {k})",
        "Device": "0",
        "CC": "{}.{}".format(*(launch.compute_capability or (0, 0))),
    }
    return [cells[column] for column in columns]


def details_page(
    launch: Launch,
    rows: Sequence[tuple[str, str, str, Value | None]],
    columns: Sequence[str] = NEW,
    write: Write = plain,
) -> str:
    """A details page of one launch; rows are section, label, unit, value."""
    out = line([*columns, *METRIC, *RULE])
    for section, label, unit, value in rows:
        out += line([*who(launch, columns, write), section, label, unit, write(value), ""])
    return out


def raw_page(
    launches: Sequence[Launch],
    names: Sequence[tuple[str, str]],
    columns: Sequence[str] = NEW,
    write: Write = plain,
) -> str:
    """A raw page of launches; names are metrics and their units."""
    out = line([*columns, *(name for name, _ in names)])
    out += line([*([""] * len(columns)), *(unit for _, unit in names)])
    for launch in launches:
        values = [
            launch.metrics[name].value if name in launch.metrics else None for name, _ in names
        ]
        out += line([*who(launch, columns, write), *(write(value) for value in values)])
    return out


def source_page(launch: Launch, names: Sequence[tuple[str, str]], text: str = "NOP") -> str:
    """The source page's SASS view of a launch; names are metrics and their columns."""
    out = line(["Kernel Name", launch.demangled])
    out += line(["Address", "Source", *(label for _, label in names)])
    for pc in launch.metrics["inst_executed"].instances:
        cells = [launch.metrics[name].instances.get(pc) for name, _ in names]
        out += line([hex(int(pc)), text, *("" if c is None else plain(c) for c in cells)])
    return out
