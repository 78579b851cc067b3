"""A report at a glance (schema warpwright.view-report/1). Plain dataclasses, as launch_list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from warpwright.model.deeper import Deeper
from warpwright.model.launch_list import LaunchRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """A report at a glance. `launches` are its costliest, cut by `--limit`.

    `created` is ISO 8601, in UTC.
    """

    schema: Literal["warpwright.view-report/1"] = "warpwright.view-report/1"
    address: str
    device: str | None
    compute_capability: str | None
    sm_count: int | None
    tool_version: str | None
    created: str | None
    launch_count: int
    total_ns: float | None
    launches: tuple[LaunchRow, ...]
    truncated: bool
    cautions: tuple[str, ...]
    deeper: tuple[Deeper, ...]
