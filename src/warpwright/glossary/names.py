"""The parts of a metric's name."""

from __future__ import annotations

from typing import NamedTuple

ROLLUPS = frozenset({"sum", "avg", "min", "max"})


class NameParts(NamedTuple):
    """`pmsampling:TPC.TriageCompute.sm__inst_executed_realtime.avg.per_cycle_active`, taken apart.

    Attributes:
        kind: what stands before a colon (`pmsampling`, `breakdown`, `group`, `regex`), or "".
        name: what stands after the colon; the name itself where it has no kind.
        counter: the base counter without the counter domain before it
            (`sm__inst_executed_realtime`).
        rollup: over the units of the chip: sum, avg, min, max, or "".
        submetric: what is made of the counter (`per_cycle_active`, `ratio`), or "".
    """

    kind: str
    name: str
    counter: str
    rollup: str
    submetric: str


def parts_of(name: str) -> NameParts:
    """Take a metric's name apart; a name of an unknown shape is all counter."""
    kind, colon, rest = name.partition(":")
    if not colon:
        kind, rest = "", name
    words = rest.split(".")
    at = next((i for i, word in enumerate(words) if "__" in word), 0)
    tail = words[at + 1 :]
    rollup = tail.pop(0) if tail and tail[0] in ROLLUPS else ""
    return NameParts(kind, rest, words[at], rollup, ".".join(tail))
