"""Whatever text comes: a report that can be asked, or an error with a hint."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.csv_pages import details_page, raw_page, source_page
from tests.report.csv_sample import BOTH, LAUNCH, MEMORY, NAMES, NOISE, SOL, SOURCE
from warpwright.errors import BadReport
from warpwright.report.csv_reader import read_csv_report

PAGES = (
    NOISE
    + details_page(LAUNCH, [(SOL, "Duration", "us", 6.97), (MEMORY, "Mem Busy", "%", 1.25)])
    + raw_page([LAUNCH], NAMES)
    + source_page(LAUNCH, SOURCE)
    + BOTH
)


def survives(text: str) -> None:
    """Reading gives a report whose every launch can be asked, or BadReport."""
    try:
        report = read_csv_report(text, "x")
    except BadReport as error:
        assert error.hint
        return
    for launch in report.launches:
        for name in launch.metrics:
            launch.number(name)
            launch.per_pc(name)


@given(st.text())
def test_any_text(text: str) -> None:
    survives(text)


@settings(max_examples=200, deadline=None)
@given(st.permutations(PAGES.splitlines()), st.integers(0, len(PAGES)), st.text(max_size=20))
def test_shuffled_and_cut_lines(lines: list[str], cut: int, noise: str) -> None:
    text = "\n".join(lines)
    survives(text[:cut] + noise + text[cut:])
    survives(text[:cut])


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_cells_of_anything(data: st.DataObject) -> None:
    cell = st.text(st.characters(codec="utf-8"), max_size=8) | st.from_regex(r"[-\d.,eE ]{1,12}")
    text = PAGES
    for _ in range(4):
        old = data.draw(st.sampled_from(sorted(set(PAGES.split('"')))))
        text = text.replace(f'"{old}"', f'"{data.draw(cell)}"', 3) if old else text
    survives(text)
