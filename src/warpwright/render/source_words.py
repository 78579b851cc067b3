"""What the texts of a source view are made of: columns, places, and costs in words."""

from __future__ import annotations

from warpwright.model.source_view import CodePlace, Cost

_SCALES = ((10**9, "G"), (10**6, "M"), (10**3, "k"))


def count_text(count: int) -> str:
    """Three digits: 950, 1.25k, 33.6M."""
    for scale, letter in _SCALES:
        if count >= scale * 0.9995:
            return f"{count / scale:.3g}{letter}"
    return str(count)


def share_text(share: float | None) -> str:
    """A share (0..1) in seven columns; `-`: none."""
    if share is None:
        return f"{'-':>7}"
    return f"{'<0.1%':>7}" if 0 < share < 0.0005 else f"{share:7.1%}"


def stall_text(cost: Cost, most: int = 3) -> str:
    """The reasons of most samples, with their share of these samples."""
    if not cost.samples or not cost.stalls:
        return ""
    shown = list(cost.stalls.items())[:most]
    return ", ".join(f"{reason} {count / cost.samples:.0%}" for reason, count in shown)


def cost_text(cost: Cost) -> str:
    """Everything that was measured, in one line."""
    parts = [stall_text(cost), _executed(cost)]
    parts.append(
        _against("L2 sectors", cost.l2_global_sectors, cost.l2_global_sectors_ideal),
    )
    parts.append(
        _against("shared wavefronts", cost.shared_wavefronts, cost.shared_wavefronts_ideal),
    )
    if cost.local_inst_executed is not None:
        sectors = cost.l2_local_sectors
        parts.append(
            f"local memory: {count_text(cost.local_inst_executed)} inst"
            + (f", {count_text(sectors)} L2 sectors" if sectors is not None else "")
        )
    return "; ".join(part for part in parts if part)


def _executed(cost: Cost) -> str:
    if cost.inst_executed is None:
        return ""
    lanes = cost.active_lanes
    on = cost.predicated_on_lanes
    text = f"{count_text(cost.inst_executed)} inst"
    if lanes is not None:
        text += f", {lanes:.1f} lanes active"
    if on is not None and (lanes is None or lanes - on >= 0.05):
        text += f", {on:.1f} predicated on"
    return text


def _against(what: str, count: int | None, ideal: int | None) -> str:
    if count is None:
        return ""
    ratio = f" ({count / ideal:.2g}x ideal)" if ideal else ""
    return f"{what} {count_text(count)}{ratio}"


def place_text(place: CodePlace) -> str:
    """`kda.cu:42`."""
    return f"{place.file}:{place.line}"


def cut(text: str, room: int) -> str:
    """At most so many characters; dots where some are missing."""
    flat = text.expandtabs(4)
    return flat if len(flat) <= room else flat[: room - 3] + "..."
