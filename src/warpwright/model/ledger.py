"""The ledger: what advice was worth when it was followed (schema warpwright.ledger/1)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper
from warpwright.model.digest import Confidence, Digest
from warpwright.model.verdict import Status

PAYS = 1.05  # a measured speedup from here on counts as paid

Factor = Annotated[float, Field(gt=0.0, allow_inf_nan=False)]


class LedgerEntry(Model):
    """One prediction and what came of it: a line of the ledger. No paths, no hosts, no users."""

    schema_name: Literal["warpwright.ledger-entry/1"] = Field(
        default="warpwright.ledger-entry/1", alias="schema"
    )
    at: str = Field(description="ISO 8601 in UTC.")
    version: str = Field(description="Warpwright's, which made the prediction.")
    device: str = Field(description="Where was profiled and measured.")
    compute_capability: str | None
    finding: str = Field(description="Its id.")
    confidence: Confidence
    low: Factor
    expected: Factor
    high: Factor
    status: Status = Field(description="The verdict. Only 'correct' has a gain.")
    measured: Factor | None = Field(description="Old time over new time, of medians.")
    measured_low: Factor | None
    measured_high: Factor | None
    within: bool | None = Field(description="Measured inside of low to high.")
    task: str
    candidate: str
    candidate_sha256: str
    from_candidate: str | None = Field(description="What was profiled.")
    because: str = Field(description="The finding's address; the report by its base name.")
    run: str | None = Field(description="The run that holds the whole story.")


class Score(Model):
    """How predictions came true: counts of tries, each a correct candidate that was measured.

    A candidate judged twice is one try. `within_1_5x`: measured / predicted in 1/1.5 .. 1.5.
    """

    tried: int
    paid: int = Field(description=f"Measured {PAYS} or more.")
    within: int = Field(description="Measured inside of the predicted range.")
    within_1_5x: int
    within_2x: int
    median_ratio: float | None = Field(description="Of measured / predicted; None: no try.")
    not_correct: int = Field(description="Candidates that were not correct: no tries.")


class FindingScore(Model):
    """What following one kind of finding was worth."""

    finding: str
    here: Score = Field(description="On the device in question.")
    elsewhere: Score = Field(description="On every other device.")


class DigestWithLedger(Digest):
    """A digest, and beside it what the ledger knows of its findings. It changes no number."""

    ledger: tuple[FindingScore, ...] = Field(
        default=(), description="Of findings that were acted on before; here: the report's device."
    )


class LedgerView(Model):
    """The ledger, summed up by finding, and its latest entries, newest first."""

    schema_name: Literal["warpwright.ledger/1"] = Field(
        default="warpwright.ledger/1", alias="schema"
    )
    device: str | None = Field(description="What `here` means; None: the ledger is empty.")
    devices: tuple[str, ...] = Field(description="Every device with entries, the latest first.")
    total: int = Field(description="Entries that were asked for, listed or not.")
    findings: tuple[FindingScore, ...]
    entries: tuple[LedgerEntry, ...]
    caution: str | None = Field(description="Lines of the file that could not be read.")
    deeper: tuple[Deeper, ...]
