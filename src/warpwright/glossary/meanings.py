"""What a metric says, in one line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from warpwright.glossary.grammar import counter_meaning, submetric_meaning
from warpwright.glossary.names import NameParts, parts_of
from warpwright.glossary.units import unit_of

# Names that hold names: what their value lists, by what stands before the colon.
_KINDS = {
    "breakdown": "Names of the counters of which this is the largest: {}",
    "group": "Names of the metrics that are shown together as: {}",
    "pmsampling": "{}; sampled over time (the instances)",
    "regex": "Names of the metrics that fit the pattern {}",
}
_STALL = (
    r"(?P<how>smsp__pcsamp_warps?|smsp__average_warps?|smsp__warps?)_(?:issue_)?"
    r"(?:stalled|stall)_(?P<reason>\w+?)"
    r"(?P<rest>_not_issued|_per_issue_active|_per_warp_active|)$"
)
_STALL_OF = {
    "": ", added up every cycle",
    "_per_issue_active": ", per issued instruction",
    "_per_warp_active": ", per resident warp",
}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is known of a metric by its name.

    Attributes:
        name: the metric's full name.
        unit: the base unit of its values as Nsight Compute spells it; None for a plain number.
        label: the short name that Nsight Compute's pages show for it, if it has one.
        meaning: one line.
    """

    name: str
    unit: str | None
    label: str | None
    meaning: str


def describe(name: str) -> Meaning:
    """Unit, label and meaning of any metric; one that nobody knows is read by its words."""
    parts = parts_of(name)
    return Meaning(name, unit_of(parts), _table("labels.tsv").get(name), _meaning(parts))


def _meaning(parts: NameParts) -> str:
    known = _table("known.tsv")
    said = parts.name if parts.kind == "regex" else known.get(parts.name)
    if said is None:
        said = known.get(parts.counter) or _stall(parts.counter) or counter_meaning(parts.counter)
        prefix = parts.counter.partition("__")[0]
        tail = submetric_meaning(prefix, parts.rollup, parts.submetric)
        said = "; ".join(part for part in (said, tail) if part)
    said = _KINDS.get(parts.kind, "{}").format(said)
    return said[:1].upper() + said[1:]


@cache
def _stall(counter: str) -> str | None:
    """What a stall metric counts and what usually helps; None if it is none of those known."""
    stall = re.match(_STALL, counter) if "_stall" in counter else None
    if stall is None:
        return None
    reasons = _table("stalls.tsv")
    reason = reasons.get(stall["reason"]) or reasons.get(stall["reason"].removesuffix("s"))
    if reason is None:
        return None
    waits, helps = reason.split("\t")
    if "pcsamp" in stall["how"]:
        idle = " (while the scheduler issued nothing)" if stall["rest"] == "_not_issued" else ""
        return f"Samples of warps that {waits}{idle}; {helps}"
    return f"Warps that {waits}{_STALL_OF.get(stall['rest'], '')}; {helps}"


@cache
def _table(file: str) -> dict[str, str]:
    """Lines of a table of this folder: what stands before the first tab -> what follows it."""
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    return dict(line.split("\t", 1) for line in text.splitlines())
