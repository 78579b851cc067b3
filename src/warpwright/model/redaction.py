"""What of a report is private, and what became of it (schema warpwright.redaction/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper

PrivateKind = Literal[
    "host", "address", "user", "path", "system", "environment", "comment", "also", "other"
]


class PrivateCount(Model):
    """How many places of one kind. What stands there is never told."""

    kind: PrivateKind
    count: int


class Redaction(Model):
    """Private facts of a report: found, masked, and left."""

    schema_name: Literal["warpwright.redaction/1"] = Field(
        default="warpwright.redaction/1", alias="schema"
    )
    report: str
    path: str | None = Field(description="The redacted report; null if it was only checked.")
    found: tuple[PrivateCount, ...] = Field(description="Places that are masked in `path`.")
    left: tuple[PrivateCount, ...] = Field(
        description="Places where a private text stands even then: within code, metrics or names."
    )
    clean: bool = Field(description="Of `path`, or of the report where it was only checked.")
    stays: str
    deeper: tuple[Deeper, ...] = ()
