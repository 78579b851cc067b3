from hypothesis import given
from hypothesis import strategies as st

from warpwright.query.text_match import match_files, match_lines

SOURCE = ["int a;", "", "for (;;) {", "  x += y;", "}", "store(x);"]


def test_a_shifted_line_is_the_same_line() -> None:
    shifted = ["// new", "", *SOURCE]
    assert match_lines(SOURCE, shifted) == {1: 3, 3: 5, 4: 6, 5: 7, 6: 8}


def test_a_changed_line_is_another_line_and_indentation_does_not_count() -> None:
    changed = [*SOURCE[:3], "      x  += y;", "}", "store(x * 2);"]
    assert match_lines(SOURCE, changed) == {1: 1, 3: 3, 4: 4, 5: 5}


def test_a_line_that_moved_elsewhere_is_found_if_there_is_one_of_it() -> None:
    assert match_lines(["a;", "b;", "c;", "d;"], ["d;", "a;", "b;", "c;"])[4] == 1
    assert match_lines(["x;", "b;", "x;"], ["y;", "b;", "z;"]) == {2: 2}


@given(st.lists(st.sampled_from(["a", "b", "}", "", "  c"]), max_size=30), st.data())
def test_matches_are_one_to_one_and_of_equal_text(before: list[str], data: st.DataObject) -> None:
    after = data.draw(st.permutations(before))
    pairs = match_lines(before, after)
    assert len(set(pairs.values())) == len(pairs)
    assert all(before[one - 1].split() == after[other - 1].split() for one, other in pairs.items())
    assert match_lines(before, before) == {
        number: number for number, line in enumerate(before, 1) if line.strip()
    }


def test_files_by_path_then_name_then_the_only_one_left() -> None:
    pairs = match_files(
        {"/a/k.cu", "/inc/math.hpp", "/a/old.cu"}, {"/b/k.cu", "/inc/math.hpp", "/b/new.cu"}
    )
    assert pairs == {
        "/a/k.cu": "/b/k.cu",
        "/inc/math.hpp": "/inc/math.hpp",
        "/a/old.cu": "/b/new.cu",
    }
    assert match_files({"/a", "/b"}, {"/c", "/d"}) == {}
