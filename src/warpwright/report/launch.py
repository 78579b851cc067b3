"""One launch out of a result message: its facts at once, its metrics when asked for.

Fields of a kernel's ProfileResult: 1 thread, 5 mangled, 6 function, 7 demangled name, 10 grid,
11 block, 13 metrics, 14 creation time, 15 source, 17 sections, 19 rule results, 21 NVTX,
22 context, 23 stream, 31 renamed name. The other kinds of result number them differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warpwright.model.report import Launch, Metric, NoCode, Workload
from warpwright.report.annotations import LazyAnnotations
from warpwright.report.code import CodeSource, SeveralFunctions
from warpwright.report.container import Container, Entry
from warpwright.report.metrics import LazyMetrics, metric_spans
from warpwright.report.wire import (
    BYTES,
    FIXED32,
    VARINT,
    Span,
    WireError,
    float_at,
    places,
)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Field numbers of one kind of result."""

    metrics: int
    sections: int
    rules: int
    nvtx: int
    created: int
    context: int
    stream: int = 0
    references: int = 0
    clocks: int = 13


_LAYOUTS: dict[Workload, _Layout] = {
    "kernel": _Layout(13, 17, 19, 21, 14, 22, 23, clocks=25),
    "range": _Layout(4, 7, 20, 10, 5, 11, references=15, clocks=12),
    "cmdlist": _Layout(4, 7, 21, 10, 5, 11, 12, 17),
    "graph": _Layout(4, 7, 22, 10, 5, 11, 12, 17),
}
_THREAD, _MANGLED, _FUNCTION, _DEMANGLED, _GRID, _BLOCK, _SOURCE = 1, 5, 6, 7, 10, 11, 15
_CMDLIST_NAME = 18
_DRIVER: dict[Workload, int] = {"kernel": 35, "range": 21, "cmdlist": 25, "graph": 23}
_MOST_CAPABILITY = 1000
_MOST_FIELDS = 1 << 16  # of a launch, beside its metrics


def decode_launch(
    index: int, entry: Entry, container: Container, codes: Mapping[int, CodeSource], owner: str
) -> Launch:
    """A result, its metrics and annotations lazily.

    Args:
        index: its position in the report, from 0.
        entry: where its result lies.
        container: the report.
        codes: the report's code sources by id.
        owner: what errors call the launch.

    Raises:
        WireError: the message is damaged.
    """
    data, layout = container.data, _LAYOUTS[entry.workload]
    named: dict[str, Span] = {}
    spans, numbers = _gather(data, entry.span, layout.metrics, container.strings, named)
    metrics = LazyMetrics(data, named, container.repeated, owner)
    parts = (layout.sections, layout.rules, layout.nvtx)
    facts: dict[str, Any] = (
        _kernel(data, spans, codes, metrics)
        if entry.workload == "kernel"
        else _no_kernel(entry, index, data, spans, codes)
    )
    return Launch(
        index=index,
        compute_capability=_capability(metrics),
        metrics=metrics,
        annotations=LazyAnnotations(data, *(tuple(spans.get(n, ())) for n in parts), owner=owner),
        workload=entry.workload,
        context=numbers.get(layout.context),
        stream=numbers.get(layout.stream),
        thread=numbers.get(_THREAD),
        process=entry.process,
        created_s=numbers.get(layout.created),
        clocks_locked=_clocks_locked(data, spans, layout.clocks),
        **facts,
    )


def _clocks_locked(data: bytes, spans: Mapping[int, list[Span]], number: int) -> bool | None:
    """Whether clocks were locked (2 of a ProfilerClockStatus); None where the report is silent."""
    if number not in spans:
        return None
    return bool(_first_numbers(data, spans, number).get(2))


def driver_version(container: Container) -> str | None:
    """The kernel driver that the first result names, since 2025 (as a float: 7 digits of it)."""
    entry = container.results[0]
    try:
        for number, wire, first, _ in places(container.data, *entry.span):
            if number == _DRIVER[entry.workload] and wire == FIXED32:
                return f"{float_at(container.data, first):.7g}"
    except WireError:
        pass  # which is told of that launch
    return None


def damaged_launch(index: int, damage: str) -> Launch:
    """What stands for a launch that cannot be read: `damage` says why."""
    return Launch(
        index=index,
        kernel="(damaged)",
        demangled="(damaged)",
        mangled="",
        grid=(0, 0, 0),
        block=(0, 0, 0),
        compute_capability=None,
        metrics={},
        code=NoCode(),
        damage=damage,
    )


def _gather(
    data: bytes, span: Span, metrics: int, strings: Sequence[str], named: dict[str, Span]
) -> tuple[dict[int, list[Span]], dict[int, int]]:
    """Where each BYTES field lies, and the VARINT fields; the field of metrics goes to `named`."""
    position, end = span
    tag = metrics << 3 | BYTES
    spans: dict[int, list[Span]] = {}
    numbers: dict[int, int] = {}
    left = _MOST_FIELDS
    while position < end:
        if data[position] == tag:
            position = metric_spans(data, position, end, strings, named)
            continue
        number, wire, first, position = next(places(data, position, end))
        left -= 1
        if left < 0:
            raise WireError("a launch with more fields than any has", position)
        if wire == BYTES:
            spans.setdefault(number, []).append((first, position))
        elif wire == VARINT:
            numbers[number] = first
    return spans, numbers


def _kernel(
    data: bytes,
    spans: Mapping[int, list[Span]],
    codes: Mapping[int, CodeSource],
    metrics: Mapping[str, Metric],
) -> dict[str, Any]:
    """Names, sizes and code of a kernel's launch."""
    mangled, function, demangled = (
        _text(data, spans, number) for number in (_MANGLED, _FUNCTION, _DEMANGLED)
    )
    reference = _first_numbers(data, spans, _SOURCE).get(1)
    source = codes.get(reference) if reference is not None else None
    return {
        "kernel": function or demangled or mangled,
        "demangled": demangled or function,
        "mangled": mangled,
        "grid": _dimensions(data, spans, _GRID),
        "block": _dimensions(data, spans, _BLOCK),
        "code": source.function(mangled, metrics) if source else NoCode(),
    }


def _no_kernel(
    entry: Entry,
    index: int,
    data: bytes,
    spans: Mapping[int, list[Span]],
    codes: Mapping[int, CodeSource],
) -> dict[str, Any]:
    """A range, a graph or a command list has no name of a function, and no grid of its own."""
    workload, number = entry.workload, _LAYOUTS[entry.workload].references
    name = _text(data, spans, _CMDLIST_NAME) if workload == "cmdlist" else ""
    ids = (v for n, wire, v, _ in places(data, *entry.span) if n == number and wire == VARINT)
    sources = tuple(codes[one] for one in dict.fromkeys(ids) if one in codes)
    return {
        "kernel": name or f"{workload} {index}",
        "demangled": name or f"{workload} {index}",
        "mangled": "",
        "grid": (0, 0, 0),
        "block": (0, 0, 0),
        "code": SeveralFunctions(sources) if sources else NoCode(),
    }


def _text(data: bytes, spans: Mapping[int, list[Span]], number: int) -> str:
    first, last = spans.get(number, [(0, 0)])[-1]
    return data[first:last].decode("utf-8", "replace")


def _first_numbers(data: bytes, spans: Mapping[int, list[Span]], number: int) -> dict[int, int]:
    """The VARINT fields 1 to 3 of a nested message."""
    first, last = spans.get(number, [(0, 0)])[-1]
    found = places(data, first, last)
    return {n: value for n, wire, value, _ in found if wire == VARINT and n <= 3}


def _dimensions(data: bytes, spans: Mapping[int, list[Span]], number: int) -> tuple[int, int, int]:
    found = _first_numbers(data, spans, number)
    x, y, z = (found.get(n, 1) for n in (1, 2, 3))
    if max(x, y, z) >= 1 << 31:  # they are 0 where the capture was interrupted
        raise WireError(f"a grid or block of {x} x {y} x {z}", spans[number][-1][0])
    return (x, y, z)


def _capability(metrics: Mapping[str, Metric]) -> tuple[int, int] | None:
    parts = []
    for part in ("major", "minor"):
        metric = metrics.get(f"device__attribute_compute_capability_{part}")
        if metric is None or not isinstance(metric.value, int | float):
            return None
        if not 0 <= metric.value < _MOST_CAPABILITY:  # nor NaN
            return None
        parts.append(int(metric.value))
    return (parts[0], parts[1])
