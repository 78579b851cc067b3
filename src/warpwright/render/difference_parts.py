"""The parts of a difference as text: causes, metrics, lines, opcodes; or the numbers alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TypeVar

from warpwright.model.difference import (
    CauseChange,
    Cut,
    LaunchPair,
    LineChange,
    MetricChange,
    OpcodeChange,
)
from warpwright.model.source_view import LineRow
from warpwright.render.difference_why import effect_lines, limit_lines, time_lines
from warpwright.render.layout import WIDTH, shortened, table, wrapped
from warpwright.render.numbers import short_count, time_text

T = TypeVar("T")
ARROW = "->"
_SHARE = "% of samples"


def explained_lines(pair: LaunchPair) -> Iterator[str]:
    """Why: causes, effects, time; then the metrics, source lines and opcodes that changed."""
    if pair.causes is not None:
        yield from ("", "causes (predicted speedup if it alone were gone):")
        yield from _causes(pair.causes)
    for effect in pair.effects:
        yield from effect_lines(effect)
    if pair.times:
        yield from time_lines(pair.times)
    if pair.next_limit is not None:
        yield from limit_lines(pair.next_limit)
    yield from ("", "metrics that explain it (before -> after, after / before):")
    yield from _metrics(pair.metrics)
    if pair.lines is not None:
        yield from ("", "source lines:")
        yield from _lines(pair.lines)
    if pair.opcodes is not None:
        yield from ("", "opcodes (warp instructions executed):")
        yield from _opcodes(pair.opcodes)
    for what, only in (("before", pair.only_in.before), ("after", pair.only_in.after)):
        if only.count:
            yield from ("", f"measured only {what}: {only.count} metrics (--raw names them)")


def _causes(causes: Cut[CauseChange]) -> Iterator[str]:
    if not causes.count:
        yield "  no finding in either"
    for cause in causes.rows:
        gains = [f"{e:.2f}x" for e in (cause.before_expected, cause.after_expected) if e]
        gain = gains[-1] if cause.state == "same" else f" {ARROW} ".join(gains)
        yield from wrapped(f"{cause.state:8} {cause.id} ({gain}): {cause.title}", "  ", 9)
    yield from more_lines(causes, "causes")


def _metrics(metrics: Cut[MetricChange]) -> Iterator[str]:
    if not metrics.rows:
        yield "  none moved beyond its noise"
    for kind, group in groupby(metrics.rows, key=lambda change: change.kind):
        changes = list(group)
        yield f"  {kind}, % of samples" if changes[0].unit == _SHARE else f"  {kind}"
        yield from map(_metric_line, changes)
    if metrics.count > len(metrics.rows):
        yield f"  {metrics.count} metrics moved in all (--raw lists them)"


def _metric_line(change: MetricChange) -> str:
    factor = times_text(change.factor)
    values = [_value(value, change.unit) for value in (change.before, change.after)]
    name = change.label or change.metric
    unit = "" if change.unit in (None, "ns", "%", _SHARE) else f" [{change.unit}]"
    numbers = f"    {values[0]:>9} {ARROW} {values[1]:>9} {factor:>7}  "
    if len(numbers + name + unit) <= WIDTH or change.label is None:
        return numbers + name + unit  # a metric's name is whole, so that it can be asked for
    return shortened(numbers + name, WIDTH)


def _value(value: float | int | str, unit: str | None) -> str:
    if isinstance(value, str):
        return shortened(value, 12)
    if unit == "ns":
        return time_text(value)
    if unit is not None and unit.startswith("%"):
        return f"{value:.1f} %"
    return shortened(short_count(value), 12)


def _lines(lines: Cut[LineChange]) -> Iterator[str]:
    if not lines.count:
        yield "  none changed"
    for change in lines.rows:
        one, other = change.before, change.after
        shown = other or one
        places = [f"{row.place.file}:{row.place.line}" for row in (one, other) if row]
        if one and other and one.place.file == other.place.file:
            same = one.place.line == other.place.line
            places = [places[0]] if same else [places[0], str(other.place.line)]
        cost = f"{_line_cost(one, change.before_ns):>9} {ARROW} "
        cost += f"{_line_cost(other, change.after_ns):>9}"
        yield f"  {change.move:8} {cost}  {f' {ARROW} '.join(places)}"
        if shown and shown.text:
            yield f"{'':11}{shortened(' '.join(shown.text.split()), WIDTH - 11)}"
    yield from more_lines(lines, "lines")


def _line_cost(row: LineRow | None, ns: float | None) -> str:
    if row is None or row.own is None:
        return "-"
    if ns is not None:
        return time_text(ns)
    if row.own.samples is not None and row.own_share is not None:
        return f"{row.own_share:.1%}"
    return "-" if row.own.inst_executed is None else short_count(row.own.inst_executed)


def _opcodes(opcodes: Cut[OpcodeChange]) -> Iterator[str]:
    if not opcodes.count:
        yield "  the same, as often"
    rows = [
        (change.move, _opcode(change.before), ARROW, _opcode(change.after), change.opcode)
        for change in opcodes.rows
    ]
    yield from table([("", "", "", "", ""), *rows], (1, 3), "  ")[1:]
    yield from more_lines(opcodes, "opcodes")


def _opcode(count: float | None) -> str:
    return "-" if count is None else short_count(count)


def raw_lines(pair: LaunchPair) -> Iterator[str]:
    """The name on a line of its own where the numbers would not fit beside it."""
    for change in pair.metrics.rows:
        factor = f"  {change.factor:.4g}x" if change.factor is not None else ""
        within = "  (the same)" if change.before == change.after else "  (within noise)"
        mark = "" if change.moved else within
        numbers = (
            f"{_exact(change.before)} {ARROW} {_exact(change.after)} {change.unit or ''}".rstrip()
            + factor
            + mark
        )
        whole = f"{change.metric}  {numbers}"
        yield from [whole] if len(whole) <= WIDTH else [change.metric, f"    {numbers}"]
    yield from more_lines(pair.metrics, "metrics")
    for what, only in (("before", pair.only_in.before), ("after", pair.only_in.after)):
        yield from (f"{name}  only {what}" for name in only.rows)
        yield from more_lines(only, "metrics")


def _exact(value: float | int | str) -> str:
    return shortened(value, 28) if isinstance(value, str) else f"{value:.10g}"


def more_lines(cut: Cut[T], what: str) -> list[str]:
    """What the limit left out of a list."""
    left = cut.count - len(cut.rows)
    return [f"  ... and {left} more {what} (--limit N shows more)"] if left else []


def times_text(factor: float | None) -> str:
    """1.72x; with three digits or, of small ones, two: 1,640x, 0.0024x."""
    if factor is None:
        return ""
    if factor >= 100:
        return f"{float(f'{factor:.3g}'):,.0f}x"
    return f"{factor:.2f}x" if factor >= 0.1 else f"{factor:.2g}x"
