"""Two matched launches, compared: causes, metrics, lines, opcodes."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Any

from warpwright.advice.cautions import unreadable
from warpwright.model.difference import Cut, LaunchPair, MatchedBy, MetricChange, OnlyIn
from warpwright.model.report import Launch
from warpwright.operations.diff_causes import cause_changes
from warpwright.operations.diff_cautions import pair_cautions
from warpwright.operations.diff_effects import effects_of
from warpwright.operations.diff_limit import next_limit
from warpwright.operations.diff_lines import compare_lines
from warpwright.operations.diff_options import DiffOptions, Side
from warpwright.operations.launches import launch_row
from warpwright.operations.times import time_moves
from warpwright.query.difference import all_changes, explaining_changes, moved_names, only_in
from warpwright.query.noise import Noise
from warpwright.query.opcode_changes import opcode_changes

_DURATION = "gpu__time_duration.sum"


def compare(before: Side, after: Side, by: MatchedBy, options: DiffOptions) -> LaunchPair:
    """All that differs between two launches."""
    noise = Noise(
        unlocked=before.report.clocks_unlocked or after.report.clocks_unlocked,
        pct=options.noise_pct,
        spreads=(before.spread, after.spread),
    )
    times = [side.launch.number(_DURATION) for side in (before, after)]
    one, other = times
    longer = max(one or 0.0, other or 0.0)
    parts = _numbers(before, after, noise, options)
    if not options.numbers_only:
        parts |= _explained(before, after, noise, options)
    cautions = pair_cautions((before.report, before.launch), (after.report, after.launch))
    return LaunchPair(
        before=launch_row(before.report, before.launch),
        after=launch_row(after.report, after.launch),
        matched_by=by,
        speedup=one / other if one and other else None,
        time_noise_pct=100 * noise.of(_DURATION, one, other) / longer if one and other else None,
        cautions=(*cautions, *parts.pop("cautions", ())),
        only_in=OnlyIn(
            before=_only_in(before.launch, after.launch, options),
            after=_only_in(after.launch, before.launch, options),
        ),
        **parts,
    )


def _numbers(before: Side, after: Side, noise: Noise, options: DiffOptions) -> dict[str, Any]:
    """The metrics alone."""
    one, other = before.launch, after.launch
    if options.numbers_only:
        moved = set() if options.globs else moved_names(one, other, noise)
        wanted = all_changes(
            one, other, noise, lambda name: name in moved or _fits(name, options.globs)
        )
        return {"metrics": options.cut(wanted)}
    found = explaining_changes(one, other, noise)
    shown: list[MetricChange] = []
    for _, group in groupby(found, key=lambda change: change.kind):
        shown += list(group)[: options.most]
    return {"metrics": Cut(rows=tuple(shown), count=len(moved_names(one, other, noise)))}


def _only_in(launch: Launch, other: Launch, options: DiffOptions) -> Cut[str]:
    names = only_in(launch, other)
    if options.globs:
        names = [name for name in names if _fits(name, options.globs)]
    return options.cut(names)


def _fits(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def _explained(before: Side, after: Side, noise: Noise, options: DiffOptions) -> dict[str, Any]:
    """Causes, lines and opcodes."""
    one, other = before.launch, after.launch
    parts: dict[str, Any] = {}
    if not unreadable(one) and not unreadable(other):
        digests, causes = cause_changes((before.report, one), (after.report, other))
        parts["before_bound"], parts["after_bound"] = (digest.bound for digest in digests)
        parts["causes"] = options.cut(causes)
        parts["effects"] = effects_of(digests, (one, other), options.claims)
        parts["next_limit"] = next_limit(digests[1], other)
        parts["times"] = tuple(time_moves(one, other)) or None
    opcodes = opcode_changes(one, other)
    if opcodes is not None:
        parts["opcodes"] = options.cut(opcodes)
    parts["lines"], parts["cautions"] = compare_lines(before, after, noise, options)
    return parts
