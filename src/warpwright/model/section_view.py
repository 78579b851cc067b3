"""One section of a launch (schema warpwright.view-section/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper
from warpwright.model.rule_list import RuleRow
from warpwright.model.value_row import ValueRow


class SectionView(Model):
    """One section: its tables, and what its rules say (cut by `--limit`, like `body`).

    In place of a breakdown stand the counters that it names. `absent` counts its metrics that
    the launch has not; `--all` lists them too.
    """

    schema_name: Literal["warpwright.view-section/1"] = Field(
        default="warpwright.view-section/1", alias="schema"
    )
    address: str
    id: str
    name: str
    extends: str | None = Field(description="The address of the section that it is part of.")
    extended_by: tuple[str, ...] = Field(description="The addresses of sections that extend it.")
    header: tuple[ValueRow, ...]
    body: tuple[ValueRow, ...]
    absent: int
    rules: tuple[RuleRow, ...]
    truncated: bool
    deeper: tuple[Deeper, ...]
