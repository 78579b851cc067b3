"""A finding of the digest as text: whole, in brief, or in one line."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from warpwright.model.digest import Evidence, Finding
from warpwright.model.ledger import FindingScore
from warpwright.render.layout import WIDTH, shortened, wrapped
from warpwright.render.ledger import worth_text

_BRIEF_ROWS = 2
_BRIEF_ACTION = 230  # characters


def finding_lines(finding: Finding, score: FindingScore | None = None) -> list[str]:
    """One finding: what it is, what it promises (and was worth before), its evidence, actions."""
    lines = _title(finding, score)
    lines += wrapped_all(map(_fact, finding.evidence), "     ", hang=2)
    if finding.where:
        at = ", ".join(f"{p.file}:{p.line} ({p.share:.0%})" for p in finding.where)
        lines += wrapped(f"where: {at}", "     ", hang=7)
    return lines + wrapped_all([f"-> {action}" for action in finding.actions], "     ", hang=3)


def brief_lines(finding: Finding, score: FindingScore | None = None) -> list[str]:
    """Its title and promise, the evidence that counts most, one place, the first action."""
    lines = _title(finding, score)
    known = [row for row in finding.evidence if row.value is not None]
    lines += wrapped_all(map(_brief_fact, known[:_BRIEF_ROWS]), "     ", hang=2)
    for place in finding.where[:1]:
        lines.append(f"     where: {place.file}:{place.line} ({place.share:.0%})")
    for action in finding.actions[:1]:
        told = textwrap.shorten(action, _BRIEF_ACTION, placeholder=" ...")
        lines += wrapped(f"-> {told}", "     ", hang=3)
    return lines


def one_line_each(findings: Sequence[Finding]) -> list[str]:
    """Rank, id, promise and title, as far as a line goes."""
    width = max((len(finding.id) for finding in findings), default=0)
    return [
        shortened(
            f"  {finding.rank}. {finding.id:{width}}  {finding.speedup.expected:5.2f}x  "
            f"{finding.title}",
            WIDTH,
        )
        for finding in findings
    ]


def gain_text(finding: Finding) -> str:
    """What it promises, and how sure that is."""
    gain = finding.speedup
    return (
        f"{gain.expected:.2f}x ({gain.low:.2f} to {gain.high:.2f}), confidence {finding.confidence}"
    )


def fact_value(value: float | int | str | None, unit: str | None) -> str:
    """A value of the evidence with its unit."""
    if value is None:
        return "not measured"
    return f"{_number(value)} {unit}" if unit else _number(value)


def wrapped_all(texts: Iterable[str], indent: str, hang: int = 0) -> list[str]:
    """Paragraphs, one below the other."""
    return [line for text in texts for line in wrapped(text, indent, hang)]


def _title(finding: Finding, score: FindingScore | None) -> list[str]:
    lines = wrapped(f"{finding.rank}. {finding.id}: {finding.title}", "  ", hang=3)
    lines.append(f"     predicted {gain_text(finding)}")
    return lines if score is None else lines + wrapped(worth_text(score), "     ", hang=2)


def _fact(row: Evidence) -> str:
    return f"{_brief_fact(row)}  [{row.metric}]"


def _brief_fact(row: Evidence) -> str:
    return f"{fact_value(row.value, row.unit)} {row.meaning}"


def _number(value: float | int | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
