"""A roofline as one SVG file: nothing loaded, light or dark as the reader's system is."""

from __future__ import annotations

import textwrap
from html import escape

from warpwright.model.roofline import Roofline
from warpwright.render.layout import shortened
from warpwright.render.roofline_scale import (
    Mark,
    Picture,
    picture_of,
    plain_text,
    power_text,
    rate_text,
)

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 420, 50, 406, 78, 316
_LINE = 16
_CHARS = 66
_STYLE = """
svg { --bg: #fbfbf9; --ink: #1d2125; --soft: #5d6670; --line: #dfe2e5; --accent: #2a62b8;
  background: var(--bg); font: 11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
@media (prefers-color-scheme: dark) {
  svg { --bg: #15181b; --ink: #e6e8ea; --soft: #9aa4ae; --line: #323a41; --accent: #86b3f5; } }
text { fill: var(--ink); } .soft { fill: var(--soft); } .title { font-size: 13px;
  font-weight: 600; } .grid { stroke: var(--line); stroke-width: 1; } .roof { stroke: var(--ink);
  stroke-width: 1.5; fill: none; } .gap { stroke: var(--accent); stroke-width: 1.5;
  stroke-dasharray: 3 3; } .point { fill: var(--accent); stroke: var(--bg); stroke-width: 2; }
.label { paint-order: stroke; stroke: var(--bg); stroke-width: 4px; stroke-linejoin: round; }
.key { fill: var(--accent); font-weight: 600; }
""".strip()


def roofline_svg(found: Roofline) -> str:
    """The picture; where there is nothing to draw, it says what is known."""
    picture = picture_of(found)
    below = [*([] if picture is None else [*_keys(picture), ""]), *_meaning(found)]
    start = _TOP - 8 if picture is None else _BOTTOM + 56
    height = start + _LINE * len(below)
    device = ", ".join(
        part for part in (found.device, f"{found.duration_ns / 1e3:,.4g} us") if part
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="100%" '
        'role="img" style="max-width:760px;display:block;margin:0 auto">',
        f"<title>{escape(f'Roofline of {found.kernel}')}</title>",
        f"<style>{_STYLE}</style>",
        f'<text class="title" x="14" y="24">{escape(shortened(found.kernel, 50))}</text>',
        f'<text class="soft" x="14" y="42">{escape(shortened(device, 64))}</text>',
        *([] if picture is None else _plot(picture)),
    ]
    for number, text in enumerate(below):
        lines.append(f'<text x="14" y="{start + _LINE * number}">{text}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _plot(picture: Picture) -> list[str]:
    farthest = max(mark.ridge for mark in picture.marks)
    start = max(10.0 ** picture.x[0], 10.0 ** picture.y[0] / picture.bytes_per_s)
    foot, ridge = (
        (_x(picture, at), _y(picture, picture.bytes_per_s * at)) for at in (start, farthest)
    )
    lines = [*_axes(picture)]
    lines.append(
        f'<path class="roof" d="M{foot[0]:.1f} {foot[1]:.1f}L{ridge[0]:.1f} {ridge[1]:.1f}"/>'
    )
    taken: list[float] = []
    for mark in sorted(picture.marks, key=lambda mark: mark.ceiling):
        lines += _roof(picture, mark, taken)
    lines += [part for mark in reversed(picture.marks) for part in _point(picture, mark)]
    middle = (foot[0] + ridge[0]) / 2, (foot[1] + ridge[1]) / 2
    return [*lines, _slope_name(picture, middle[0] + 12, middle[1] + 16)]


def _slope_name(picture: Picture, x: float, y: float) -> str:
    """The slope's name below its middle, and below the points that are there."""
    text = f"DRAM {rate_text(picture.bytes_per_s, 'B/s')}"
    right = x + 6.5 * len(text)
    for mark in sorted(picture.marks, key=lambda mark: -mark.flop_per_s):
        at, height = _x(picture, mark.intensity), _y(picture, mark.flop_per_s)
        if x - 24 < at < right + 12 and abs(y - 4 - height) < 14:
            y = height + 22
    return f'<text class="soft label" x="{x:.1f}" y="{y:.1f}">{text}</text>'


def _axes(picture: Picture) -> list[str]:
    lines = []
    every = -(-(picture.x[1] - picture.x[0]) // 7)
    for power in range(picture.x[0], picture.x[1] + 1):
        x = _x(picture, 10.0**power)
        lines.append(f'<path class="grid" d="M{x:.1f} {_TOP}V{_BOTTOM}"/>')
        if (power - picture.x[0]) % every == 0:
            text = power_text(power)
            place = f'x="{x:.1f}" y="{_BOTTOM + 15}" text-anchor="middle"'
            lines.append(f'<text class="soft" {place}>{text}</text>')
    for power in range(picture.y[0], picture.y[1] + 1):
        y = _y(picture, 10.0**power)
        lines.append(f'<path class="grid" d="M{_LEFT} {y:.1f}H{_RIGHT}"/>')
        place = f'x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end"'
        lines.append(f'<text class="soft" {place}>{power_text(power)}</text>')
    middle = (_LEFT + _RIGHT) / 2
    place = f'x="{middle}" y="{_BOTTOM + 31}" text-anchor="middle"'
    lines.append(f'<text class="soft" {place}>FLOP per byte of DRAM</text>')
    lines.append(f'<text class="soft" x="14" y="{_TOP - 8}">FLOP/s</text>')
    return lines


def _roof(picture: Picture, mark: Mark, taken: list[float]) -> list[str]:
    """A flat roof and its name: above it, or below it where a point or a lower name is there."""
    x, y = _x(picture, mark.ridge), _y(picture, mark.ceiling)
    lines = [f'<path class="roof" d="M{x:.1f} {y:.1f}H{_RIGHT}"/>']
    text = f"{mark.name} {rate_text(mark.ceiling, 'FLOP/s')}"
    left = _RIGHT - 6.5 * len(text)
    points = [
        _y(picture, other.flop_per_s)
        for other in picture.marks
        if _x(picture, other.intensity) > left - 24
    ]
    for base in (y - 5, y + 14):
        middle = base - 4
        if all(abs(middle - other) > 13 for other in [*taken, *points]):
            taken.append(middle)
            place = f'x="{_RIGHT - 2}" y="{base:.1f}" text-anchor="end"'
            lines.append(f'<text class="label" {place}>{text}</text>')
            break
    return lines


def _point(picture: Picture, mark: Mark) -> list[str]:
    """The point, and the gap up to its roof."""
    x, y = _x(picture, mark.intensity), _y(picture, mark.flop_per_s)
    roof = _y(picture, min(mark.ceiling, picture.bytes_per_s * mark.intensity))
    side = ("start", x + 9) if picture.along(mark.intensity) < 0.9 else ("end", x - 9)
    return [
        f'<path class="gap" d="M{x:.1f} {y:.1f}V{roof:.1f}"/>',
        f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="6"/>',
        f'<text class="key label" x="{side[1]:.1f}" y="{y + 4:.1f}" text-anchor="{side[0]}">'
        f"{mark.letter}</text>",
    ]


def _keys(picture: Picture) -> list[str]:
    lines = []
    for mark in picture.marks:
        roof = min(mark.ceiling, picture.bytes_per_s * mark.intensity)
        text = (
            f"{mark.name}: {rate_text(mark.flop_per_s, 'FLOP/s')} at "
            f"{plain_text(mark.intensity)} FLOP/B, {mark.flop_per_s / roof:.0%} of its roof"
        )
        lines.append(f'<tspan class="key">{mark.letter}</tspan> {escape(text)}')
    return lines


def _meaning(found: Roofline) -> list[str]:
    return [escape(line) for line in textwrap.wrap(found.meaning, _CHARS)]


def _x(picture: Picture, intensity: float) -> float:
    return _LEFT + picture.along(intensity) * (_RIGHT - _LEFT)


def _y(picture: Picture, flop_per_s: float) -> float:
    return _BOTTOM - picture.up(flop_per_s) * (_BOTTOM - _TOP)
