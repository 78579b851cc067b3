"""What advice was worth, as text."""

from __future__ import annotations

from collections.abc import Iterator

from warpwright.model.digest import Speedup
from warpwright.model.ledger import PAYS, FindingScore, LedgerEntry, LedgerView, Score
from warpwright.render.layout import deeper_lines, table, wrapped
from warpwright.render.run_words import factor, moment, promise

FEW = 5  # below so many tries a share says little
_HEAD = ("finding", "tried", "paid", "in range", "in 1.5x", "in 2x", "median", "wrong")
_LEGEND = (
    f"paid: measured {PAYS}x or more; in range: as predicted; in 1.5x, in 2x: measured within "
    "that factor of what was expected; median: of measured / predicted; wrong: candidates that "
    "were not correct, which are no tries."
)


def ledger_text(view: LedgerView) -> str:
    """Scores by finding, here and elsewhere; then the latest entries."""
    return "\n".join(_lines(view)) + "\n"


def _lines(view: LedgerView) -> Iterator[str]:
    if view.caution:
        yield from wrapped(f"caution: {view.caution}")
    if not view.findings and view.devices:
        yield from wrapped(
            "Nothing was scored of this finding; `warpwright advice ledger` lists all."
        )
        return
    if not view.findings:
        yield from wrapped(
            "Nothing was scored yet. Within a run (`warpwright run start NAME`) profile and "
            "evaluate a candidate, act on a finding of its report, and let "
            "`warpwright evaluate TASK NEW --because ADDRESS` measure the gain."
        )
        return
    others = [name for name in view.devices if name != view.device]
    yield from _scores(f"on {view.device}", [(s.finding, s.here) for s in view.findings])
    if others:
        where = f"on other devices ({', '.join(others)})"
        yield from _scores(where, [(s.finding, s.elsewhere) for s in view.findings])
    yield from wrapped(_LEGEND)
    scores = [score for s in view.findings for score in (s.here, s.elsewhere)]
    if any(0 < score.tried < FEW for score in scores):
        yield f"Fewer than {FEW} tries say little."
    if view.entries:
        yield from ("", f"latest {len(view.entries)} of {view.total}:")
    for entry in view.entries:
        yield from _entry(entry)
    yield from deeper_lines(view.deeper)


def _scores(where: str, scores: list[tuple[str, Score]]) -> Iterator[str]:
    yield from wrapped(f"{where}:")
    rows = [_row(name, score) for name, score in scores if score.tried or score.not_correct]
    yield from table([_HEAD, *rows], right=range(1, 8), indent="  ") if rows else ["  nothing yet"]
    yield ""


def _row(name: str, score: Score) -> tuple[str, ...]:
    counts = (score.tried, score.paid, score.within, score.within_1_5x, score.within_2x)
    median = "-" if score.median_ratio is None else f"{score.median_ratio:.2f}"
    return (name, *map(str, counts), median, str(score.not_correct))


def _entry(entry: LedgerEntry) -> Iterator[str]:
    predicted = promise(Speedup(low=entry.low, expected=entry.expected, high=entry.high))
    before = f"{entry.from_candidate} -> " if entry.from_candidate else ""
    yield from wrapped(
        f"{moment(entry.at)}  {entry.finding}  {entry.task}: {before}{entry.candidate}", "  ", 2
    )
    yield from wrapped(f"predicted {predicted}, {_outcome(entry)}", "    ", 2)
    run = f", run {entry.run}" if entry.run else ""
    yield from wrapped(f"{entry.device}, {entry.because}{run}", "    ", 2)


def _outcome(entry: LedgerEntry) -> str:
    if entry.status != "correct" or entry.measured is None:
        return entry.status
    low, high = entry.measured_low, entry.measured_high
    interval = "" if low is None or high is None else f" [{low:.2f}..{high:.2f}]"
    side = "below" if entry.measured < entry.expected else "above"
    return f"measured {factor(entry.measured)}{interval}: {'within' if entry.within else side}"


def worth_text(score: FindingScore) -> str:
    """One line beside a finding: how often such advice paid."""
    parts = [_worth(score.here, "on this device")]
    if score.here.tried < FEW:
        parts.append(_worth(score.elsewhere, "on other devices"))
    return "ledger: " + "; ".join(part for part in parts if part)


def _worth(score: Score, where: str) -> str:
    wrong = f"{score.not_correct} not correct" if score.not_correct else ""
    if score.median_ratio is None:
        return f"{wrong} {where}" if wrong else ""
    times = "time" if score.tried == 1 else "times"
    told = [
        f"measured/predicted median {score.median_ratio:.2f}",
        "few tries" if score.tried < FEW else "",
        wrong,
    ]
    about = ", ".join(part for part in told if part)
    return f"paid {score.paid} of {score.tried} {times} {where} ({about})"
