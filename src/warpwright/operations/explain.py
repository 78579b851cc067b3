"""The verb `explain`: one finding, with all that it rests on and how to see that a fix worked."""

from __future__ import annotations

import shlex
from pathlib import Path

from warpwright.glossary import describe
from warpwright.model.address import Address
from warpwright.model.deeper import Deeper
from warpwright.model.digest import Evidence, Finding
from warpwright.model.explanation import Check, ExplainedMetric, Explanation, Rival
from warpwright.model.report import Launch
from warpwright.operations.basis import basis_of
from warpwright.operations.deeper import deeper, named
from warpwright.operations.disassembly import launch_code
from warpwright.operations.explain_code import code_parts
from warpwright.operations.found import Found, find_finding
from warpwright.operations.ledger import known_scores
from warpwright.query.effects import present
from warpwright.query.machine_facts import MachineFacts
from warpwright.query.sight_table import SIGHTS
from warpwright.query.sights import Sights

_OVERLAP = 0.1


def explain(address: str, source_root: Path | None = None) -> Explanation:
    """All that is known of the finding that an address names.

    Args:
        address: of a finding, REPORT#L0/finding/ID.
        source_root: the folder that holds sources which the report has not imported.

    Raises:
        BadInput: the address names no finding, the digest has no such finding, or there is no
            such folder.
        BadReport: the report cannot be read.
    """
    found = find_finding(address)
    finding, launch, digest = found.finding, found.launch, found.digest
    sights = SIGHTS.get(finding.id, Sights(blind="this version knows no number that shows it"))
    ns = digest.duration_ns
    return Explanation(
        launch=digest.address,
        kernel=digest.kernel,
        duration_ns=ns,
        bound=digest.bound,
        finding=finding,
        predicted_ns=ns / finding.speedup.expected if ns is not None else None,
        basis=basis_of(finding.id),
        evidence=tuple(_link(found, row) for row in finding.evidence),
        checks=_checks(launch, sights),
        blind=sights.blind,
        rivals=_rivals(found),
        ledger=next(iter(known_scores({finding.id}, found.report.device)), None),
        cautions=digest.cautions,
        verify=_verify(digest.address, finding, seen=sights.blind is None),
        deeper=_deeper(found),
        **code_parts(found.opened, launch, finding, source_root),
    )


def _link(found: Found, row: Evidence) -> ExplainedMetric:
    known = row.metric in found.launch.metrics
    place = Address(found.opened.path, found.launch.index, "metric", row.metric)
    return ExplainedMetric(
        metric=row.metric,
        address=str(place) if known else None,
        value=row.value,
        unit=row.unit,
        says=row.meaning,
        meaning=describe(row.metric).meaning if known else None,
    )


def _checks(launch: Launch, sights: Sights) -> tuple[Check, ...]:
    facts = MachineFacts(launch, launch_code)
    return tuple(
        Check(
            what=sight.what,
            toward=sight.toward,
            metric=sight.metric,
            section=sight.section,
            unit=sight.unit,
            now=present(sight, facts)[0],
            decisive=sight.decisive,
        )
        for sight in sights.rows
    )


def _rivals(found: Found) -> tuple[Rival, ...]:
    """The findings that cost at the same lines, or rest on the same evidence."""
    rivals = [
        _rival(found.finding, other)
        for other in found.digest.findings
        if other.id != found.finding.id
    ]
    return tuple(r for r in rivals if (r.overlap or 0.0) >= _OVERLAP or r.same_metrics)


def _rival(finding: Finding, other: Finding) -> Rival:
    theirs = {(place.file, place.line) for place in other.where}
    both = [place.share for place in finding.where if (place.file, place.line) in theirs]
    metrics = {row.metric for row in other.evidence if row.value is not None}
    return Rival(
        id=other.id,
        address=other.address,
        title=other.title,
        expected=other.speedup.expected,
        overlap=min(1.0, sum(both)) if finding.where and theirs else None,
        same_metrics=tuple(r.metric for r in finding.evidence if r.metric in metrics),
    )


def _verify(launch: str, finding: Finding, seen: bool) -> tuple[Deeper, ...]:
    """`seen`: one launch shows whether the change took effect; else reports are compared whole."""
    claim = ("--claim", finding.id) if seen else ()
    place = launch if seen else launch.rpartition("#")[0]
    because = f"warpwright evaluate TASK NEW --because {shlex.quote(named(finding.address))}"
    return (
        deeper("profile the new candidate: NEW.ncu-rep", "profile", "TASK", "NEW"),
        deeper("did it take effect", "diff", place, "NEW.ncu-rep", *claim),
        Deeper(what="is it correct, and what did it give", command=because),
    )


def _deeper(found: Found) -> tuple[Deeper, ...]:
    address, finding = found.digest.address, found.finding
    steps = [
        deeper("the instructions of its first line", "show", f"{address}/line/{p.file}:{p.line}")
        for p in finding.where[:1]
    ]
    names = dict.fromkeys(r.metric for r in finding.evidence if r.metric in found.launch.metrics)
    if names:
        steps.append(deeper("its evidence by unit and instance", "metrics", address, *names))
    if finding.id.startswith(("launch.", "occupancy.")):
        steps.append(deeper("what other launch settings would give", "what-if", address))
    return tuple(steps)
