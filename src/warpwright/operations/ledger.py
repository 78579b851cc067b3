"""What advice was worth: score a prediction, and tell what is known of a finding.

The ledger is the user's, beside every run. What it knows is shown next to a digest, and changes
no number of it. No command fails because of the ledger: one caution on stderr says so.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import PurePath

from warpwright import __version__
from warpwright.config import ledger_path
from warpwright.model.address import Address, parse_address
from warpwright.model.digest import Digest
from warpwright.model.ledger import DigestWithLedger, FindingScore, LedgerEntry
from warpwright.model.verdict import Prediction, Verdict
from warpwright.operations.found import Found
from warpwright.operations.scores import finding_scores
from warpwright.runs.ledger import append_entry, read_ledger


def score_prediction(found: Found, verdict: Verdict, run: str | None) -> None:
    """Append what came of the finding acted on, where that is known.

    That is a gain measured on the device that was profiled, or a candidate that is not correct.
    A time on another device says nothing about the prediction.

    Args:
        found: the finding acted on.
        verdict: with its prediction.
        run: the name of the run that records it.
    """
    prediction, where = verdict.prediction, verdict.environment
    if prediction is None or where is None or where.device != found.report.device:
        return
    has_gain = verdict.status == "correct" and prediction.measured is not None
    if not has_gain and verdict.status not in ("incorrect", "untrusted"):
        return
    try:
        append_entry(ledger_path(), _entry(found, verdict, prediction, where.device, run))
    except (OSError, ValueError) as error:
        sys.stderr.write(f"caution: this gain is not in the ledger: {error}\n")


def _entry(
    found: Found, verdict: Verdict, prediction: Prediction, device: str, run: str | None
) -> LedgerEntry:
    place = parse_address(prediction.because)
    named = Address(PurePath(place.report).name, place.launch, place.kind, place.name)
    return LedgerEntry(
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        version=__version__,
        device=device,
        compute_capability=found.report.compute_capability,
        finding=prediction.finding,
        confidence=found.finding.confidence,
        low=prediction.low,
        expected=prediction.expected,
        high=prediction.high,
        status=verdict.status,
        measured=prediction.measured,
        measured_low=prediction.measured_low,
        measured_high=prediction.measured_high,
        within=prediction.within,
        task=verdict.task,
        candidate=verdict.candidate,
        candidate_sha256=verdict.candidate_sha256,
        from_candidate=prediction.from_candidate,
        because=str(named),
        run=run,
    )


def with_ledger(digest: Digest) -> DigestWithLedger:
    """The digest, and beside it what its findings were worth before."""
    findings = {finding.id for launch in digest.launches for finding in launch.findings}
    scores = known_scores(findings, digest.report.device)
    return DigestWithLedger(**dict(digest), ledger=scores)


def known_scores(findings: Collection[str], device: str | None) -> tuple[FindingScore, ...]:
    """Scores of those of `findings` that were acted on before, on `device` and elsewhere."""
    try:
        entries = read_ledger(ledger_path()).entries
    except OSError as error:
        sys.stderr.write(f"caution: the ledger cannot be read: {error}\n")
        return ()
    return finding_scores((entry for entry in entries if entry.finding in findings), device)
