"""One finding of the digest (schema warpwright.view-finding/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper
from warpwright.model.digest import Finding
from warpwright.model.ledger import FindingScore


class FindingView(Model):
    """One finding, whole."""

    schema_name: Literal["warpwright.view-finding/1"] = Field(
        default="warpwright.view-finding/1", alias="schema"
    )
    finding: Finding
    ledger: FindingScore | None = Field(
        default=None, description="What such advice was worth before; here: the report's device."
    )
    deeper: tuple[Deeper, ...]
