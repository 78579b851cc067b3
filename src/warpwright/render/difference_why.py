"""Why a launch got faster or slower, as text: effects of changes, time, the next limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpwright.model.difference import Effect, NextLimit, Sighting, TimeMove
from warpwright.render.layout import WIDTH, shortened, table, wrapped
from warpwright.render.numbers import short_count, time_text

WANTED = {"gone": "none", "fewer": "less", "more": "more", "some": "some", "other": "other"}
_MOST = 6
_VISIBLE = 0.02  # of the longer duration
_TITLES = {
    "stall": "where the time went (warp samples; adds up to the duration):",
    "resource": "how long units were busy (duration x share of peak; they overlap):",
}
_MARKS = {True: "yes", False: "no", None: "?"}


def time_lines(times: Sequence[TimeMove]) -> Iterator[str]:
    """The largest changes of each kind, and the sum of the others."""
    for kind, title in _TITLES.items():
        moves = [move for move in times if move.kind == kind]
        if moves:
            yield from ("", title)
            yield from _moves(moves, adds_up=kind == "stall")


def _moves(moves: Sequence[TimeMove], adds_up: bool) -> Iterator[str]:
    shown = list(moves)
    if adds_up:
        whole = max(sum(move.before_ns or 0 for move in moves), sum(m.after_ns or 0 for m in moves))
        shown = [move for move in moves[:_MOST] if abs(_change(move)) >= _VISIBLE * whole]
    rows = [_row(move.before_ns, move.after_ns, move.name) for move in shown]
    rest = moves[len(shown) :]
    if rest:
        sums = sum(m.before_ns or 0.0 for m in rest), sum(m.after_ns or 0.0 for m in rest)
        rows.append(_row(*sums, f"{'all else' if shown else 'all'} ({len(rest)} reasons)"))
    yield from table([("",) * 5, *rows], (0, 2, 3), "  ")[1:]


def _row(one: float | None, other: float | None, name: str) -> tuple[str, ...]:
    change = ""
    if one is not None and other is not None:
        sign = "+" if other > one else "-" if other < one else ""
        change = f"{sign}{time_text(abs(other - one))}"
    return _time(one), "->", _time(other), change, name


def _time(ns: float | None) -> str:
    return "0" if ns == 0 else time_text(ns)


def _change(move: TimeMove) -> float:
    return (move.after_ns or 0.0) - (move.before_ns or 0.0)


def effect_lines(effect: Effect) -> Iterator[str]:
    """The verdict on one change, and the numbers behind it."""
    yield ""
    yield from wrapped(f"{effect.id}: {effect.verdict} ({effect.why})", "", 2)
    if effect.claimed and effect.title is None:
        yield "  BEFORE's digest does not have this finding"
    if effect.sightings:
        head = ("must be", "before", "", "after", "seen", "")
        rows = table([head, *map(_sighting, effect.sightings)], (1, 3), "  ")
        yield from (shortened(row, WIDTH) for row in rows)


def _sighting(row: Sighting) -> tuple[str, ...]:
    what = row.what if row.decisive else f"({row.what})"
    if row.counted not in (None, "executed"):
        what += f", {row.counted}"
    return (
        WANTED[row.toward],
        _number(row.before, row.unit),
        "->",
        _number(row.after, row.unit),
        _MARKS[row.moved],
        what,
    )


def _number(value: float | None, unit: str | None) -> str:
    if value is None:
        return "-"
    return f"{short_count(value)} %" if unit == "%" else short_count(value)


def limit_lines(limit: NextLimit) -> Iterator[str]:
    """What to look at now."""
    yield from ("", "what limits it now:")
    if limit.title is not None and limit.finding is not None and limit.expected is not None:
        name = limit.finding.rpartition("/")[2]
        yield from wrapped(f"{name} ({limit.expected:.2f}x if gone): {limit.title}", "  ", 2)
    if limit.resource is not None and limit.busy_share is not None:
        yield f"  its busiest unit: {limit.resource}, at {limit.busy_share:.0%} of its peak"
