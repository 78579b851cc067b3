"""What has been found out about a candidate so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpwright.evaluation.contestants import Contestants
from warpwright.evaluation.rounds import Timed
from warpwright.model.verdict import Check, Mode

Where = tuple[str, Mode]
"""The name of a shape, and a mode."""


@dataclass
class Evidence:
    """Checks and times. `fault`: what went wrong with the evaluator itself."""

    checks: list[Check] = field(default_factory=list)
    timed: dict[Where, Timed] = field(default_factory=dict)
    contestants: dict[Where, Contestants] = field(default_factory=dict)
    fault: str | None = None
    check_s: float = 0.0
    time_s: float = 0.0

    @property
    def sound(self) -> bool:
        """Whether nothing has failed."""
        return self.fault is None and all(check.passed for check in self.checks)

    def note(self, text: str) -> None:
        """Keep a remark that is no failure."""
        note = Check(name="note", passed=True, detail=text)
        if note not in self.checks:
            self.checks.append(note)
