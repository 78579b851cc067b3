"""One finding, drilled into (schema warpwright.explanation/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper
from warpwright.model.difference import Toward
from warpwright.model.digest import Bound, Caution, Finding
from warpwright.model.ledger import FindingScore
from warpwright.model.source_view import CodePlace, InstructionRow


class ExplainedMetric(Model):
    """One link of the evidence: what was measured, and what the metric means by itself."""

    metric: str
    address: str | None = Field(description="None: no metric of the launch has this name.")
    value: float | int | str | None = Field(description="None: not measured.")
    unit: str | None
    says: str = Field(description="What it says here.")
    meaning: str | None = Field(description="What the metric is, whatever the finding.")


class ExplainedLine(Model):
    """A source line of the finding. `share` (0..1) is of this finding's cost."""

    place: CodePlace
    text: str | None = Field(description="None: the report did not import the source.")
    share: float


class StallShare(Model):
    """What warps were sampled doing: shares (0..1) of the samples at the lines, and of all."""

    reason: str
    words: str
    here: float
    whole: float


class Check(Model):
    """A number that must move when the cause is gone. `now` None: this report does not tell."""

    what: str
    toward: Toward
    metric: str
    section: str = Field(description="The section that collects it.")
    unit: str | None
    now: float | None
    decisive: bool = Field(description="Any decisive one that moves proves the change.")


class Rival(Model):
    """Another finding of the launch. `overlap` (0..1): how much of this one's lines' cost lies at
    lines of the other; None: one of them has no lines."""  # noqa: D209

    id: str
    address: str
    title: str
    expected: float
    overlap: float | None
    same_metrics: tuple[str, ...] = Field(description="Evidence that both rest on.")


class Explanation(Model):
    """Why a finding is believed, what it rests on, what to do, and how to see that it worked."""

    schema_name: Literal["warpwright.explanation/1"] = Field(
        default="warpwright.explanation/1", alias="schema"
    )
    launch: str
    kernel: str
    duration_ns: float | None
    bound: Bound
    finding: Finding
    predicted_ns: float | None = Field(description="The duration that `expected` leads to.")
    basis: str | None = Field(description="The model of the prediction, and what it assumes.")
    evidence: tuple[ExplainedMetric, ...]
    lines: tuple[ExplainedLine, ...]
    instructions: tuple[InstructionRow, ...] = Field(
        description="The most costly one of the finding, with those around it."
    )
    hottest: int | None = Field(description="Offset of the most costly one, in bytes.")
    stalls: tuple[StallShare, ...] = Field(description="At the lines; most first.")
    checks: tuple[Check, ...]
    blind: str | None = Field(description="Why no number of one launch shows the change.")
    rivals: tuple[Rival, ...]
    ledger: FindingScore | None
    cautions: tuple[Caution, ...]
    notes: tuple[str, ...] = Field(description="What could not be shown, and how to get it.")
    verify: tuple[Deeper, ...]
    deeper: tuple[Deeper, ...]
