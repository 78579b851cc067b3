"""What Nsight Compute's rules say as text."""

from __future__ import annotations

from collections.abc import Sequence

from warpwright.model.annotations import RuleTable
from warpwright.model.rule_list import FocusRow, Mention, RuleList, RuleRow
from warpwright.operations.deeper import deeper
from warpwright.render.layout import WIDTH, deeper_lines, shortened, table, wrapped
from warpwright.render.numbers import value_text

_ROWS = 5  # of a table


def rules_text(found: RuleList) -> str:
    """Advice first, that with an estimate of the kernel's gain before all."""
    if not found.rules:
        return f"{found.report}: its rules said nothing (none ran, or there was no reason)\n"
    several = len({row.launch for row in found.rules}) > 1
    lines = [f"{found.report}: {found.rule_count} rule results"]
    for row in found.rules:
        lines += ["", *rule_lines(row, several)]
    if found.rule_count > len(found.rules):
        more = found.rule_count - len(found.rules)
        lines += ["", f"... and {more} more (--limit N shows more)"]
    at = next((row.section for row in found.rules if row.section), None)
    if at is not None:
        lines += deeper_lines([deeper("the section of the first, with its metrics", "show", at)])
    return "\n".join(lines) + "\n"


def rule_lines(row: RuleRow, several: bool) -> list[str]:
    """One rule result; `several`: results of several launches stand together."""
    launch = f"L{row.launch} " if several else ""
    kind = "advice" if row.advice else {"none": "remarks"}.get(row.kind, row.kind)
    title = f"{row.name}: {row.title}" if row.title else row.name
    lines = wrapped(f"{launch}{kind}: {title}", "", 2)
    if row.estimate is not None:
        lines += wrapped(f"estimate: {row.estimate.pct:.4g} % {row.estimate.of}", "  ", 2)
    for paragraph in row.text.splitlines():
        lines += wrapped(paragraph, "  ")
    for focus in row.focus:
        lines += wrapped(_focus(focus), "  ", 2)
    for one in row.tables:
        lines += _table(one)
    for marker in row.markers[:_ROWS]:
        at = f"{marker.file}:{marker.line}" if marker.file else f"+{marker.offset or 0:#x}"
        lines += wrapped(f"at {at}: {marker.text}", "  ", 2)
    if row.marker_count > _ROWS:
        lines.append(f"  ... of {row.marker_count} places (--json has more)")
    see = [mention for mention in row.mentions if mention.target != row.section]
    for mention in see:
        lines.append(f"  see {_target(mention)}")
    return lines


def _focus(focus: FocusRow) -> str:
    wish = f": {focus.info}" if focus.info else ""
    return f"[{focus.metric} = {value_text(focus.value)}]{wish}"


def _target(mention: Mention) -> str:
    return mention.target if "#L" in mention.target else f"{mention.label}: {mention.target}"


def _table(rule: RuleTable) -> list[str]:
    """A rule's table, with as many rows as are of use here."""
    rows: Sequence[tuple[str | float | int, ...]] = list(zip(*rule.columns, strict=False))
    if not rows:
        return []
    title = wrapped(f"{rule.title}:", "  ") if rule.title else []
    cell = (WIDTH - 4) // len(rule.headers) - 2
    body = [tuple(shortened(value_text(one), cell) for one in row) for row in rows[:_ROWS]]
    heads = tuple(shortened(head, cell) for head in rule.headers)
    more = [f"    ... of {len(rows)} rows (--json has all)"] if len(rows) > _ROWS else []
    return [*title, *table([heads, *body], indent="    "), *more]
