"""Whether a change took effect: the sights of a finding, compared between two launches."""

from __future__ import annotations

from dataclasses import dataclass

from warpwright.model.difference import EffectVerdict, Sighting, Toward
from warpwright.query.machine_facts import WAYS, MachineFacts, Way
from warpwright.query.sight_table import SIGHTS
from warpwright.query.sights import Sight, Sights

_VISIBLE = 0.1  # a number that moves by less than a tenth of itself does not change a time visibly
_NEARLY_ALL = 0.9

_NONE = ("gone", "fewer")  # of these there must have been some


@dataclass(frozen=True)
class Judged:
    """What came of one finding."""

    verdict: EffectVerdict
    why: str
    sightings: tuple[Sighting, ...]


def judge_effect(finding: str, before: MachineFacts, after: MachineFacts) -> Judged:
    """Whether what removes this cause is to be seen in AFTER.

    The decisive sight that moved furthest as it must gives the verdict. Of what must be gone, nine
    tenths are enough and one tenth is in part; other numbers must move by a tenth.
    """
    sights = SIGHTS.get(finding, Sights(blind=f"nothing is known of what removes {finding}"))
    if sights.blind is not None:
        return Judged("cannot be seen here", sights.blind, ())
    rows = tuple(_sighting(sight, before, after) for sight in sights.rows)
    scored = [(_score(r.toward, r.before, r.after), r) for r in rows if r.decisive]
    known = [(score, row) for score, row in scored if score is not None and row.moved is not None]
    if not known:
        return Judged("cannot be seen here", _unseen(sights.rows, rows), rows)
    score, best = max(known, key=lambda pair: pair[0])
    verdict: EffectVerdict = "took effect in part"
    if score >= _NEARLY_ALL:
        verdict = "took effect"
    elif score < _VISIBLE:
        verdict = "did not take effect"
    return Judged(verdict, _why(best, verdict), rows)


def present(sight: Sight, facts: MachineFacts) -> tuple[float | None, Way | None]:
    """What one launch shows of a sight, and how opcodes were counted for it."""
    for way in _ways(sight):
        value = _read(sight, facts, way)
        if value is not None:
            return value, way
    return None, None


def _ways(sight: Sight) -> tuple[Way | None, ...]:
    """The ways to count that mean something for this sight.

    Unrolling multiplies what is written: it tells what is there and what is not, not how much.
    """
    if sight.opcodes is None:
        return (None,)
    without = {WAYS[1]} if sight.modifiers else set()
    without |= {WAYS[2]} if sight.toward == "fewer" else set()
    return tuple(way for way in WAYS if way not in without)


def _read(sight: Sight, facts: MachineFacts, way: Way | None) -> float | None:
    if way is None or sight.opcodes is None:
        return sight.read(facts) if sight.read is not None else None
    counts = facts.counts(way)
    return sight.opcodes(counts) if counts is not None else None


def _sighting(sight: Sight, before: MachineFacts, after: MachineFacts) -> Sighting:
    """Both sides counted the same way; `moved` is None where no way does for both."""
    for way in _ways(sight):
        one, other = _read(sight, before, way), _read(sight, after, way)
        if one is not None and other is not None:
            score = _score(sight.toward, one, other)
            return _row(sight, (one, other), way, None if score is None else score >= _VISIBLE)
    return _row(sight, (present(sight, before)[0], present(sight, after)[0]), None, None)


def _row(
    sight: Sight,
    values: tuple[float | None, float | None],
    way: Way | None,
    moved: bool | None,
) -> Sighting:
    return Sighting(
        what=sight.what,
        toward=sight.toward,
        metric=sight.metric,
        unit=sight.unit,
        counted=way,
        before=values[0],
        after=values[1],
        decisive=sight.decisive,
        moved=moved,
    )


def _score(toward: Toward, before: float | None, after: float | None) -> float | None:
    """How far it moved to where it must go, 0 to 1.

    None where a side is not known, or where there was nothing to remove.
    """
    if before is None or after is None:
        return None
    if toward == "other":
        return float(before != after)
    if toward == "some":
        return float(after > 0 and after > before * (1 + _VISIBLE))
    if toward == "more":
        return float(after > before * (1 + _VISIBLE))
    if before <= 0:
        return None
    gone = 1 - after / before
    return max(gone, 0.0) if toward == "gone" else float(gone >= _VISIBLE)


def _why(row: Sighting, verdict: EffectVerdict) -> str:
    """The number that gave the verdict, in words."""
    one, other = row.before or 0.0, row.after or 0.0
    if verdict == "did not take effect":
        return f"{row.what}: {_WANTED[row.toward]}"
    if row.toward == "other":
        return f"{row.what}: not what it was"
    if row.toward == "gone":
        return f"{row.what}: {1 - other / one:.0%} gone" if other else f"{row.what}: none left"
    if not one:
        return f"{row.what}: there now"
    if row.toward == "fewer":
        return f"{row.what}: {1 - other / one:.0%} less"
    return f"{row.what}: {other / one:.3g} times as much"


_WANTED: dict[Toward, str] = {
    "gone": "as many as before, and none should be left",
    "fewer": "not visibly less",
    "more": "not visibly more",
    "some": "none, or no more than before",
    "other": "as it was",
}


def _unseen(sights: tuple[Sight, ...], rows: tuple[Sighting, ...]) -> str:
    """Why no decisive sight can be judged: that of the first one."""
    sight, row = next(pair for pair in zip(sights, rows, strict=True) if pair[1].decisive)
    if row.before is not None and row.after is not None:
        if row.toward in _NONE and row.before <= 0:
            return f"{row.what}: there is none in BEFORE"
        return f"{row.what}: counted in different ways before and after"
    lacking = " and ".join(
        side for side, value in (("BEFORE", row.before), ("AFTER", row.after)) if value is None
    )
    return (
        f"{lacking} does not tell {row.metric}: profile with --section {sight.section}"
        if " and " not in lacking
        else f"neither report tells {row.metric}: profile with --section {sight.section}"
    )
