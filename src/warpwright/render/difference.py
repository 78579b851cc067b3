"""A difference as text: the headline, then causes, metrics, lines and opcodes."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.difference import Cut, Difference, LaunchPair
from warpwright.model.digest import DigestReport
from warpwright.model.launch_list import LaunchRow
from warpwright.render.difference_parts import (
    ARROW,
    explained_lines,
    more_lines,
    raw_lines,
    times_text,
)
from warpwright.render.layout import deeper_lines, shortened, table, wrapped
from warpwright.render.numbers import time_text

_NAME = 30
_SHORT_NAME = 20  # in a table
_SAME = 0.005


def difference_text(found: Difference) -> str:
    """The pair that changed most, whole; of several pairs a table of all comes before it."""
    lines = [f"{found.before.path} {ARROW} {found.after.path}", *_device(found)]
    for caution in found.cautions:
        lines += wrapped(f"caution: {caution}", "", 2)
    pairs = found.pairs
    counts = [pairs.count + left.count for left in (found.only_before, found.only_after)]
    if counts != [1, 1] or not pairs.count:
        lines += ["", _total(found, counts)]
    if pairs.count > 1:
        lines += ["", *_pair_table(pairs)]
    for what, left in (("before", found.only_before), ("after", found.only_after)):
        lines += _unmatched(what, left)
    for pair in pairs.rows if found.raw else pairs.rows[:1]:
        lines += ["", *_headline(pair)]
        lines += raw_lines(pair) if found.raw else explained_lines(pair)
    return "\n".join([*lines, *deeper_lines(found.deeper)]) + "\n"


def _device(found: Difference) -> list[str]:
    """The GPU and the tool, each once if it is the same; nothing of what is not known."""
    versions = [side.tool_version and f"ncu {side.tool_version}" for side in _sides(found)]
    devices = [side.device for side in _sides(found)]
    told = (f" {ARROW} ".join(dict.fromkeys(filter(None, fact))) for fact in (devices, versions))
    return wrapped(", ".join(filter(None, told)))


def _sides(found: Difference) -> tuple[DigestReport, DigestReport]:
    return found.before, found.after


def _total(found: Difference, counts: list[int]) -> str:
    one, other = found.before_total_ns, found.after_total_ns
    gain = f", {_gain(one / other)}" if one and other else ""
    return (
        f"{counts[0]} {ARROW} {counts[1]} launches, "
        f"in all {time_text(one)} {ARROW} {time_text(other)}{gain}"
    )


def _pair_table(pairs: Cut[LaunchPair]) -> list[str]:
    head = ("before", "after", "kernel", "before", "after", "", "matched by")
    rows = [
        (
            f"L{pair.before.index}",
            f"L{pair.after.index}",
            shortened(pair.after.kernel, _SHORT_NAME),
            time_text(pair.before.duration_ns),
            time_text(pair.after.duration_ns),
            times_text(pair.speedup),
            pair.matched_by,
        )
        for pair in pairs.rows
    ]
    return [*table([head, *rows], (3, 4, 5)), *more_lines(pairs, "pairs")]


def _unmatched(what: str, left: Cut[LaunchRow]) -> list[str]:
    if not left.count:
        return []
    names = ", ".join(
        f"L{row.index} {shortened(row.kernel, _NAME)} ({time_text(row.duration_ns)})"
        for row in left.rows
    )
    return [*wrapped(f"only {what}: {names}", "", 2), *more_lines(left, "launches")]


def _headline(pair: LaunchPair) -> Iterator[str]:
    one, other = pair.before, pair.after
    names = [one.kernel] if one.kernel == other.kernel else [one.kernel, other.kernel]
    kernel = f" {ARROW} ".join(shortened(name, _NAME) for name in names)
    renamed = ", renamed" if len(names) == 2 and pair.matched_by == "order" else ""
    yield f"L{one.index} {ARROW} L{other.index}  {kernel}"
    yield f"(matched by {pair.matched_by}{renamed})"
    times = f"{time_text(one.duration_ns)} {ARROW} {time_text(other.duration_ns)}"
    yield f"{times}, {_verdict(pair)}"
    bounds = dict.fromkeys(filter(None, (pair.before_bound, pair.after_bound)))
    if bounds:
        yield f"bound by: {f' {ARROW} '.join(bounds)}"
    for caution in pair.cautions:
        yield from wrapped(f"caution: {caution}", "", 2)


def _verdict(pair: LaunchPair) -> str:
    gain, noise = pair.speedup, pair.time_noise_pct
    if gain is None or noise is None:
        return "not measured on both sides"
    if 100 * (1 - min(gain, 1 / gain)) <= noise:
        return f"no change beyond the noise of {noise:.1f} %"
    return _gain(gain)


def _gain(gain: float) -> str:
    if abs(gain - 1) < _SAME:
        return "as fast"
    return f"{times_text(gain)} faster" if gain > 1 else f"{times_text(1 / gain)} slower"
