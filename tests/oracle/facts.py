"""The facts of one launch in a form that two readers can be compared by. Plain values only.

A launch becomes a dictionary: texts and lists as they are, metrics as digests (their values
are too many to keep). `numbers` is what a metric's value and instances are made comparable with.
"""

from __future__ import annotations

import hashlib
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
