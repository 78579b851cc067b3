"""A finding and the report it is of."""

from __future__ import annotations

from dataclasses import dataclass

from warpwright.model.digest import DigestReport, Finding


@dataclass(frozen=True, slots=True)
class Found:
    """What an address of a finding leads to."""

    finding: Finding
    report: DigestReport
