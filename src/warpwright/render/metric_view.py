"""One metric as text."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.metric_view import MetricView
from warpwright.render.layout import CUT, wrapped
from warpwright.render.metrics import instance_table
from warpwright.render.numbers import value_text
from warpwright.render.values import value_lines


def metric_lines(view: MetricView) -> Iterator[str]:
    """Its value, instances, parts and relatives."""
    yield view.address
    label = f"{view.label}: " if view.label else ""
    yield from wrapped(f"{label}{value_text(view.value, view.unit)}", "  ", 2)
    yield from wrapped(view.meaning, "  ")
    if view.instances:
        yield from ("", f"{view.instance_count} instances:")
        yield from instance_table(view.instances, "  ")
    for title, rows in (("the largest of:", view.parts), ("also as:", view.siblings)):
        if rows:
            yield from ("", title, *value_lines(rows, names=True))
    if view.truncated:
        yield CUT
    if view.sections:
        yield from ("", "shown by:", *(f"  {address}" for address in view.sections))
