from __future__ import annotations

import math
import random

import pytest

from warpwright.evaluation.statistics import (
    block_log_ratios,
    is_noisy,
    paired_ratio,
    percentile,
    self_ratio,
    unpaired_ratio,
)


def _blocks(rng: random.Random, count: int, mean: float, drift: float = 0.0) -> list[list[float]]:
    return [
        [mean * (1.0 + drift * i / count) * math.exp(rng.gauss(0.0, 0.02)) for _ in range(5)]
        for i in range(count)
    ]


def test_a_known_ratio_lies_in_its_interval() -> None:
    rng = random.Random(1)
    slow, fast = _blocks(rng, 30, 300.0), _blocks(rng, 30, 100.0)
    ratio = paired_ratio(block_log_ratios(slow, fast), rng)
    assert ratio.low < 3.0 < ratio.high
    assert ratio.value == pytest.approx(3.0, rel=0.02)
    assert ratio.high / ratio.low < 1.06


def test_paired_blocks_do_not_mistake_drift_for_a_gain() -> None:
    """Of 200 candidates equal to the baseline, with 1.5 % drift, few are called different."""
    rng = random.Random(2)
    wrong = 0
    for _ in range(200):
        above, below = _blocks(rng, 21, 100.0, 0.015), _blocks(rng, 21, 100.0, 0.015)
        ratio = paired_ratio(block_log_ratios(above, below), rng)
        wrong += ratio.low > 1.0 or ratio.high < 1.0
    assert wrong <= 8  # 1 % expected; the bootstrap of a median is a little too narrow


def test_the_same_side_against_itself_is_one_in_spite_of_drift_and_a_slow_first_sample() -> None:
    rng = random.Random(3)
    blocks = _blocks(rng, 40, 100.0, 0.2)
    ratio = self_ratio(blocks, rng)
    assert ratio is not None
    assert ratio.low < 1.0 < ratio.high
    always_slow_first = [[140.0, 100.0] for _ in range(40)]
    ratio = self_ratio(always_slow_first, rng)
    assert ratio is not None
    assert ratio.low < 1.0 < ratio.high
    assert self_ratio([[1.0, 2.0, 3.0]], rng) is None


def test_noise_is_judged_by_one_percent_or_half_a_microsecond() -> None:
    steady = self_ratio([[100.0] * 4] * 5, random.Random(4))
    assert steady is not None
    assert not is_noisy(steady, 1e6)
    off = unpaired_ratio([103.0] * 9, [100.0] * 9, random.Random(5))
    assert off.value == pytest.approx(1.03)
    assert is_noisy(off, 1e6)
    assert not is_noisy(off, 10_000.0)  # 3 % of 10 us is less than half a microsecond


def test_percentiles_are_samples() -> None:
    assert percentile([5.0, 1.0, 3.0, 2.0, 4.0], 20) == 1.0
    assert percentile([5.0, 1.0, 3.0, 2.0, 4.0], 80) == 4.0
    assert percentile([7.0], 20) == 7.0
