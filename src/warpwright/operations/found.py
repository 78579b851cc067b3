"""Find the finding that an address names."""

from __future__ import annotations

from dataclasses import dataclass

from warpwright.advice.digest import digest_launch
from warpwright.errors import BadInput
from warpwright.model.digest import DigestLaunch, DigestReport, Finding
from warpwright.model.report import Launch, Report
from warpwright.operations.opened import open_report
from warpwright.operations.place import place_of
from warpwright.operations.report_facts import report_facts


@dataclass(frozen=True, slots=True)
class Found:
    """What an address of a finding leads to: it, all findings of its launch, and these two."""

    finding: Finding
    digest: DigestLaunch
    launch: Launch
    opened: Report

    @property
    def report(self) -> DigestReport:
        """Facts of the report."""
        return report_facts(self.opened)


def find_finding(address: str) -> Found:
    """The finding that an address names, from a fresh digest of its launch.

    Raises:
        BadInput: the address names no finding, or the digest has no such finding.
        BadReport: the report cannot be read.
    """
    place = place_of(address)
    if place.kind != "finding" or place.launch is None:
        raise BadInput(
            f"'{address}' does not name a finding",
            hint="for example REPORT#L0/finding/memory.local; `warpwright ncu digest REPORT` "
            "prints the addresses",
        )
    opened = open_report(address)
    digest = digest_launch(opened.report, opened.launch)
    for finding in digest.findings:
        if finding.id == place.name:
            return Found(finding, digest, opened.launch, opened.report)
    raise BadInput(
        f"the digest of {place.report} has no finding {place.name} for L{place.launch}",
        hint=f"warpwright ncu digest '{digest.address}' lists what it has",
    )
