"""How far outputs are from the float64 oracle. Numbers only: the controller judges them.

All sums are in units of the oracle's largest element, so that squares of sound float64 values
neither overflow nor vanish. An error beyond what float64 holds is told as the largest float64;
the reference's own, which would excuse any, as 0.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

import torch

_LARGEST = sys.float_info.max
_CHUNK = 1 << 24  # elements compared at once: the float64 copies stay below half a GB


@dataclass
class _Sums:
    """Sums over the elements where both sides are finite, and counts. `unit`: of all errors."""

    unit: float
    squares: float = 0.0
    square_error: float = 0.0
    finite: int = 0
    wrong_finiteness: int = 0
    mismatches: int = 0
    worst: float = 0.0
    worst_at: int = 0


def compare(
    name: str,
    output: torch.Tensor,
    native: torch.Tensor,
    oracle: torch.Tensor,
    poisoned: torch.Tensor,
) -> dict[str, Any]:
    """Compare one output with the oracle.

    Args:
        name: of the output.
        output: what the candidate left in shared memory.
        native: the reference in its own precision.
        oracle: the reference in float64 (the same shape; integers stay integers).
        poisoned: what the buffer held before the call.

    Returns:
        The fields of `evaluation.judge.OutputError`.
    """
    unit = _largest(oracle)
    sums, of_native = _sums(output, oracle, unit), _sums(native, oracle, unit)
    count = output.numel()
    of_reference = _root_mean(of_native)
    scale = math.sqrt(sums.squares / sums.finite) if sums.finite and sums.squares else 1.0
    return {
        "name": name,
        "elements": count,
        "wrong_finiteness": sums.wrong_finiteness,
        "mismatches": sums.mismatches,
        "rel_rmse": min(_root_mean(sums) / scale, _LARGEST),
        "rel_rmse_reference": of_reference / scale if math.isfinite(of_reference) else 0.0,
        "rel_worst": min(sums.worst / scale, _LARGEST),
        "worst_at": _coordinates(sums.worst_at, tuple(output.shape)),
        "unwritten": _equal_bits(output, poisoned),
    }


def _largest(oracle: torch.Tensor) -> float:
    """The largest finite magnitude of the oracle; 1 where all is 0."""
    largest = 0.0
    for chunk in oracle.reshape(-1).split(_CHUNK):
        magnitude = chunk.double().abs()
        largest = max(largest, float(torch.where(magnitude.isfinite(), magnitude, 0.0).max()))
    return largest or 1.0


def _sums(values: torch.Tensor, oracle: torch.Tensor, unit: float) -> _Sums:
    sums = _Sums(unit)
    flat, exact = values.reshape(-1), oracle.reshape(-1)
    for start in range(0, flat.numel(), _CHUNK):
        chunk, truth = flat[start : start + _CHUNK], exact[start : start + _CHUNK]
        _add(sums, chunk, truth, start)
    return sums


def _add(sums: _Sums, chunk: torch.Tensor, truth: torch.Tensor, start: int) -> None:
    if not truth.is_floating_point():
        sums.mismatches += int((chunk != truth).sum())
    value, truth = chunk.double(), truth.double()
    both = torch.isfinite(value) & torch.isfinite(truth)
    same_special = torch.isnan(value) & torch.isnan(truth) | (value == truth)
    sums.wrong_finiteness += int((~both & ~same_special).sum())
    error = torch.where(both, (value - truth).abs() / sums.unit, 0.0)
    kept = torch.where(both, truth / sums.unit, 0.0)
    sums.squares += float(torch.dot(kept, kept))
    sums.square_error += float(torch.dot(error, error))
    sums.finite += int(both.sum())
    worst, place = error.max(0)
    if float(worst) > sums.worst:
        sums.worst, sums.worst_at = float(worst), start + int(place)


def _root_mean(sums: _Sums) -> float:
    return math.sqrt(sums.square_error / sums.finite) if sums.finite else 0.0


def _equal_bits(output: torch.Tensor, poisoned: torch.Tensor) -> int:
    width = output.element_size()
    same = output.reshape(-1).view(torch.uint8) == poisoned.reshape(-1).view(torch.uint8)
    return int(same.view(-1, width).all(1).sum())


def _coordinates(flat: int, shape: tuple[int, ...]) -> list[int]:
    place = []
    for size in reversed(shape):
        flat, here = divmod(flat, size)
        place.append(here)
    return place[::-1]
