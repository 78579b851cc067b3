"""When, where and with what a report was made (schema warpwright.session/1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from warpwright.model.base import Model
from warpwright.model.deeper import Deeper
from warpwright.model.session_facts import Session


class SessionView(Model):
    """The session of a report: private facts, which the command in `deeper` removes."""

    schema_name: Literal["warpwright.session/1"] = Field(
        default="warpwright.session/1", alias="schema"
    )
    report: str
    created: str | None = Field(description="ISO 8601, UTC.")
    session: Session
    note: str
    deeper: tuple[Deeper, ...]
