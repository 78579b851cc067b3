"""The verb `score`: hold the digest against kernels whose cause and gain are known."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from warpwright.advice.digest import make_digest
from warpwright.model.deeper import Deeper
from warpwright.model.report import Report
from warpwright.model.scoreboard import CaseScore, Column, Said, Scoreboard, Verdicts
from warpwright.operations.suite import RecordedCase, recorded_cases
from warpwright.query.vendor import vendor_causes
from warpwright.report.reader import read_report

PROMISE, NOTHING = (
    1.15,
    1.05,
)  # a false promise: more than the one where there is less than the other
_KINDS = ("planted", "second", "heldout", "mixture", "trap")

Adviser = Callable[[Report], list[tuple[tuple[str, ...], float | None]]]


def score_suite(folder: Path) -> Scoreboard:
    """Score Warpwright's digest, and NVIDIA's rules, on every recorded case of a suite.

    Raises:
        BadInput: the folder is no recorded suite.
        BadReport: one of its reports cannot be read.
    """
    cases = recorded_cases(folder)
    ours: list[CaseScore] = []
    theirs: list[CaseScore] = []
    for case in cases:
        report = read_report(case.report)
        ours.append(_score(case, _digest(report)))
        theirs.append(_score(case, _rules(report)))
    return Scoreboard(
        suite=str(folder),
        warpwright=_verdicts("warpwright", ours),
        nvidia=_verdicts("NVIDIA's rules", theirs),
        deeper=(
            Deeper(
                "every case", shlex.join(("warpwright", "advice", "score", str(folder), "--cases"))
            ),
        ),
    )


def _digest(report: Report) -> list[tuple[tuple[str, ...], float | None]]:
    """The findings of the launch with the most time, ranked."""
    launch = max(make_digest(report).launches, key=lambda one: one.duration_ns or 0.0)
    return [((finding.id,), finding.speedup.expected) for finding in launch.findings]


def _rules(report: Report) -> list[tuple[tuple[str, ...], float | None]]:
    launch = max(report.launches, key=lambda one: one.number("gpu__time_duration.sum") or 0.0)
    return vendor_causes(launch)


def _score(case: RecordedCase, named: list[tuple[tuple[str, ...], float | None]]) -> CaseScore:
    """Of several ids the true one counts. A trap is right if nothing is promised."""
    truth = case.case.causes
    said = [
        Said(id=next((one for one in ids if one in truth), ids[0]), expected=expected)
        for ids, expected in named
    ]
    promised = [one for one in said if (one.expected or 0.0) > PROMISE]
    false = promised[0].id if promised and case.measured < NOTHING else None
    false = false or next((one.id for one in promised if one.id in case.case.never), None)
    ids = [one.id for one in said]
    trap = not truth
    return CaseScore(
        name=case.name,
        kind=case.case.kind,
        causes=truth,
        measured=round(case.measured, 3),
        said=tuple(said),
        first=not promised if trap else bool(ids) and ids[0] in truth,
        among_three=not promised if trap else set(truth) <= set(ids[:3]),
        false_promise=false,
    )


def _verdicts(adviser: str, cases: Sequence[CaseScore]) -> Verdicts:
    kinds = [kind for kind in _KINDS if any(case.kind == kind for case in cases)]
    columns = [_column(kind, [case for case in cases if case.kind == kind]) for kind in kinds]
    return Verdicts(adviser=adviser, columns=(*columns, _column("all", cases)), cases=tuple(cases))


def _column(kind: str, cases: Sequence[CaseScore]) -> Column:
    pairs = [pair for case in cases if (pair := _prediction(case)) is not None]
    apart = [abs(math.log(predicted / measured)) for predicted, measured in pairs]
    return Column.model_validate(
        {
            "kind": kind,
            "cases": len(cases),
            "first": sum(case.first for case in cases),
            "among_three": sum(case.among_three for case in cases),
            "false_promises": sum(case.false_promise is not None for case in cases),
            "calibrated": len(pairs),
            "within_1_5x": _share(apart, 1.5),
            "within_2x": _share(apart, 2.0),
            "rank_correlation": _rank_correlation(pairs),
        }
    )


def _prediction(case: CaseScore) -> tuple[float, float] | None:
    """Predicted and measured speedup of the cause; of a mixture, whose fix removes both, none."""
    if len(case.causes) != 1:
        return None
    told = (one.expected for one in case.said if one.id == case.causes[0])
    expected = next(told, None)
    return None if expected is None else (expected, case.measured)


def _share(apart: Sequence[float], factor: float) -> float | None:
    if not apart:
        return None
    return round(sum(one <= math.log(factor) for one in apart) / len(apart), 3)


def _rank_correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Spearman's: Pearson's of the ranks; None below three pairs."""
    if len(pairs) < 3:
        return None
    from statistics import correlation

    ones, others = (_ranks(column) for column in zip(*pairs, strict=True))
    return round(correlation(ones, others), 3)


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]
