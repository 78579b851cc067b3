"""The source page: one row for an instruction, and in some views one for a source line above it.

The line's numbers are the sums of its instructions' and are not read where those are there. The
text of each instruction becomes the metric `Source`, by its address as all the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from warpwright.model.report import Metric, NoCode, SourceLine, Value
from warpwright.report.code import own_line
from warpwright.report.csv_labels import source_code, source_metric
from warpwright.report.csv_numbers import NumberStyle
from warpwright.report.csv_part import Part, as_integer
from warpwright.report.csv_text import ADDRESS, LINE, Table

TEXT = "Source"
_UNKNOWN = "<Unable to open source file>"
_MOST_LINES = 1 << 20  # of one source file
_STEP_BYTES = 16  # between instructions since Volta


@dataclass(slots=True)
class _Listing:
    """What the tables of one kernel add up to. Keys are addresses."""

    instances: dict[str, dict[Value, Value]] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    chains: dict[int, list[SourceLine]] = field(default_factory=dict)
    sources: dict[str, dict[int, str]] = field(default_factory=dict)


def source_metric_columns(table: Table) -> list[int]:
    """Positions of the columns that hold metrics."""
    places = ("", "#", TEXT, *ADDRESS, *LINE)
    return [at for at, name in enumerate(table.header) if name not in places]


def source_parts(tables: Iterable[Table], style: NumberStyle) -> Iterator[Part]:
    """Every launch of a source page, and its source text.

    A kernel has a table for each of its files; where a file comes again, the next launch begins.
    """
    listings: dict[str, _Listing] = {}
    seen: set[tuple[str, str]] = set()
    for table in tables:
        kernel, file = _kernel(table), table.titles.get("File Path", "")
        if (kernel, file) in seen:
            yield from _parts(listings)
            listings, seen = {}, set()
        seen.add((kernel, file))
        _read(table, file, style, listings.setdefault(kernel, _Listing()))
    yield from _parts(listings)


def _kernel(table: Table) -> str:
    return table.titles.get("Kernel Name") or table.titles.get("Function Name") or ""


def _parts(listings: Mapping[str, _Listing]) -> Iterator[Part]:
    for kernel, listing in listings.items():
        yield _part(kernel, listing)


def _part(kernel: str, listing: _Listing) -> Part:
    metrics = {name: Metric(name, None, instances) for name, instances in listing.instances.items()}
    base = min(listing.texts, default=0)
    chains = {at - base: chain for at, chain in _chains(listing)}
    own = {at: own_line(chain) for at, chain in chains.items()}
    sass = {at - base: text for at, text in listing.texts.items()}
    code = NoCode(base, own, chains, sass=sass)
    if listing.texts:
        metrics[TEXT] = Metric(TEXT, None, dict(listing.texts.items()))
    return Part("source", kernel, metrics=metrics, code=code, sources=listing.sources)


def _chains(listing: _Listing) -> Iterator[tuple[int, tuple[SourceLine, ...]]]:
    """The lines of each address, what was inlined first.

    The page lists an inlined instruction under every line that it comes from, in no order. A
    function of another file covers fewer instructions than the kernel's own, and one of the same
    file mostly stands above it.
    """
    covered = Counter(line.file for chain in listing.chains.values() for line in chain)
    for at, chain in listing.chains.items():
        order = sorted(set(chain), key=lambda line: (covered[line.file], line.file, line.line))
        yield at, tuple(order)


def _read(table: Table, file: str, style: NumberStyle, listing: _Listing) -> None:
    """Add a table's rows. Where it lists no addresses, every source line counts as one."""
    columns = [(at, source_metric(table.header[at])) for at in source_metric_columns(table)]
    text_at = [at for at, name in enumerate(table.header) if name == TEXT]
    by_address = table.column(*ADDRESS) is not None
    line: SourceLine | None = None
    for row in table.rows:
        number = as_integer(table.cell(row, *LINE))
        address = _address(table.cell(row, *ADDRESS))
        if number is not None and number <= _MOST_LINES:
            line = SourceLine(file, number)
            if row.cells[text_at[0]] != _UNKNOWN:
                listing.sources.setdefault(file, {})[number] = row.cells[text_at[0]]
            if columns and not by_address:
                address = len(listing.texts) * _STEP_BYTES
        if address is None:
            continue
        if line:
            listing.chains.setdefault(address, []).append(line)
        listing.texts[address] = row.cells[text_at[-1]].strip()
        for at, name in columns:
            value = style.read(row.cells[at])
            if value is not None:
                value = source_code(name, value)
                listing.instances.setdefault(name, {})[address] = value


def _address(text: str) -> int | None:
    try:
        return int(text, 16)
    except ValueError:
        return None
