"""More warps: between nothing and everything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpwright.advice.residency import residency_gain


@given(st.floats(0.01, 0.99), st.integers(1, 16), st.floats(1.0, 16.0))
def test_bounds(busy: float, warps: int, factor: float):
    gain = residency_gain(busy, warps, factor)
    assert 1.0 <= gain <= min(factor, 1 / busy) * 1.01


def test_idle_resources_scale_and_full_ones_do_not():
    assert residency_gain(0.01, 1, 4) == pytest.approx(4, rel=0.05)
    assert residency_gain(0.98, 4, 4) == pytest.approx(1.02, abs=0.01)


def test_two_warps_of_a_known_network():
    """One warp busy half its time; two: MVA gives 2 * 1 / (1.5 + 1) = 0.8 of the resource."""
    assert residency_gain(0.5, 1, 2) == pytest.approx(0.8 / 0.5, rel=1e-6)


def test_absurd_numbers_of_a_damaged_report_cost_no_time():
    assert 1.0 <= residency_gain(busy=0.1, warps=1e18, factor=1e18) <= 10.0
