"""Ratios of times with their uncertainty. Pure functions; times in nanoseconds."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

RESAMPLES = 2000
CONFIDENCE = 0.99


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two times and the interval that holds it with 99 % confidence."""

    value: float
    low: float
    high: float


def block_log_ratios(
    above: Sequence[Sequence[float]], below: Sequence[Sequence[float]]
) -> list[float]:
    """log(median above / median below) of every pair of interleaved blocks."""
    return [
        math.log(statistics.median(a) / statistics.median(b))
        for a, b in zip(above, below, strict=True)
    ]


def paired_ratio(log_ratios: Sequence[float], rng: random.Random) -> Ratio:
    """exp(median of log ratios), with a percentile bootstrap over the pairs.

    With few pairs (below 9) the bootstrap's own extremes are the smallest and largest pair.
    """
    medians = sorted(
        statistics.median(rng.choices(log_ratios, k=len(log_ratios))) for _ in range(RESAMPLES)
    )
    low, high = _interval(medians)
    return Ratio(math.exp(statistics.median(log_ratios)), math.exp(low), math.exp(high))


def unpaired_ratio(above: Sequence[float], below: Sequence[float], rng: random.Random) -> Ratio:
    """Ratio of medians of two sets of samples not taken together; both are resampled."""
    logs = sorted(
        math.log(
            statistics.median(rng.choices(above, k=len(above)))
            / statistics.median(rng.choices(below, k=len(below)))
        )
        for _ in range(RESAMPLES)
    )
    low, high = _interval(logs)
    value = statistics.median(above) / statistics.median(below)
    return Ratio(value, math.exp(low), math.exp(high))


def self_ratio(blocks: Sequence[Sequence[float]], rng: random.Random) -> Ratio | None:
    """The same side against itself: what a ratio of 1 looks like (A/A).

    Samples in order of time are taken in twos; which of the two goes above alternates, so that
    a drift or a slow first sample cancels. None below 4 samples.
    """
    samples = [sample for block in blocks for sample in block]
    twos = list(zip(samples[::2], samples[1::2], strict=False))
    if len(twos) < 2:
        return None
    logs = [math.log(first / second) * (-1) ** index for index, (first, second) in enumerate(twos)]
    return paired_ratio(logs, rng)


def is_noisy(ratio: Ratio, duration_ns: float) -> bool:
    """Whether an A/A ratio is further from 1 than 1 % and than half a microsecond."""
    return abs(ratio.value - 1.0) > max(0.01, 500.0 / duration_ns)


def percentile(samples: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile."""
    ordered = sorted(samples)
    rank = max(1, math.ceil(percent / 100.0 * len(ordered)))
    return ordered[rank - 1]


def _interval(ordered: Sequence[float]) -> tuple[float, float]:
    cut = int(len(ordered) * (1.0 - CONFIDENCE) / 2.0)
    return ordered[cut], ordered[-1 - cut]
