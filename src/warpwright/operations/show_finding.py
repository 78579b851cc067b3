"""One finding, and what lies behind it."""

from __future__ import annotations

import shlex

from warpwright.model.address import Address
from warpwright.model.deeper import Deeper
from warpwright.model.finding_view import FindingView
from warpwright.operations.deeper import deeper
from warpwright.operations.found import find_finding
from warpwright.operations.ledger import known_scores
from warpwright.operations.place import place_of


def show_finding(address: str) -> FindingView:
    """The finding that an address names, with its first line and its evidence one step away.

    Raises:
        BadInput: the digest has no such finding.
        BadReport: the report cannot be read.
    """
    found = find_finding(address)
    finding = found.finding
    place = place_of(address)
    launch = Address(place.report, place.launch)
    steps = [deeper("all behind it, and how to verify a fix", "explain", address)]
    steps += [
        deeper("its first line", "show", f"{launch}/line/{where.file}:{where.line}")
        for where in finding.where[:1]
    ]
    globs = [row.metric for row in finding.evidence if "__" in row.metric]
    if globs:
        steps.append(deeper("its evidence", "metrics", str(launch), *dict.fromkeys(globs)))
    gain = f"warpwright evaluate TASK NEW --because {shlex.quote(address)}"
    steps.append(Deeper(what="let the gain be measured", command=gain))
    score = next(iter(known_scores({finding.id}, found.report.device)), None)
    return FindingView(finding=finding, ledger=score, deeper=tuple(steps))
