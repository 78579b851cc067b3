"""A finding, drilled into, as text: 80 columns, no colour."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.explanation import Check, ExplainedMetric, Explanation
from warpwright.render.difference_why import WANTED
from warpwright.render.digest_finding import fact_value, gain_text, wrapped_all
from warpwright.render.layout import WIDTH, deeper_lines, shortened, table, wrapped
from warpwright.render.ledger import worth_text
from warpwright.render.numbers import short_count, time_text
from warpwright.render.source_sass import program_lines

_MOST_STALLS = 6


def explanation_text(found: Explanation) -> str:
    """What it is, why it is believed, where it costs, what to do, how to see that it worked."""
    parts = (_head, _evidence, _basis, _places, _stalls, _actions, _rivals)
    lines = [line for part in parts for line in part(found)]
    return "\n".join([*lines, *_verify(found), *deeper_lines(found.deeper)]) + "\n"


def _head(found: Explanation) -> Iterator[str]:
    finding = found.finding
    yield from wrapped(f"{found.launch}  {shortened(found.kernel, 60)}")
    yield f"{time_text(found.duration_ns, 4)}, bound by: {found.bound}"
    yield from wrapped_all([f"caution: {caution.text}" for caution in found.cautions], "", 2)
    yield ""
    yield from wrapped(f"{finding.rank}. {finding.id}: {finding.title}", "", 3)
    then = ""
    if found.predicted_ns is not None:
        then = f": {time_text(found.duration_ns)} -> {time_text(found.predicted_ns)}"
    yield f"   predicted {gain_text(finding)}{then}"
    if found.ledger is not None:
        yield from wrapped(worth_text(found.ledger), "   ", 2)


def _evidence(found: Explanation) -> Iterator[str]:
    yield from ("", "what was measured:")
    for row in found.evidence:
        yield from wrapped(f"{_value(row)} {row.says}", "  ", 2)
        yield from wrapped(f"{row.metric}: {row.meaning}" if row.meaning else row.metric, "      ")


def _value(row: ExplainedMetric) -> str:
    return fact_value(row.value, row.unit)


def _basis(found: Explanation) -> Iterator[str]:
    if found.basis:
        yield from ("", "what the prediction assumes (T: time now, T': then):")
        yield from wrapped(found.basis, "  ")


def _places(found: Explanation) -> Iterator[str]:
    if found.lines:
        yield from ("", "where it costs (shares of this finding's cost):")
    for line in found.lines:
        head = f"  {line.share:4.0%}  {line.place.file}:{line.place.line}"
        text = (line.text or "").strip()
        yield shortened(f"{head}  {text}".rstrip(), WIDTH)
    if found.instructions:
        at = f" {found.hottest:#x}" if found.hottest is not None else ""
        yield from ("", f"the machine code around its costliest instruction,{at}:")
        yield "   rank  offset   share  instruction"
        yield from program_lines(found.instructions)
    yield from wrapped_all(found.notes, "  note: ", 2)


def _stalls(found: Explanation) -> Iterator[str]:
    if not found.stalls:
        return
    yield from ("", "what warps do at these lines, beside the whole launch (of samples):")
    rows = [
        (f"{stall.here:.0%}", f"{stall.whole:.0%}", f"{stall.words} ({stall.reason})")
        for stall in found.stalls[:_MOST_STALLS]
    ]
    yield from table([("here", "launch", ""), *rows], (0, 1), "  ")


def _actions(found: Explanation) -> Iterator[str]:
    yield from ("", "what to do:")
    yield from wrapped_all([f"-> {action}" for action in found.finding.actions], "  ", 3)


def _rivals(found: Explanation) -> Iterator[str]:
    if not found.rivals:
        return
    yield from ("", "what else claims the same time (their gains do not add up):")
    for rival in found.rivals:
        shared = [f"{rival.overlap:.0%} of its lines' cost"] if rival.overlap else []
        shared += rival.same_metrics[:1]
        yield from wrapped(f"{rival.id} ({rival.expected:.2f}x): {rival.title}", "  ", 2)
        yield from wrapped(f"shares {', '.join(shared)}", "      ", 2)


def _verify(found: Explanation) -> Iterator[str]:
    yield from ("", "how to see that a fix worked:")
    if found.blind is not None:
        yield from wrapped(found.blind, "  ", 2)
    if found.checks:
        yield from table([("must be", "now", ""), *map(_check, found.checks)], (1,), "  ")
    for step in found.verify:
        yield from wrapped(f"# {step.what}:", "  ", 2)
        yield f"  {step.command}"


def _check(check: Check) -> tuple[str, str, str]:
    now = f"- (--section {check.section})" if check.now is None else short_count(check.now)
    unit = " %" if check.unit == "%" and check.now is not None else ""
    what = check.what if check.decisive else f"({check.what})"
    return WANTED[check.toward], now + unit, what
