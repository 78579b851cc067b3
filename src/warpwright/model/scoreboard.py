"""How right the digest is on kernels whose cause and gain are known (warpwright.scoreboard/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper

CaseKind = Literal["planted", "second", "heldout", "mixture", "trap"]


class SuiteCase(Model):
    """A kernel's case.toml. `causes` are finding ids: one, two of a mixture, none of a trap.

    `never` names findings that would be false promises; `second` cases are those whose reports
    nobody looks at while rules are written.
    """

    kind: CaseKind
    causes: tuple[str, ...]
    language: Literal["cuda", "triton"]
    domain: str
    what: str
    fix: str
    never: tuple[str, ...] = ()
    why: str | None = None


class Said(Model):
    """A cause that was named, and the speedup that was promised of it (None: none was)."""

    id: str
    expected: float | None


class CaseScore(Model):
    """One case: the truth, and what was said, the first first."""

    name: str
    kind: CaseKind
    causes: tuple[str, ...]
    measured: float = Field(description="Time of the bad version over that of the fixed one.")
    said: tuple[Said, ...]
    first: bool = Field(description="The first that was named is a cause.")
    among_three: bool = Field(description="Every cause is among the first three.")
    false_promise: str | None = Field(description="What was promised where nothing is to gain.")


class Column(Model):
    """Sums over the cases of one kind. Shares are 0..1; None where there is nothing to count."""

    kind: CaseKind | Literal["all"]
    cases: int
    first: int
    among_three: int
    false_promises: int
    calibrated: int = Field(description="Cases whose cause was named with a prediction.")
    within_1_5x: float | None
    within_2x: float | None
    rank_correlation: float | None = Field(description="Spearman's, of predicted and measured.")


class Verdicts(Model):
    """What one adviser scored."""

    adviser: str
    columns: tuple[Column, ...]
    cases: tuple[CaseScore, ...]


class Scoreboard(Model):
    """Warpwright's digest and NVIDIA's rules on the same reports."""

    schema_name: Literal["warpwright.scoreboard/1"] = Field(
        default="warpwright.scoreboard/1", alias="schema"
    )
    suite: str
    warpwright: Verdicts
    nvidia: Verdicts
    deeper: tuple[Deeper, ...]
