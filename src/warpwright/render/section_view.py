"""One section as text."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.section_view import SectionView
from warpwright.render.layout import CUT
from warpwright.render.rules import rule_lines
from warpwright.render.values import value_lines


def section_lines(view: SectionView) -> Iterator[str]:
    """Its metrics, and what its rules say."""
    yield view.address
    yield f"  {view.name}"
    if view.extends:
        yield f"  is part of {view.extends}"
    for title, rows in (("", view.header), ("details:", view.body)):
        if rows:
            yield from ("", title) if title else ("",)
            yield from value_lines(rows, names=True)
    if not view.header and not view.body:
        yield "  no metric of it was collected"
    if view.absent:
        yield f"  {view.absent} of its metrics are not in this launch (--all lists them as -)"
    for rule in view.rules:
        yield from ("", *rule_lines(rule, several=False))
    if view.truncated:
        yield from ("", CUT)
    if view.extended_by:
        yield from ("", "its parts:", *(f"  {address}" for address in view.extended_by))
