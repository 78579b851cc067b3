"""One launch at a glance (schema warpwright.view-launch/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper
from warpwright.model.digest import Confidence
from warpwright.model.launch_list import LaunchRow
from warpwright.model.value_row import ValueRow


class SectionRow(Model):
    """A section in one line. `advice` counts what its rules propose."""

    id: str
    name: str
    address: str
    advice: int
    summary: tuple[ValueRow, ...] = Field(description="The head of its table.")


class FindingRow(Model):
    """A finding in one line; `expected` is its predicted speedup of the kernel."""

    id: str
    address: str
    title: str
    expected: float
    confidence: Confidence


class LineRow(Model):
    """A source line; `share` (0..1) is its part of the launch's warp samples, or of its executed
    instructions where nothing was sampled."""  # noqa: D209

    address: str
    share: float


class LaunchView(Model):
    """One launch; its findings and lines are cut by `--limit`."""

    schema_name: Literal["warpwright.view-launch/1"] = Field(
        default="warpwright.view-launch/1", alias="schema"
    )
    address: str
    demangled: str
    launch: LaunchRow
    nvtx: tuple[str, ...] = Field(description="Open NVTX ranges, outermost first.")
    metric_count: int
    cautions: tuple[str, ...] = Field(description="Why its numbers deserve less trust.")
    facts: tuple[ValueRow, ...]
    findings: tuple[FindingRow, ...]
    sections: tuple[SectionRow, ...]
    lines: tuple[LineRow, ...] = Field(description="The hottest first.")
    truncated: bool
    deeper: tuple[Deeper, ...]
