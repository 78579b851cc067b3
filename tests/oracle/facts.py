"""The facts of one launch in a form that two readers can be compared by. Plain values only.

A launch becomes a dictionary. Metrics, rule results and sections are kept as digests: values are
too many to keep, and texts are NVIDIA's. Of paths only the file's name is kept.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Iterable, Mapping
from typing import Any

Facts = dict[str, Any]
_SHORT = 2  # bytes of each metric's digest, to name the metric that differs


def value_text(value: float | int | str | None) -> str:
    """A value, exactly: the bits of a float, the digits of an integer, a text as it is."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return "s" + value
    if isinstance(value, float):
        return "nan" if math.isnan(value) else struct.pack("<d", value).hex()
    return str(value)


def metric_digest(
    name: str,
    value: float | int | str | None,
    instances: Iterable[tuple[float | int | str, float | int | str | None]],
    has_ids: bool,
) -> bytes:
    """One metric, with every instance in order."""
    parts = [name, value_text(value), str(has_ids)]
    parts += [f"{value_text(key)}={value_text(held)}" for key, held in instances]
    return hashlib.sha256("\n".join(parts).encode()).digest()


def metric_facts(digests: Mapping[str, bytes]) -> Facts:
    """All metrics of a launch: how many, one digest of all, and a short one of each."""
    names = sorted(digests)
    whole = hashlib.sha256(b"".join(digests[name] for name in names)).hexdigest()
    return {
        "count": len(names),
        "digest": whole,
        "each": "".join(digests[name][:_SHORT].hex() for name in names),
    }


def differing(ours: Mapping[str, bytes], facts: Facts) -> list[str]:
    """Names of the metrics whose short digests differ, where both have the same names."""
    names, width = sorted(ours), 2 * _SHORT
    each = facts["each"]
    theirs = [each[i : i + width] for i in range(0, len(each), width)]
    return [
        name
        for name, short in zip(names, theirs, strict=False)
        if ours[name][:_SHORT].hex() != short
    ]


def rule_digest(facts: Facts) -> Facts:
    """A rule result: whose it is, whether it says anything, and a digest of all of it."""
    says = any(facts[part] for part in ("message", "focus", "tables", "speedup"))
    return {"rule": facts["rule"], "says": says, "digest": text_digest(facts)}


def text_digest(facts: Facts) -> str:
    """A digest of a dictionary of texts, numbers and lists."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]
