"""The verb `diff`: what changed between two reports, or two launches, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from warpwright.errors import BadInput
from warpwright.model.address import Address
from warpwright.model.difference import Cut, Difference
from warpwright.model.launch_list import LaunchRow
from warpwright.model.report import Report
from warpwright.operations.diff_cautions import check_device, report_cautions
from warpwright.operations.diff_deeper import by_address, deeper_than
from warpwright.operations.diff_effects import claimed_id
from warpwright.operations.diff_options import DiffOptions, Side
from warpwright.operations.diff_pair import compare
from warpwright.operations.launches import launch_row
from warpwright.operations.nearest import nearest
from warpwright.operations.opened import Opened, open_report
from warpwright.operations.report_facts import report_facts
from warpwright.query.matching import Match, Matching, Ran, match_launches, ran
from warpwright.query.noise import Spread, spread_of

_MOST_REPEATS = 16  # launches of one kernel that are looked at for the range of a metric


def diff(before: str, after: str, options: DiffOptions | None = None) -> Difference:
    """Compare two reports, or two launches (`REPORT#L0`), also of one report.

    Args:
        before: the address of a report or launch.
        after: that of the other.
        options: what is wanted of it.

    Raises:
        BadInput: no such launch, the GPUs differ, no metric of a matched launch fits, or a claim
            names no finding.
        BadReport: a report cannot be read.
    """
    wanted = options or DiffOptions()
    for claim in wanted.claims:
        claimed_id(claim)  # a wrong name is told before anything is read
    one, other = _open(before), _open(after)
    devices = check_device(one.report, other.report, wanted.any_device)
    runs = [[ran(launch) for launch in opened.report.launches] for opened in (one, other)]
    matching = _match(one.place, other.place, *runs)
    ordered = sorted(matching.matches, key=lambda match: -_time_moved(match))
    matched = [m.before for m in ordered], [m.after for m in ordered]
    spreads = _spreads(one.report, runs[0]), _spreads(other.report, runs[1])
    same_report = one.report.path == other.report.path

    def itself(match: Match) -> frozenset[int]:
        """Launches that are compared say nothing of the noise between them."""
        return frozenset((match.before.index, match.after.index) if same_report else ())

    pairs = [
        compare(
            _side(one.report, match.before, spreads[0](match.before, itself(match))),
            _side(other.report, match.after, spreads[1](match.after, itself(match))),
            match.by,
            wanted,
        )
        for match in ordered[: wanted.most_pairs]
    ]
    if wanted.globs and not any(pair.metrics.count for pair in pairs):
        raise _no_metric(one, wanted.globs)
    return Difference(
        before=report_facts(one.report),
        after=report_facts(other.report),
        raw=wanted.numbers_only,
        before_total_ns=_total([*matched[0], *matching.only_before]),
        after_total_ns=_total([*matched[1], *matching.only_after]),
        pairs=Cut(rows=tuple(pairs), count=len(ordered)),
        only_before=_rows(one.report, matching.only_before, wanted.most),
        only_after=_rows(other.report, matching.only_after, wanted.most),
        cautions=(*devices, *report_cautions(one.report, other.report)),
        deeper=deeper_than(pairs, wanted)
        if pairs
        else (by_address(one.place, other.place, wanted),),
    )


def _open(address: str) -> Opened:
    opened = open_report(address)
    place = opened.place
    if place.kind is not None:
        raise BadInput(
            f"'{address}' names a {place.kind}; diff takes reports or launches",
            hint=f"for example {Address(place.report, place.launch)}",
        )
    return opened


def _match(one: Address, other: Address, before: list[Ran], after: list[Ran]) -> Matching:
    """If both addresses name a launch, these two; if one does, what matches it and nothing else."""
    if one.launch is not None and other.launch is not None:
        return Matching((Match(before[one.launch], after[other.launch], "address"),), (), ())
    matching = match_launches(_meant(one, before), _meant(other, after))
    named = one.launch is not None or other.launch is not None
    return Matching(matching.matches, (), ()) if named and matching.matches else matching


def _meant(place: Address, runs: list[Ran]) -> list[Ran]:
    return runs if place.launch is None else [runs[place.launch]]


def _time_moved(match: Match) -> float:
    one, other = match.before.duration_ns, match.after.duration_ns
    return abs(other - one) if one is not None and other is not None else -1.0


def _spreads(report: Report, runs: Sequence[Ran]) -> Callable[[Ran, frozenset[int]], Spread]:
    """For a launch of a report, the range of its metrics over the launches of the same work.

    The launches of the second argument are left out.
    """
    groups: dict[object, list[int]] = {}
    for one in runs:
        groups.setdefault(_work(one), []).append(one.index)

    @cache
    def spread(work: object, without: frozenset[int]) -> Spread:
        same = [index for index in groups[work] if index not in without][:_MOST_REPEATS]
        return spread_of([report.launches[index] for index in same] if len(same) > 1 else [])

    return lambda one, without: spread(_work(one), without)


def _work(one: Ran) -> object:
    return one.mangled or one.demangled or one.kernel, one.grid, one.block


def _side(report: Report, one: Ran, spread: Spread) -> Side:
    return Side(report, report.launches[one.index], spread)


def _rows(report: Report, runs: Sequence[Ran], most: int | None) -> Cut[LaunchRow]:
    rows = (launch_row(report, report.launches[one.index]) for one in runs[:most])
    return Cut(rows=tuple(rows), count=len(runs))


def _total(runs: Iterable[Ran]) -> float | None:
    """The sum of the durations that are known; None if none is."""
    known = [one.duration_ns for one in runs if one.duration_ns is not None]
    return sum(known) if known else None


def _no_metric(one: Opened, globs: Sequence[str]) -> BadInput:
    known = dict.fromkeys(name for launch in one.launches for name in launch.metrics)
    return BadInput(
        f"no metric that both launches have matches {' or '.join(globs)}",
        hint=nearest(globs[0].strip("*"), known, f"warpwright ncu metrics '{one.place}' '*'"),
    )
