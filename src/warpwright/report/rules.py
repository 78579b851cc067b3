"""The messages of one rule.

RuleResult: 1 id, 2 name, 3 body (1 items), 4 section, 5 source markers. An item: 1 message
(1 text, 2 kind, 4 title), 8 focus metrics, 10 speedup (1 scope, 2 percent), 12 tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from warpwright.model.annotations import (
    FocusMetric,
    MarkerKind,
    RuleKind,
    RuleResult,
    RuleTable,
    Severity,
    SourceMarker,
    Speedup,
    SpeedupScope,
)
from warpwright.report.wire import as_bytes, as_double, as_signed, as_text, fields

T = TypeVar("T")

# The numbers in the file; NVIDIA's Python library numbers kinds otherwise.
_KINDS: tuple[RuleKind, ...] = ("none", "ok", "warning", "error", "optimization")
_SCOPES: tuple[SpeedupScope, ...] = ("unknown", "local", "global")
_SEVERITIES: tuple[Severity, ...] = ("default", "low", "high")
_MARKERS: tuple[MarkerKind, ...] = ("sass", "source")


def rule_results(message: bytes) -> Iterator[RuleResult]:
    """Every message of one rule; one without a message if it only marks lines. Raises WireError."""
    texts: dict[int, str] = {}
    bodies: list[bytes] = []
    markers: list[SourceMarker] = []
    for number, _, content in fields(message):
        if number in (1, 2, 4):
            texts[number] = as_text(content)
        elif number == 3:
            bodies.append(as_bytes(content))
        elif number == 5:
            markers.append(_marker(as_bytes(content)))
    items = [as_bytes(item) for body in bodies for n, _, item in fields(body) if n == 1]
    saying = [parts for item in items if (parts := _said(item))]
    for parts in saying or ([{}] if markers else []):  # some only remark on lines
        yield _result(parts, texts, tuple(markers))


_Parts = dict[int, list[bytes]]


def _said(item: bytes) -> _Parts:
    """The parts of an item that say something."""
    parts: _Parts = {}
    for number, _, content in fields(item):
        if number in (1, 8, 10, 12):
            parts.setdefault(number, []).append(as_bytes(content))
    return parts


def _result(parts: _Parts, texts: dict[int, str], markers: tuple[SourceMarker, ...]) -> RuleResult:
    speedups = [_speedup(content) for content in parts.get(10, ())]
    said = _Strings(parts.get(1, [b""])[0])
    return RuleResult(
        rule=texts.get(1, ""),
        name=texts.get(2, ""),
        section=texts.get(4) or None,
        kind=_named(_KINDS, said.numbers.get(2, 0)),
        title=said.texts.get(4) or None,
        message=said.texts.get(1, ""),
        speedup=speedups[0] if speedups else None,
        focus=tuple(_focus(content) for content in parts.get(8, ())),
        tables=tuple(_table(content) for content in parts.get(12, ())),
        markers=markers,
    )


class _Strings:
    """A flat message: its texts, and its numbers (or their bits), by field number."""

    def __init__(self, message: bytes) -> None:
        self.texts: dict[int, str] = {}
        self.numbers: dict[int, int] = {}
        for number, _, content in fields(message):
            if isinstance(content, int):
                self.numbers[number] = content
            else:
                self.texts[number] = as_text(content)


def _named(names: tuple[T, ...], number: int) -> T:
    return names[number] if number < len(names) else names[0]


def _speedup(message: bytes) -> Speedup:
    found = _Strings(message).numbers
    return Speedup(_named(_SCOPES, found.get(1, 0)), as_double(found.get(2, 0)))


def _focus(message: bytes) -> FocusMetric:
    found = _Strings(message)
    return FocusMetric(
        name=found.texts.get(2, ""),
        value=as_double(found.numbers[3]) if 3 in found.numbers else None,
        severity=_named(_SEVERITIES, found.numbers.get(4, 0)),
        info=found.texts.get(5) or None,
    )


def _marker(message: bytes) -> SourceMarker:
    found = _Strings(message)
    return SourceMarker(
        kind=_named(_MARKERS, found.numbers.get(1, 0)),
        text=found.texts.get(4, ""),
        severity=_named(_KINDS, found.numbers.get(5, 0)),
        pc=found.numbers.get(3),
        file=found.texts.get(6) or None,
        line=found.numbers.get(2),
    )


def _table(message: bytes) -> RuleTable:
    """1 configuration (1 title, 2 description), 2 columns."""
    config: dict[int, str] = {}
    headers: list[str] = []
    columns: list[tuple[str | float | int, ...]] = []
    for number, _, content in fields(message):
        if number == 1:
            config = {n: as_text(v) for n, _, v in fields(as_bytes(content)) if n in (1, 2)}
        elif number == 2:
            name, values = _column(as_bytes(content))
            headers.append(name)
            columns.append(values)
    return RuleTable(config.get(1) or None, config.get(2) or None, tuple(headers), tuple(columns))


def _column(message: bytes) -> tuple[str, tuple[str | float | int, ...]]:
    """1 name, then values: 4 texts, 5 doubles, 6 integers."""
    name = ""
    values: list[str | float | int] = []
    for number, _, content in fields(message):
        if number == 1:
            name = as_text(content)
        elif number == 4:
            values.append(as_text(content))
        elif number == 5:
            values.append(as_double(content))
        elif number == 6:
            values.append(as_signed(content))
    return name, tuple(values)
