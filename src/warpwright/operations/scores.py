"""Count how the ledger's predictions came true. Pure functions."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from warpwright.model.ledger import PAYS, FindingScore, LedgerEntry, Score


def finding_scores(entries: Iterable[LedgerEntry], device: str | None) -> tuple[FindingScore, ...]:
    """A score for every finding that `entries` (oldest first) name, by id: here and elsewhere."""
    by_finding: dict[str, list[LedgerEntry]] = {}
    for entry in _tries(entries):
        by_finding.setdefault(entry.finding, []).append(entry)
    return tuple(
        FindingScore(
            finding=finding,
            here=_score([entry for entry in tries if entry.device == device]),
            elsewhere=_score([entry for entry in tries if entry.device != device]),
        )
        for finding, tries in sorted(by_finding.items())
    )


def _tries(entries: Iterable[LedgerEntry]) -> Iterable[LedgerEntry]:
    """The latest entry of each try: the same candidate, for the same reason, counts once."""
    latest = {
        (e.finding, e.device, e.task, e.from_candidate, e.candidate_sha256): e for e in entries
    }
    return latest.values()


def _score(tries: Sequence[LedgerEntry]) -> Score:
    scored = [
        (entry, entry.measured)
        for entry in tries
        if entry.status == "correct" and entry.measured is not None
    ]
    ratios = [measured / entry.expected for entry, measured in scored]
    return Score(
        tried=len(scored),
        paid=sum(measured >= PAYS for _, measured in scored),
        within=sum(bool(entry.within) for entry, _ in scored),
        within_1_5x=sum(1 / 1.5 <= ratio <= 1.5 for ratio in ratios),
        within_2x=sum(1 / 2 <= ratio <= 2 for ratio in ratios),
        median_ratio=statistics.median(ratios) if ratios else None,
        not_correct=sum(entry.status != "correct" for entry in tries),
    )
