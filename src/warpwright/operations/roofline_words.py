"""What a place under the roofs means, in one sentence."""

from __future__ import annotations

from warpwright.model.roofline import Side, Traffic, Work

_AT_MEASURED = 1.15  # so near, and the roof is the limit
_AT_PUBLISHED = 1.25  # copies and products reach about nine tenths of published and of ncu's peaks
_FAR = 2.0


def meaning_of(
    side: Side | None, headroom: float | None, traffic: tuple[Traffic, ...], work: tuple[Work, ...]
) -> str:
    """The sentence."""
    if side is None or headroom is None:
        return _unknown(traffic, work)
    reached = f"{1 / headroom:.0%}"
    rows: tuple[Traffic | Work, ...] = traffic if side == "memory" else work
    source = next((row.ceiling.source for row in rows if row.ceiling), "report")
    if side == "memory":
        roof = f"it moves {reached} of the bytes a second that device memory can ({source})"
        past = "fewer bytes (fusion, narrower types, reuse) are the only way past that"
    else:
        roof = f"it computes at {reached} of the {rate_name(work[0])} roof ({source})"
        past = "fewer or cheaper operations (another precision or unit) are the only way past that"
    if headroom <= (_AT_MEASURED if source == "calibrated" else _AT_PUBLISHED):
        return f"{roof}: {past}"
    left = f"{headroom:.3g}x faster before that roof is met"
    if headroom <= _FAR:
        return f"{roof}: up to {left}; {past}"
    what = "latency, launch size or a unit that has no roof here limits it"
    return f"{roof}: up to {left}, so {what} (the digest says which)"


def rate_name(row: Work) -> str:
    """FP32; tensor FP16."""
    kind, _, of = row.rate.partition(".")
    return f"tensor {of.upper()}" if of else kind.upper()


def _unknown(traffic: tuple[Traffic, ...], work: tuple[Work, ...]) -> str:
    dram = next((row for row in traffic if row.level == "dram"), None)
    if dram is None:
        return "its place is not known: the bytes of device memory were not measured"
    if dram.ceiling is None:
        return "its place is not known: no ceiling of device memory is"
    if dram.headroom is None:
        return "it has no place under these roofs: no bytes of device memory were moved"
    reached = f"it moves {1 / dram.headroom:.0%} of the bytes a second that device memory can"
    if work:
        names = ", ".join(rate_name(row) for row in work if row.ceiling is None)
        return f"{reached}; its side is not known: no ceiling of {names or 'its operations'} is"
    return f"{reached}; its side is not known: its operations were not counted"
