"""A roofline as characters: roofs and points on logarithmic axes, without colour."""

from __future__ import annotations

from warpwright.render.roofline_scale import Mark, Picture, power_text, rate_text

_WIDTH = 66
_HEIGHT = 16
_MARGIN = 8


def plot_lines(picture: Picture) -> list[str]:
    """At most 76 columns and 19 lines, the axes and their units included."""
    grid = [[" "] * _WIDTH for _ in range(_HEIGHT)]
    _slope(grid, picture)
    for mark in reversed(picture.marks):
        _flat(grid, picture, mark)
    for mark in reversed(picture.marks):
        row, column = _row(picture, mark.flop_per_s), _column(picture, mark.intensity)
        grid[row][column] = mark.letter
    lines = [f"{'FLOP/s':>{_MARGIN - 1}}"]
    ticks = {_row(picture, 10.0**power): power_text(power) for power in range(*_ends(picture.y))}
    for number, cells in enumerate(grid):
        label = ticks.get(number, "")
        edge = "+" if label else "|"
        lines.append(f"{label:>{_MARGIN - 1}} {edge}{''.join(cells)}".rstrip())
    return [*lines, *_foot(picture)]


def _slope(grid: list[list[str]], picture: Picture) -> None:
    """The DRAM's roof, up to the farthest ridge, with its rate at its foot."""
    farthest = max(mark.ridge for mark in picture.marks)
    first = None
    for column in range(_WIDTH):
        intensity = _intensity(picture, column)
        flop_per_s = picture.bytes_per_s * intensity
        if intensity <= farthest and 0 <= picture.up(flop_per_s) <= 1:
            row = _row(picture, flop_per_s)
            grid[row][column] = "/"
            first = first or (row, column)
    if first is not None:
        row, column = first
        text = f" DRAM {rate_text(picture.bytes_per_s, 'B/s')}"
        _write(grid, row, min(column + 2, _WIDTH - len(text)), text)


def _flat(grid: list[list[str]], picture: Picture, mark: Mark) -> None:
    row, start = _row(picture, mark.ceiling), _column(picture, mark.ridge)
    for column in range(start, _WIDTH):
        grid[row][column] = "-" if column > start else "+"
    text = f" {mark.name} {rate_text(mark.ceiling, 'FLOP/s')}"
    if start + 2 + len(text) < _WIDTH:
        _write(grid, row, _WIDTH - len(text), text)
    elif row and not "".join(grid[row - 1][-len(text) :]).strip():
        _write(grid, row - 1, _WIDTH - len(text), text)


def _write(grid: list[list[str]], row: int, column: int, text: str) -> None:
    grid[row][column : column + len(text)] = list(text)


def _foot(picture: Picture) -> list[str]:
    axis, labels = ["-"] * _WIDTH, [" "] * (_WIDTH + _MARGIN)
    for power in range(*_ends(picture.x)):
        column = _column(picture, 10.0**power)
        axis[column] = "+"
        text = power_text(power)
        start = min(max(0, column - len(text) // 2), len(labels) - len(text))
        labels[start : start + len(text)] = list(text)
    left = " " * (_MARGIN + 1)
    unit = "FLOP per byte of DRAM"
    return [
        f"{' ' * _MARGIN}+{''.join(axis)}",
        f"{left}{''.join(labels)}".rstrip(),
        f"{left}{unit:^{_WIDTH}}".rstrip(),
    ]


def _ends(axis: tuple[int, int]) -> tuple[int, int]:
    return axis[0], axis[1] + 1


def _intensity(picture: Picture, column: int) -> float:
    low, high = picture.x
    return float(10.0 ** (low + (high - low) * column / (_WIDTH - 1)))


def _column(picture: Picture, intensity: float) -> int:
    return min(_WIDTH - 1, max(0, round(picture.along(intensity) * (_WIDTH - 1))))


def _row(picture: Picture, flop_per_s: float) -> int:
    return min(_HEIGHT - 1, max(0, round((1 - picture.up(flop_per_s)) * (_HEIGHT - 1))))
