"""The unit of a metric, in base units: ns, hz, cycle, byte, inst, sector, %, ...

A counter's unit follows from the first noun of its name; `units.tsv` holds those for which it
does not. What is made of a counter follows from its submetric. Both rules, and every line of the
table, were recorded from Nsight Compute by `tools/write_glossary.py`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from warpwright.glossary.names import NameParts

_NOUNS = {
    "bytes": "byte",
    "ctas": "block",
    "cycles": "cycle",
    "inst": "inst",
    "registers": "register",
    "requests": "request",
    "sectors": "sector",
    "threads": "thread",
    "warps": "warp",
    "accesses": "1",
    "conflicts": "1",
    "wavefronts": "1",
}

# After the noun `warps` or `ctas`: the counter adds up, every cycle, how many are in that state.
_STATES = frozenset({"active", "eligible", "inactive", "issue"})

_PER_CYCLE = frozenset({"per_cycle_active", "per_cycle_elapsed", "peak_sustained"})
_RATES = {"cycle": "hz", "": ""}


def unit_of(parts: NameParts) -> str | None:
    """The unit of a metric, spelled as Nsight Compute spells it.

    None where it is a plain number (a count of something without a unit, a mask, a text).
    """
    exact = load_exceptions().get(parts.name)
    unit = exact if exact is not None else _derived(parts)
    unit = unit.removesuffix("*cycle")
    return None if unit in ("", "1") else unit


def counter_unit(counter: str) -> str:
    """The unit of a base counter; "1" for a countable thing that has no unit, "" if unknown.

    A trailing `*cycle` marks a counter that adds up a state every cycle.
    """
    exception = load_exceptions().get(counter)
    return exception if exception is not None else unit_by_words(counter)


def unit_by_words(counter: str) -> str:
    """What the words of a counter's name say of its unit, in the form of `counter_unit`."""
    prefix, _, rest = counter.rpartition("__")
    if prefix == "device":
        return ""
    words = rest.split("_")
    for word, after in zip(words, [*words[1:], ""], strict=True):
        unit = _NOUNS.get(word)
        if unit is None:
            continue
        if unit == "request" and "l1tex" in (prefix, *words):
            return "1"
        return f"{unit}*cycle" if unit in ("warp", "block") and after in _STATES else unit
    return ""


def _derived(parts: NameParts) -> str:
    """The unit of a submetric of a counter."""
    if parts.submetric.startswith("pct") or parts.counter.endswith("_pct"):
        return "%"
    base, summed, _ = counter_unit(parts.counter).partition("*")
    if parts.submetric in _PER_CYCLE:
        if summed or not base:
            return base
        return "" if base == "cycle" else f"{base}/cycle"
    if parts.submetric.endswith("per_second"):
        return _RATES.get(base, f"{base}/s")
    return base


@cache
def load_exceptions() -> dict[str, str]:
    """The units that words do not tell, by base counter or by a metric's name without its kind."""
    text = Path(__file__).with_name("units.tsv").read_text(encoding="utf-8")
    return dict(line.split("\t") for line in text.splitlines())
