"""Findings of two launches, compared: which causes were solved, which are new."""

from __future__ import annotations

import math
from collections.abc import Container
from dataclasses import replace

from warpwright.advice.digest import digest_launch
from warpwright.model.address import Address
from warpwright.model.difference import CauseChange, CauseState
from warpwright.model.digest import DigestLaunch, Finding
from warpwright.model.report import Launch, Report

_STATES: tuple[CauseState, ...] = ("solved", "new", "changed", "same", "not measured")
_SAME = 0.05  # predictions that differ by less, relatively, are the same


def cause_changes(
    before: tuple[Report, Launch], after: tuple[Report, Launch]
) -> tuple[tuple[DigestLaunch, DigestLaunch], list[CauseChange]]:
    """Both digests, and their findings: solved ones first, then new ones, then by what they cost.

    A cause is the same if its predicted speedup differs by at most 5 %. One that only one launch
    has is `not measured` where the other was not asked for what shows it.
    """
    digests = digest_launch(*before), digest_launch(*after)
    ones, others = ({found.id: found for found in digest.findings} for digest in digests)
    changes = [
        _change(
            ones.get(name),
            others.get(name),
            (_place(*before), _place(*after)),
            (before[1].metrics, after[1].metrics),
        )
        for name in ones | others
    ]
    changes.sort(
        key=lambda c: (_STATES.index(c.state), -(c.after_expected or c.before_expected or 1))
    )
    return digests, changes


def _place(report: Report, launch: Launch) -> Address:
    return Address(report.path, launch.index)


def _change(
    before: Finding | None,
    after: Finding | None,
    places: tuple[Address, Address],
    measured: tuple[Container[str], Container[str]],
) -> CauseChange:
    shown = after or before
    assert shown is not None
    return CauseChange(
        state=_state(before, after, measured),
        id=shown.id,
        title=shown.title,
        confidence=shown.confidence,
        before_expected=before.speedup.expected if before else None,
        after_expected=after.speedup.expected if after else None,
        before_address=_address(places[0], before),
        after_address=_address(places[1], after),
    )


def _address(place: Address, finding: Finding | None) -> str | None:
    return str(replace(place, kind="finding", name=finding.id)) if finding else None


def _state(
    before: Finding | None, after: Finding | None, measured: tuple[Container[str], Container[str]]
) -> CauseState:
    if before is None or after is None:
        shown = after or before
        asked = measured[0] if before is None else measured[1]
        rows = [row for row in shown.evidence if row.value is not None] if shown else []
        if rows and rows[0].metric not in asked:  # the first is what gives the cause away
            return "not measured"
        return "new" if before is None else "solved"
    grew = abs(math.log(after.speedup.expected / before.speedup.expected))
    return "changed" if grew > math.log1p(_SAME) else "same"
