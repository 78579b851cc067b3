"""Numbers of every locale, and scaled units."""

from __future__ import annotations

import math

import pytest

from warpwright.report.csv_numbers import number_style, to_base


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (["3310223", "6.97", "1234567.25"], [3310223, 6.97, 1234567.25]),
        (["3,310,223", "6.97", "1,234.50"], [3310223, 6.97, 1234.5]),
        (["3.310.223", "6,97", "1.234,50"], [3310223, 6.97, 1234.5]),
        (["3 310 223", "6,97", "1 234,500"], [3310223, 6.97, 1234.5]),
        (["3\u202f310\u202f223", "6,97", "1\u00a0234,50"], [3310223, 6.97, 1234.5]),
        (["3'310'223", "6.97", "1\u2019234.500"], [3310223, 6.97, 1234.5]),
        (["4.0e-05", "-1.5", "+2.25"], [4.0e-05, -1.5, 2.25]),
        (["0.125", "12", "1234.567"], [0.125, 12, 1234.567]),
        (["1.234", "1,234.5"], [1.234, 1234.5]),
        (["1,234", "6,97"], [1.234, 6.97]),
        (["3 310 223", "1,234"], [3310223, 1.234]),
    ],
)
def test_a_style_holds_for_all_numbers(written: list[str], expected: list[float]) -> None:
    style = number_style(written)
    assert style.cautions == ()
    assert [style.read(text) for text in written] == expected


def test_only_ambiguous_numbers_are_read_as_c_writes_them_with_a_caution() -> None:
    style = number_style(["1.234", "5,678"])
    assert [style.read(text) for text in ("1.234", "5,678")] == [1.234, 5678]
    assert "two ways" in style.cautions[0]


def test_a_number_of_another_locale_is_left_out_with_a_caution() -> None:
    style = number_style(["6.97", "1,234.5", "88,12"])
    assert style.read("88,12") is None
    assert "88,12" in style.cautions[0]


def test_integers_alone_raise_no_question() -> None:
    assert number_style(["12", "n/a", "CachePreferNone"]).cautions == ()


@pytest.mark.parametrize("text", ["n/a", "", " N/A ", "(!) n/a"])
def test_absent_is_none(text: str) -> None:
    assert number_style([]).read(text) is None


@pytest.mark.parametrize("text", ["nan", "-nan", "NaN", "-nan(ind)", "(!) nan"])
def test_nan_stays_nan(text: str) -> None:
    value = number_style([]).read(text)
    assert isinstance(value, float) and math.isnan(value)


@pytest.mark.parametrize(
    "text", ["CachePreferNone", "(256, 1, 1)", "0x10", "1 2", "0, 1, 2", "9" * 500]
)
def test_what_is_no_number_stays_text(text: str) -> None:
    assert number_style([]).read(text) == text


@pytest.mark.parametrize(
    ("value", "unit", "base"),
    [
        (6.97, "us", (6970.0, "ns")),
        (6.97, "usecond", (6970.0, "ns")),
        (2, "msecond", (2e6, "ns")),
        (4e-05, "second", (40000.0, "ns")),
        (12, "ns", (12, "ns")),
        (1.06, "Ghz", (1.06e9, "hz")),
        (1.06, "cycle/nsecond", (1.06e9, "hz")),
        (877.5, "cycle/usecond", (877.5e6, "hz")),
        (10.24, "Kbyte", (10240.0, "byte")),
        (3.5, "Tbyte/s", (3.5e12, "byte/s")),
        (3.5, "Gbyte/second", (3.5e9, "byte/s")),
        (1.02, "Kbyte/block", (1020.0, "byte/block")),
        (5.5, "ksector", (5500.0, "sector")),
        (4.5, "sector/ns", (4.5e9, "sector/s")),
        (4.5, "sector/ms", (4.5e3, "sector/s")),
        (2.485, "%/Kbyte", (2485.0, "%/byte")),
        (40, "register/thread", (40, "register/thread")),
        (40.5, "%", (40.5, "%")),
        (7, "", (7, "")),
        (None, "us", (None, "ns")),
        ("CachePreferNone", "", ("CachePreferNone", "")),
    ],
)
def test_units_come_to_base(
    value: float | str | None, unit: str, base: tuple[float | str | None, str]
) -> None:
    assert to_base(value, unit) == (pytest.approx(base[0]) if base[0] else base[0], base[1])
