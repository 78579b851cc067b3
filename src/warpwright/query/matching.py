"""Which launch of one report is which launch of another."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from warpwright.model.difference import MatchedBy
from warpwright.model.report import Launch


@dataclass(frozen=True, slots=True)
class Ran:
    """What matching needs of a launch, so that the launch itself need not be kept."""

    index: int
    kernel: str
    demangled: str
    mangled: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    duration_ns: float | None


@dataclass(frozen=True, slots=True)
class Match:
    """Two launches, and what told that they belong together."""

    before: Ran
    after: Ran
    by: MatchedBy


@dataclass(frozen=True, slots=True)
class Matching:
    """Matches by the order of `before`, and what is left over on either side."""

    matches: tuple[Match, ...]
    only_before: tuple[Ran, ...]
    only_after: tuple[Ran, ...]


# The strictest first. A name is empty where the report does not tell it.
_KEYS: tuple[tuple[MatchedBy, Callable[[Ran], str]], ...] = (
    ("mangled name", lambda ran: ran.mangled),
    ("demangled name", lambda ran: ran.demangled),
    ("base name", lambda ran: ran.kernel),
)


def ran(launch: Launch) -> Ran:
    """The facts of a launch that matching looks at."""
    return Ran(
        launch.index,
        launch.kernel,
        launch.demangled,
        launch.mangled,
        launch.grid,
        launch.block,
        launch.number("gpu__time_duration.sum"),
    )


def match_launches(before: Sequence[Ran], after: Sequence[Ran]) -> Matching:
    """Pair launches by name, from the mangled name to the base name without template arguments.

    Launches of one name are paired in order; if one side has more of them, first those of the same
    grid and block. What is left is paired in order if it is one kernel on each side, as often on
    both: it was renamed, then.
    """
    matches: list[Match] = []
    left, right = list(before), list(after)
    for by, key in _KEYS:
        found = _by_name(left, right, key)
        matches += [Match(one, other, by) for one, other in found]
        left, right = _without(left, matches), _without(right, matches, True)
    if len(left) == len(right) and all(
        len({r.kernel for r in side}) == 1 for side in (left, right)
    ):
        matches += [Match(one, other, "order") for one, other in zip(left, right, strict=True)]
        left, right = [], []
    matches.sort(key=lambda match: match.before.index)
    return Matching(tuple(matches), tuple(left), tuple(right))


def _by_name(
    before: Iterable[Ran], after: Iterable[Ran], key: Callable[[Ran], str]
) -> list[tuple[Ran, Ran]]:
    found = []
    others = _groups(after, key)
    for name, group in _groups(before, key).items():
        if name:
            found += _in_order(group, others.get(name, []))
    return found


def _in_order(before: list[Ran], after: list[Ran]) -> list[tuple[Ran, Ran]]:
    if len(before) == len(after):
        return list(zip(before, after, strict=True))
    others = _groups(after, _shape)
    found = [
        pair
        for shape, group in _groups(before, _shape).items()
        for pair in zip(group, others.get(shape, []), strict=False)
    ]
    paired = {one.index for one, _ in found}, {other.index for _, other in found}
    left = [one for one in before if one.index not in paired[0]]
    right = [other for other in after if other.index not in paired[1]]
    return found + list(zip(left, right, strict=False))


def _shape(ran: Ran) -> Hashable:
    return ran.grid, ran.block


def _groups(runs: Iterable[Ran], key: Callable[[Ran], Hashable]) -> dict[Hashable, list[Ran]]:
    groups: dict[Hashable, list[Ran]] = {}
    for one in runs:
        groups.setdefault(key(one), []).append(one)
    return groups


def _without(runs: Iterable[Ran], matches: Iterable[Match], after: bool = False) -> list[Ran]:
    matched = {(match.after if after else match.before).index for match in matches}
    return [one for one in runs if one.index not in matched]
