"""From a report to its digest: every launch's findings, ranked. A pure function."""

from __future__ import annotations

from collections.abc import Sequence

from warpwright.advice.cautions import cautions, unreadable
from warpwright.advice.draft import Draft
from warpwright.advice.facts import Facts
from warpwright.advice.findings import FINDINGS
from warpwright.advice.findings.overhead import short_run
from warpwright.advice.ranking import ranked
from warpwright.model.address import Address
from warpwright.model.digest import Bound, Digest, DigestLaunch, DigestReport, Finding
from warpwright.model.report import Launch, Report

_SATURATED = 0.6  # NVIDIA's Speed Of Light rule calls a unit above 60 % of its peak the bottleneck

_SECTIONS = {
    "SpeedOfLight": ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "what is busiest"),
    "SourceCounters": ("smsp__pcsamp_sample_count", "which source lines cost the time"),
    "WarpStateStats": (
        "smsp__average_warp_latency_per_inst_issued.ratio",
        "what warps wait for",
    ),
    "Occupancy": ("launch__occupancy_limit_registers", "how many blocks fit an SM"),
    "MemoryWorkloadAnalysis_Tables": ("lts__t_sectors.sum", "which accesses move which bytes"),
}


def make_digest(report: Report) -> Digest:
    """Rank the causes of every launch.

    Launches whose counters are all NaN, and ranges, get a caution and no findings. The digest
    depends on nothing but the report and this version of Warpwright.
    """
    durations = [_duration(launch) for launch in report.launches]
    total = sum(duration for duration in durations if duration is not None)
    launches = tuple(_digest_launch(report, launch, durations, total) for launch in report.launches)
    return Digest(
        report=DigestReport(
            path=report.path,
            tool_version=report.tool_version,
            device=report.device,
            compute_capability=report.capability_text,
            sm_count=report.sm_count,
        ),
        first=_first(launches),
        missing=_missing(next((one for one in report.launches if not one.damage), None)),
        launches=launches,
    )


def digest_launch(report: Report, launch: Launch) -> DigestLaunch:
    """The digest of one launch alone: its share of time is 1."""
    durations: list[float | None] = [None] * len(report.launches)
    for index in range(max(0, launch.index - 64), min(len(durations), launch.index + 65)):
        durations[index] = _duration(report.launches[index])
    return _digest_launch(report, launch, durations, durations[launch.index] or 0.0)


def _duration(launch: Launch) -> float | None:
    return None if unreadable(launch) else launch.number("gpu__time_duration.sum")


def _digest_launch(
    report: Report, launch: Launch, durations: Sequence[float | None], total_ns: float
) -> DigestLaunch:
    address = Address(report.path, launch.index)
    drafts: list[Draft] = []
    duration_ns = durations[launch.index]
    fellows = short_run(durations, launch.index)
    facts = Facts(launch, report.sm_count or 1, report.sources, fellows)
    kernel = launch.workload == "kernel"
    if report.sm_count is not None and kernel and not unreadable(launch):
        drafts = ranked([draft for find in FINDINGS.values() if (draft := find(facts)) is not None])
    return DigestLaunch(
        index=launch.index,
        address=str(address),
        kernel=launch.kernel,
        grid=launch.grid,
        block=launch.block,
        duration_ns=duration_ns,
        share_of_time=duration_ns / total_ns if duration_ns is not None and total_ns else None,
        bound=_bound(facts, drafts) if kernel else "unknown",
        findings=tuple(
            _finding(rank, draft, address) for rank, draft in enumerate(drafts, start=1)
        ),
        cautions=cautions(launch, report),
    )


def _finding(rank: int, draft: Draft, launch: Address) -> Finding:
    return Finding(
        rank=rank,
        id=draft.id,
        address=str(Address(launch.report, launch.launch, "finding", draft.id)),
        title=draft.title,
        speedup=draft.speedup,
        evidence=draft.evidence,
        where=draft.where,
        actions=draft.actions,
        confidence=draft.confidence,
    )


def _bound(facts: Facts, drafts: list[Draft]) -> Bound:
    """What holds the launch back as a whole: its roof, its launch, its busiest unit, or latency."""
    ids = {draft.id for draft in drafts}
    if "roofline.memory" in ids:
        return "roofline.memory"
    if not facts.busy:
        return "unknown"
    if 2 * facts.blocks <= facts.sm_count or (drafts and drafts[0].id.startswith("launch.")):
        return "launch"  # half of the device idles, or nothing else pays as much
    busiest = facts.busy[0]
    if busiest.mean >= _SATURATED:
        return "compute" if busiest.name == "SM pipes" else "memory"
    return "latency"


def _first(launches: tuple[DigestLaunch, ...]) -> tuple[str, ...]:
    """The best finding of each kernel, by the share of all time that it promises to save.

    Launches of one kernel with the same best finding are one line, with the address of the launch
    that saves most.
    """
    groups: dict[tuple[str, str], list[tuple[float, Finding]]] = {}
    for launch in launches:
        if launch.findings and launch.share_of_time is not None:
            best = launch.findings[0]
            saved = launch.share_of_time * (1 - 1 / best.speedup.expected)
            groups.setdefault((launch.kernel, best.id), []).append((saved, best))
    lines = []
    for saves in groups.values():
        saved = sum(one for one, _ in saves)
        best = max(saves, key=lambda one: one[0])[1]
        others = f", as on {len(saves) - 1} more of this kernel" if len(saves) > 1 else ""
        text = (
            f"{best.address}: {best.title}; saves about {saved:.0%} of all time "
            f"({best.speedup.expected:.2f}x on this launch{others})"
        )
        lines.append((saved, text))
    lines.sort(key=lambda line: -line[0])
    return tuple(text for _, text in lines[:3])


def _missing(launch: Launch | None) -> tuple[str, ...]:
    return tuple(
        f"--section {section} would tell {tells}"
        for section, (metric, tells) in _SECTIONS.items()
        if launch is not None and metric not in launch.metrics
    )
