"""A roofline as text: the plot, what was reached of each ceiling, and what it means."""

from __future__ import annotations

from warpwright.model.roofline import Ceiling, Roofline, Traffic, Work
from warpwright.operations.roofline_words import rate_name
from warpwright.render.layout import deeper_lines, shortened, table, wrapped
from warpwright.render.numbers import time_text
from warpwright.render.roofline_plot import plot_lines
from warpwright.render.roofline_scale import picture_of, plain_text, rate_text, shown_work

_LEVELS = {"dram": "DRAM", "l2": "L2", "l1": "L1 (global)"}


def roofline_text(found: Roofline) -> str:
    """For a terminal of 80 columns, without colour."""
    device = [
        found.device or "unknown device",
        f"cc {found.compute_capability}" if found.compute_capability else None,
        f"{found.sm_count} SMs" if found.sm_count else None,
        f"SM clock {found.sm_hz / 1e9:.2f} GHz" if found.sm_hz else None,
        time_text(found.duration_ns, 4),
    ]
    lines = [
        shortened(f"{found.address} {found.kernel}", 80),
        *wrapped(", ".join(part for part in device if part)),
        "",
        *_position(found),
        *wrapped(found.meaning, "  "),
    ]
    picture = picture_of(found)
    if picture is not None:
        lines += ["", *plot_lines(picture)]
        lines += [f"  {mark.letter} = {mark.name}" for mark in picture.marks]
    lines += ["", *_rows(found)]
    for note in found.notes:
        lines += wrapped(f"note: {note}", "  ", hang=6)
    if found.missing:
        lines += ["", "Not collected:"]
        for text in found.missing:
            lines += wrapped(text, "  ", hang=2)
    return "\n".join([*lines, *deeper_lines(found.deeper)]) + "\n"


def _position(found: Roofline) -> list[str]:
    if found.side is None or found.headroom is None:
        return []
    return [f"  {found.side} side, headroom {_factor(found.headroom)}"]


def _rows(found: Roofline) -> list[str]:
    rows: list[tuple[str, ...]] = [("", "achieved", "ceiling", "below", "FLOP/B", "ridge", "side")]
    rows += [_traffic(row) for row in found.traffic]
    work = shown_work(found)
    rows += [_work(row) for row in work]
    if not found.traffic and not work:
        return ["  nothing was counted"]
    return [*table(rows, right=(1, 2, 3, 4, 5), indent="  "), "", *_sources(found, work)]


def _traffic(row: Traffic) -> tuple[str, ...]:
    return (
        _LEVELS[row.level],
        rate_text(row.bytes_per_s, "B/s"),
        _ceiling(row.ceiling, "B/s"),
        _factor(row.headroom),
        "",
        "",
        "",
    )


def _work(row: Work) -> tuple[str, ...]:
    reached = row.ceiling.value / row.flop_per_s if row.ceiling else None
    intensity = row.intensity.get("dram")
    return (
        rate_name(row),
        rate_text(row.flop_per_s, "FLOP/s"),
        _ceiling(row.ceiling, "FLOP/s"),
        _factor(reached),
        "-" if intensity is None else plain_text(intensity),
        "-" if row.ridge is None else plain_text(row.ridge),
        row.side or "-",
    )


def _ceiling(ceiling: Ceiling | None, unit: str) -> str:
    return "-" if ceiling is None else rate_text(ceiling.value, unit)


def _factor(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}x" if value < 100 else f"{value:,.0f}x"


def _sources(found: Roofline, work: tuple[Work, ...]) -> list[str]:
    """Where each ceiling is from, and the report's own beside it."""
    lines = []
    named = [(_LEVELS[row.level], row.ceiling, row.at_clock, "B/s") for row in found.traffic]
    named += [(rate_name(row), row.ceiling, row.at_clock, "FLOP/s") for row in work]
    for name, ceiling, own, unit in named:
        if ceiling is None:
            continue
        text = f"{name} ceiling, {ceiling.source}: {ceiling.detail}"
        if own is not None:
            text += f"; {own.source}: {rate_text(own.value, unit)} ({own.detail})"
        lines += wrapped(text, "  ", hang=4)
    return lines
