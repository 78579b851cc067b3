"""What Nsight Compute calls advice, which depends on its version."""

from __future__ import annotations

import re
from collections.abc import Iterable

from warpwright.model.annotations import RuleKind, RuleResult


def advice_kinds(version: str | None, rules: Iterable[RuleResult]) -> tuple[RuleKind, ...]:
    """The kinds of rule results that propose a change: `warning` too before version 2023.2.

    Where the version is not known: if no rule of the launch says `optimization`.
    """
    numbers = re.match(r"(\d+)\.(\d+)", version or "")
    if numbers is not None:
        old = (int(numbers[1]), int(numbers[2])) < (2023, 2)
    else:
        old = all(rule.kind != "optimization" for rule in rules)
    return ("warning", "optimization") if old else ("optimization",)
