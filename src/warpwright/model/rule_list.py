"""What Nsight Compute's own rules say (schema warpwright.rules/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.annotations import RuleKind, RuleTable, Severity, SpeedupScope
from warpwright.model.base import Model


class Mention(Model):
    """What a message points at. `target`: an address of the report, a URL, or a PC offset."""

    label: str
    target: str


class FocusRow(Model):
    """A metric that a rule points at; `info` says what the rule would have of it."""

    metric: str
    address: str | None = Field(description="None: the launch has no metric of that name.")
    value: float | str | None
    severity: Severity
    info: str | None


class RuleEstimate(Model):
    """The tool's estimate, in percent. Only the `global` scope speaks of the kernel's time."""

    scope: SpeedupScope
    pct: float
    of: str = Field(description="What gains so much, in words.")


class Marker(Model):
    """A rule's remark on a place in the code; `offset` counts bytes from the function's start."""

    text: str
    severity: RuleKind
    offset: int | None
    file: str | None
    line: int | None


class RuleRow(Model):
    """One message of one rule. `text` is the message without its markup.

    `advice`: the tool proposes a change, whatever its version calls that.
    """

    launch: int
    rule: str
    name: str
    section: str | None = Field(description="The address of the section that it belongs to.")
    kind: RuleKind
    advice: bool
    title: str | None
    text: str
    mentions: tuple[Mention, ...]
    estimate: RuleEstimate | None
    focus: tuple[FocusRow, ...]
    tables: tuple[RuleTable, ...]
    marker_count: int
    markers: tuple[Marker, ...] = Field(description="Of the whole rule; cut by `--limit`.")


class RuleList(Model):
    """Rule results: first advice with a global estimate, the largest first; then other advice,
    problems, and remarks, in the order of the report. `rules` is cut by `--limit`.
    """

    schema_name: Literal["warpwright.rules/1"] = Field(default="warpwright.rules/1", alias="schema")
    report: str
    rule_count: int
    rules: tuple[RuleRow, ...]
    truncated: bool
