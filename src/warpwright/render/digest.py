"""A digest as text: what limits each launch, what to do, what it should give."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from warpwright.model.digest import Digest, DigestLaunch, DigestReport, Finding
from warpwright.model.ledger import DigestWithLedger, FindingScore
from warpwright.operations.budget import allowed_tokens, tokens
from warpwright.operations.deeper import named
from warpwright.render.digest_finding import brief_lines, finding_lines, one_line_each, wrapped_all
from warpwright.render.digest_fit import Detail, details_of_one, details_of_several
from warpwright.render.layout import WIDTH, shortened, wrapped
from warpwright.render.numbers import time_text

_MOST_LAUNCHES = 8
_MOST_NAMED = 6
_CUT = "... (cut by --budget)"
_ROUND = 100  # budgets are proposed in hundreds


def digest_text(digest: Digest, limit: int = _MOST_LAUNCHES, budget: int | None = None) -> str:
    """The digest for a terminal, 80 columns, no colour; the costliest `limit` launches.

    Of a digest with the ledger, each whole finding is followed by what such advice was worth.

    Args:
        digest: of one launch or several.
        limit: the most launches.
        budget: tokens for each of at most four launches (None: all is shown whole). The best
            findings stay whole; later ones become one line each, then the least are left out.
    """
    ranked = sorted(digest.launches, key=lambda launch: -(launch.share_of_time or 0.0))
    shown = ranked[:limit]
    if budget is None:
        return _text(digest, ranked, Detail(launches=len(shown)))
    most = allowed_tokens(budget, len(shown))
    if len(digest.launches) > 1:
        details = details_of_several(len(shown))
    else:
        details = details_of_one(len(shown[0].findings) if shown else 0)
    needed, text = 0, ""
    for detail in details:
        text = _text(digest, ranked, detail, needed)
        if tokens(text) <= most:
            return text
        needed = needed or -(-tokens(text) // _ROUND) * _ROUND
    return _cut(text, most)


def _text(digest: Digest, ranked: Sequence[DigestLaunch], detail: Detail, needed: int = 0) -> str:
    """`needed`: the budget of one launch in which it is whole; 0 is not told."""
    ledger = digest.ledger if isinstance(digest, DigestWithLedger) else ()
    known = {score.finding: score for score in ledger}
    several = len(digest.launches) > 1
    shown = ranked[: detail.launches]
    lines = _head(digest.report)
    if several:
        if digest.first:
            lines += ["", "First:", *wrapped_all(digest.first, "  ", 2)]
        lines += _cautions_of_several(shown)
    for launch in shown:
        lines += ["", *_launch_head(launch, several)]
        lines += _findings(launch, detail, known, several, bool(digest.missing))
        lines += _left_out(launch, detail, 0 if several else needed)
    if len(ranked) > len(shown):
        more = len(ranked) - len(shown)
        lines += ["", f"... and {more} more launches (--limit N, --budget N show more)"]
    lines += _missing(digest.missing, detail.short)
    best = next((launch.findings[0] for launch in ranked if launch.findings), None)
    if best is not None and not detail.short:
        lines += _next_steps(best)
    return "\n".join(lines) + "\n"


def _next_steps(best: Finding) -> list[str]:
    address = shlex.quote(named(best.address))
    return [
        "",
        "next: all behind it; then change it, and let the gain be measured:",
        f"  warpwright ncu explain {address}",
        f"  warpwright evaluate TASK NEW --because {address}",
    ]


def _head(report: DigestReport) -> list[str]:
    facts = (
        report.device,
        f"cc {report.compute_capability}" if report.compute_capability else None,
        f"{report.sm_count} SMs" if report.sm_count else None,
        f"ncu {report.tool_version}" if report.tool_version else None,
    )
    return [report.path, *wrapped(", ".join(filter(None, facts)))]


def _cautions_of_several(launches: Sequence[DigestLaunch]) -> list[str]:
    """Each kind of caution once, as it is of the costliest launch, with the launches it is of."""
    by_id: dict[str, tuple[str, list[str]]] = {}
    for launch in launches:
        for caution in launch.cautions:
            by_id.setdefault(caution.id, (caution.text, []))[1].append(f"L{launch.index}")
    lines = [""] if by_id else []
    for text, names in by_id.values():
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        lines += wrapped(f"caution ({', '.join(names[:_MOST_NAMED])}{more}): {text}", "", 2)
    return lines


def _launch_head(launch: DigestLaunch, several: bool) -> list[str]:
    grid, block = ("x".join(map(str, sizes)) for sizes in (launch.grid, launch.block))
    share = launch.share_of_time
    of_all = f", {share:.0%} of all time" if several and share is not None else ""
    ns = launch.duration_ns
    time = "duration not measured" if ns is None else time_text(ns, 4)
    tag = launch.address.rpartition("#")[2]
    sizes = f"  grid {grid}, block {block}" if any(launch.grid) else ""
    kernel = shortened(launch.kernel, WIDTH - len(tag) - len(sizes) - 1)
    lines = [f"{tag} {kernel}{sizes}", f"   {time}{of_all}, bound by: {launch.bound}"]
    if not several:
        lines += wrapped_all([f"caution: {caution.text}" for caution in launch.cautions], "   ")
    return lines


def _findings(
    launch: DigestLaunch,
    detail: Detail,
    known: Mapping[str, FindingScore],
    several: bool,
    partial: bool,
) -> list[str]:
    found = launch.findings
    whole = len(found) if detail.whole is None else detail.whole
    brief = whole + detail.brief
    lines: list[str] = []
    for finding in found[:whole]:
        lines += ["", *finding_lines(finding, known.get(finding.id))]
    for finding in found[whole:brief]:
        lines += ["", *brief_lines(finding, known.get(finding.id))]
    if found[brief : detail.findings]:
        lines += ["", *one_line_each(found[brief : detail.findings])]
    if not found and (several or not launch.cautions):
        lines.append(
            "   no finding from what was collected"
            if partial
            else "   no finding: no cause that this version knows costs visible time"
        )
    return lines


def _left_out(launch: DigestLaunch, detail: Detail, needed: int) -> list[str]:
    """How many findings are short or gone, and the command that shows them."""
    count = len(launch.findings)
    if detail.whole is None or detail.whole >= count:
        return []
    gone = max(0, count - (detail.findings or 0))
    short = count - detail.whole - gone
    told = [f"{n} {what}" for n, what in ((short, "shortened"), (gone, "left out")) if n]
    more = f" --budget {needed}" if needed else ""
    command = f"warpwright ncu digest {shlex.quote(named(launch.address))}{more}"
    return ["", f"  {', '.join(told)}; whole:", f"  {command}"]


def _missing(missing: Sequence[str], short: bool) -> list[str]:
    if short and missing:
        sections = "1 section" if len(missing) == 1 else f"{len(missing)} sections"
        return ["", f"Not collected: {sections} (--json names them)"]
    return ["", "Not collected:", *wrapped_all(missing, "  ", 2)] if missing else []


def _cut(text: str, most: int) -> str:
    """The first lines of the text that leave room to say that it was cut."""
    kept: list[str] = []
    for line in text.splitlines():
        if tokens("\n".join([*kept, line, _CUT]) + "\n") > most:
            break
        kept.append(line)
    return "\n".join([*kept, _CUT]) + "\n"
