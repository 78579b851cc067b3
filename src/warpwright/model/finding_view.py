"""One finding of the digest (schema warpwright.view-finding/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper
from warpwright.model.digest import Finding


class FindingView(Model):
    """One finding, whole."""

    schema_name: Literal["warpwright.view-finding/1"] = Field(
        default="warpwright.view-finding/1", alias="schema"
    )
    finding: Finding
    deeper: tuple[Deeper, ...]
