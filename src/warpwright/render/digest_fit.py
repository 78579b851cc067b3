"""How much detail a digest shows: ever less of it, until it fits a budget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_FEW_LINES = 2  # findings below the first one, of each of several launches


@dataclass(frozen=True, slots=True)
class Detail:
    """Of each launch so many findings whole, then in brief, then in one line; the rest is left out.

    None: all. `launches`: how many launches. `short`: what was not collected is only counted, and
    no next step is told.
    """

    whole: int | None = None
    brief: int = 0
    lines: int = 0
    launches: int = 1
    short: bool = False

    @property
    def findings(self) -> int | None:
        """How many findings of a launch are shown in some form; None: all."""
        return None if self.whole is None else self.whole + self.brief + self.lines


def details_of_one(findings: int) -> Iterator[Detail]:
    """Of one launch: the best findings stay whole longest, then the least are left out."""
    yield Detail()
    for whole in range(findings - 1, 0, -1):
        yield Detail(whole, 0, findings - whole)
    for lines in range(findings - 2, -1, -1):
        yield Detail(1, 0, lines)
    for lines in range(findings - 1, -1, -1):
        yield Detail(0, 1, lines, short=True)
    yield Detail(0, 0, 1, short=True)
    yield Detail(0, 0, 0, short=True)


def details_of_several(launches: int) -> Iterator[Detail]:
    """Of several: fewer findings of each, then fewer launches."""
    for lines in range(_FEW_LINES, -1, -1):
        yield Detail(0, 1, lines, launches)
    for lines in range(_FEW_LINES, 0, -1):
        yield Detail(0, 0, lines, launches, short=True)
    for fewer in range(launches - 1, 0, -1):
        yield Detail(0, 0, 1, fewer, short=True)
    yield Detail(0, 0, 0, 1, short=True)
