import pytest

from warpwright.render.numbers import time_text


@pytest.mark.parametrize(
    ("ns", "digits", "text"),
    [
        (None, 3, "-"),
        (0.0, 3, "0.00 ns"),
        (0.5, 3, "0.50 ns"),
        (7.0, 3, "7.00 ns"),
        (999.4, 3, "999 ns"),
        (999.6, 3, "1.00 us"),
        (9_996, 3, "10.0 us"),
        (5_892_000, 4, "5.892 ms"),
        (999_960, 4, "1.000 ms"),
        (3e10, 3, "30.0 s"),
        (4e12, 3, "4000 s"),
    ],
)
def test_times(ns: float | None, digits: int, text: str) -> None:
    assert time_text(ns, digits) == text
