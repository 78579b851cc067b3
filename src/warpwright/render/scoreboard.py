"""The scoreboard as text."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.scoreboard import CaseScore, Column, Scoreboard, Verdicts
from warpwright.render.layout import deeper_lines, table, wrapped

_HEAD = ("", "cases", "first", "in three", "false", "named", "in 1.5x", "in 2x", "rank corr.")
_LEGEND = (
    "first: the first cause named is the planted one (of a trap: nothing is promised); in three: "
    "every planted cause is among the first three; false: promises of more than 1.15x where less "
    "than 1.05x was measured; named: the cause was named with a prediction, which was within a "
    "factor 1.5 or 2 of the measured speedup; rank corr.: Spearman's, of predicted and measured."
)


def scoreboard_text(board: Scoreboard, cases: bool = False) -> str:
    """Both advisers; with `cases` every case too."""
    lines = [board.suite]
    for verdicts in (board.warpwright, board.nvidia):
        lines += ["", *verdict_table(verdicts)]
    lines += ["", *wrapped(_LEGEND)]
    if cases:
        for ours, theirs in zip(board.warpwright.cases, board.nvidia.cases, strict=True):
            lines += ["", *_case(ours, theirs)]
    else:
        lines += deeper_lines(board.deeper)
    return "\n".join(lines) + "\n"


def verdict_table(verdicts: Verdicts) -> list[str]:
    """One adviser's columns, a line for each kind of case."""
    head = (verdicts.adviser, *_HEAD[1:])
    return table([head, *(_row(column) for column in verdicts.columns)], right=range(1, 9))


def _row(column: Column) -> tuple[str, ...]:
    rank = "-" if column.rank_correlation is None else f"{column.rank_correlation:.2f}"
    return (
        column.kind,
        *map(str, (column.cases, column.first, column.among_three, column.false_promises)),
        str(column.calibrated),
        _share(column.within_1_5x),
        _share(column.within_2x),
        rank,
    )


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def _case(ours: CaseScore, theirs: CaseScore) -> Iterator[str]:
    truth = " + ".join(ours.causes) or "nothing to gain"
    yield f"{ours.name} ({ours.kind}): {truth}, measured {ours.measured:.2f}x"
    for name, score in (("warpwright", ours), ("NVIDIA", theirs)):
        told = [f"{s.id} {s.expected:.2f}x" if s.expected else s.id for s in score.said[:3]]
        mark = "+" if score.first else "o" if score.among_three else "-"
        false = f"; false promise: {score.false_promise}" if score.false_promise else ""
        yield from wrapped(f"{mark} {name}: {', '.join(told) or 'nothing'}{false}", "  ", 4)
