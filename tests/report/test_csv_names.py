"""Names and sizes as exports print them."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpwright.report.csv_part import dimensions, function_name
from warpwright.report.reader import read_report


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        ("k", "k"),
        ("void a::b::k<(int)4, c<d>>(int, e::f<g> *)", "k"),
        ("(anonymous namespace)::k(int)", "k"),
        ("void k<std::array<char *, (unsigned long)1>>(int, T2)", "k"),
        ("a::k(void (*)(int))", "k"),
    ],
)
def test_function_names(signature: str, name: str) -> None:
    assert function_name(signature) == name


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("(256, 1, 1)", (256, 1, 1)),
        ("(256,128,128)", (256, 128, 128)),
        ("(1.024, 65,535, 1)", (1024, 65535, 1)),
        ("", None),
        ("256", None),
    ],
)
def test_dimensions(text: str, shape: tuple[int, int, int] | None) -> None:
    assert dimensions(text) == shape


def test_function_names_of_real_kernels(shared_reports: Path) -> None:
    for path in shared_reports.glob("*.ncu-rep*"):
        for launch in read_report(path).launches:
            assert function_name(launch.demangled) == launch.kernel
