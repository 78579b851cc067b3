"""What of a difference is wanted, and the two sides of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from warpwright.model.difference import Cut
from warpwright.model.report import Launch, Report
from warpwright.query.noise import Spread

T = TypeVar("T")
_FEW = 5


@dataclass(frozen=True, slots=True)
class DiffOptions:
    """What of a difference is wanted.

    `raw`: every metric that moved, and nothing else. `globs`: the metrics of these names, moved or
    not, and nothing else. `limit`: rows of each list (None: a few; of the numbers alone, all).
    `noise_pct`: in the place of the default noise. `any_device`: compare different GPUs. `claims`:
    ids or addresses of findings whose change is to be looked for (none: of those that vanished).
    """

    raw: bool = False
    globs: tuple[str, ...] = ()
    limit: int | None = None
    noise_pct: float | None = None
    any_device: bool = False
    claims: tuple[str, ...] = ()

    @property
    def most(self) -> int | None:
        """Rows of each list; None: all."""
        return self.limit or (None if self.numbers_only else _FEW)

    @property
    def most_pairs(self) -> int:
        """Pairs of launches to compare."""
        return self.limit or _FEW

    @property
    def numbers_only(self) -> bool:
        """Whether only metrics are wanted."""
        return self.raw or bool(self.globs)

    @property
    def again(self) -> tuple[str, ...]:
        """The options that a command which compares further must repeat."""
        noise = () if self.noise_pct is None else ("--noise", f"{self.noise_pct:g}")
        return (*noise, *(("--any-device",) if self.any_device else ()))

    def cut(self, rows: Sequence[T]) -> Cut[T]:
        """The first of some rows, as many as are wanted."""
        return Cut(rows=tuple(rows[: self.most]), count=len(rows))


@dataclass(frozen=True, slots=True)
class Side:
    """One launch of a pair; `spread` is the range of a metric over its repetitions."""

    report: Report
    launch: Launch
    spread: Spread
