"""A digest as text: what limits each launch, what to do, what it should give."""

from __future__ import annotations

from collections.abc import Mapping

from warpwright.model.digest import Digest, DigestLaunch, Evidence, Finding
from warpwright.model.ledger import DigestWithLedger, FindingScore
from warpwright.render.layout import wrapped
from warpwright.render.ledger import worth_text
from warpwright.render.numbers import time_text

_MOST_LAUNCHES = 8


def digest_text(digest: Digest, limit: int = _MOST_LAUNCHES) -> str:
    """The digest for a terminal, 80 columns, no colour; the costliest `limit` launches.

    Of a digest with the ledger, each finding is followed by what such advice was worth.
    """
    head = digest.report
    ledger = digest.ledger if isinstance(digest, DigestWithLedger) else ()
    known = {score.finding: score for score in ledger}
    device = ", ".join(
        part
        for part in (
            head.device,
            f"cc {head.compute_capability}" if head.compute_capability else None,
            f"{head.sm_count} SMs" if head.sm_count else None,
            f"ncu {head.tool_version}" if head.tool_version else None,
        )
        if part
    )
    lines = [head.path, *_wrapped([device], "")]
    several = len(digest.launches) > 1
    if several and digest.first:
        lines += ["", "First:", *_wrapped(digest.first, "  ")]
    ranked = sorted(digest.launches, key=lambda launch: -(launch.share_of_time or 0.0))
    for launch in ranked[:limit]:
        lines += ["", *_launch(launch, several, bool(digest.missing), known)]
    if len(ranked) > limit:
        lines += ["", f"... and {len(ranked) - limit} more launches (--limit N shows more)"]
    if digest.missing:
        lines += ["", "Not collected:", *_wrapped(digest.missing, "  ")]
    best = next((launch.findings[0] for launch in ranked if launch.findings), None)
    if best is not None:
        lines += ["", "next: change it, then let the gain be measured against the prediction:"]
        lines.append(f"  warpwright evaluate TASK NEW --because '{best.address}'")
    return "\n".join(lines) + "\n"


def _launch(
    launch: DigestLaunch, several: bool, partial: bool, known: Mapping[str, FindingScore]
) -> list[str]:
    grid, block = ("x".join(map(str, sizes)) for sizes in (launch.grid, launch.block))
    share = launch.share_of_time
    of_all = f", {share:.0%} of all time" if several and share is not None else ""
    ns = launch.duration_ns
    time = "duration not measured" if ns is None else time_text(ns, 4)
    tag = launch.address.rpartition("#")[2]
    sizes = f"  grid {grid}, block {block}" if any(launch.grid) else ""
    lines = [
        f"{tag} {launch.kernel}{sizes}",
        f"   {time}{of_all}, bound by: {launch.bound}",
    ]
    for caution in launch.cautions:
        lines += _wrapped([f"caution: {caution.text}"], "   ")
    for finding in launch.findings:
        lines += ["", *finding_lines(finding, known.get(finding.id))]
    if not launch.findings and not launch.cautions:
        lines.append(
            "   no finding from what was collected"
            if partial
            else "   no finding: no cause that this version knows costs visible time"
        )
    return lines


def finding_lines(finding: Finding, score: FindingScore | None = None) -> list[str]:
    """One finding: what it is, what it promises (and was worth before), its evidence, actions."""
    gain = finding.speedup
    lines = _wrapped([f"{finding.rank}. {finding.id}: {finding.title}"], "  ", hang=3)
    lines.append(
        f"     predicted {gain.expected:.2f}x ({gain.low:.2f} to {gain.high:.2f}), "
        f"confidence {finding.confidence}"
    )
    if score is not None:
        lines += _wrapped([worth_text(score)], "     ", hang=2)
    lines += _wrapped([_fact(row) for row in finding.evidence], "     ", hang=2)
    if finding.where:
        at = ", ".join(f"{p.file}:{p.line} ({p.share:.0%})" for p in finding.where)
        lines += _wrapped([f"where: {at}"], "     ", hang=7)
    lines += _wrapped([f"-> {action}" for action in finding.actions], "     ", hang=3)
    return lines


def _fact(row: Evidence) -> str:
    value = "not measured" if row.value is None else _number(row.value)
    unit = f" {row.unit}" if row.unit and row.value is not None else ""
    return f"{value}{unit} {row.meaning}  [{row.metric}]"


def _number(value: float | int | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _wrapped(texts: tuple[str, ...] | list[str], indent: str, hang: int = 0) -> list[str]:
    lines = []
    for text in texts:
        lines += wrapped(text, indent, hang)
    return lines
